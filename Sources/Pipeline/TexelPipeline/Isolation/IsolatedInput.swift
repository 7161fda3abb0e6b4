import CIsolation
import PlatformLibc
import SystemPackage
import TexelCodecs
import TexelCore
import TexelFormats

/// An input's bytes for child processes, in sealed memory that neither they nor this process can change.
final class IsolatedInput: Sendable {
    let descriptor: FileDescriptor
    let byteCount: Int
    /// By the first bytes; `nil` if no codec recognises them.
    let format: ImageFormat?
    /// Provides the children that work on the input.
    let isolation: Isolation

    init(_ bytes: InputBytes, _ isolation: Isolation) throws(TexelError) {
        #if os(Linux)
            let rawDescriptor = bytes.withUnsafeRawBytes { texel_sealed_memory($0.baseAddress, $0.count) }
            guard rawDescriptor >= 0 else { throw .childNotGiven(Errno(rawValue: errno)) }
            descriptor = FileDescriptor(rawValue: rawDescriptor)
            byteCount = bytes.count
            format = try? ImageFormat(sniffing: bytes.prefix(CodecRegistry.headSize))
            self.isolation = isolation
        #else
            throw .unavailable
        #endif
    }

    deinit { try? descriptor.close() }

    /// The bytes in this process.
    func mapped() throws(TexelError) -> InputBytes {
        guard let bytes = InputBytes(sealed: descriptor, count: byteCount) else {
            throw .childNotGiven(Errno(rawValue: errno))
        }
        return bytes
    }
}

extension InputBytes {
    /// Maps sealed memory. Returns `nil` if that fails, with the reason in `errno`.
    convenience init?(sealed descriptor: FileDescriptor, count: Int) {
        // `mmap` does not accept a length of 0.
        guard count > 0 else {
            self.init([])
            return
        }
        guard let mapping = MappedFile(descriptor, byteCount: count, path: nil) else { return nil }
        self.init(of: mapping, at: mapping.base, count: count)
    }
}
