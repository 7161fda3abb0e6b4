public import SystemPackage
import TexelCore
import TexelPipeline

/// Where the bytes of a stream come from.
public enum StreamInput: Sendable, Hashable {
    /// Standard input.
    case standardInput
    /// A file, a FIFO or a device.
    case file(FilePath)
    /// An open descriptor; the source reads a duplicate, and the caller keeps ownership.
    case descriptor(FileDescriptor)

    /// Opens the input and returns a descriptor that the caller owns.
    func open() throws(TexelError) -> FileDescriptor {
        do {
            switch self {
            case .standardInput: return try FileDescriptor.standardInput.privateDuplicate()
            case .descriptor(let descriptor): return try descriptor.privateDuplicate()
            // Open a FIFO without blocking: `poll` waits for its writer and for a stop at the same time.
            case .file(let path):
                return try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
            }
        } catch {
            let errno = error as? Errno ?? .ioError
            guard case .file(let path) = self else { throw .streamFailed(errno.rawValue) }
            throw TexelError(path, unreadable: errno)
        }
    }
}
