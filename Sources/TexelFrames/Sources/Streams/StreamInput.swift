public import SystemPackage
import TexelPipeline

/// Where the bytes of a stream come from.
public enum StreamInput: Sendable, Hashable {
    case standardInput
    /// A file, a FIFO or a device.
    case file(FilePath)
    /// An open descriptor; it stays the caller's, and the source reads a duplicate.
    case descriptor(FileDescriptor)

    /// A descriptor that belongs to the caller.
    func open() throws(FrameError) -> FileDescriptor {
        do {
            switch self {
            case .standardInput: return try FileDescriptor.standardInput.privateDuplicate()
            case .descriptor(let descriptor): return try descriptor.privateDuplicate()
            // Without waiting for a FIFO's writer: that is for poll, which listens to a stop as well.
            case .file(let path):
                return try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
            }
        } catch {
            let errno = error as? Errno ?? .ioError
            guard case .file(let path) = self else { throw .cannotRead(errno) }
            throw .file(FileError(path, unreadable: errno))
        }
    }
}
