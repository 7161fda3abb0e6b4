import SystemPackage
import TexelCore

/// A file of samples that several threads read at independent offsets; closed when the last reference is released.
public final class SampleFile: Sendable {
    let descriptor: FileDescriptor

    /// Takes ownership of an open descriptor of a regular file.
    init(_ descriptor: FileDescriptor) { self.descriptor = descriptor }

    deinit { try? descriptor.close() }

    /// Fills `bytes` from `offset` on.
    ///
    /// - Throws: `truncated` if the file ends before; `streamFailed`.
    func read(into bytes: UnsafeMutableRawBufferPointer, at offset: Int, frame: Int) throws(TexelError) {
        var done = 0
        while done < bytes.count {
            let count: Int
            do {
                count = try descriptor.read(
                    fromAbsoluteOffset: Int64(offset + done),
                    into: UnsafeMutableRawBufferPointer(rebasing: bytes[done...]))
            } catch {
                throw .streamFailed((error as? Errno ?? .ioError).rawValue)
            }
            guard count > 0 else { throw .truncated(frame: frame, bytesRead: done, bytes: bytes.count) }
            done += count
        }
    }
}
