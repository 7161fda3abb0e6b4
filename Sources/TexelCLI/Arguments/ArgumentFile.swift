import SystemPackage
import Texel

/// The text of a file that an option names.
enum TextFile {
    /// Why the text cannot be read, without the file's name.
    struct Fault: Error {
        let message: String
        /// Whether the file could not be opened or read, and not only its contents be used.
        let isUnreadable: Bool
    }

    /// Reads a file, which may be a pipe.
    ///
    /// - Parameter byteLimit: a larger file is rejected, after one byte more.
    static func contents(of path: String, byteLimit: Int) throws(Fault) -> String {
        let bytes: [UInt8]
        do {
            let descriptor = try FileDescriptor.open(FilePath(path), .readOnly, options: .closeOnExec)
            bytes = try descriptor.closeAfter { try descriptor.readAll(atMost: byteLimit + 1) }
        } catch {
            let reason = error as? Errno ?? .ioError
            let message = reason == .noSuchFileOrDirectory ? "no such file" : "cannot be read: \(reason)"
            throw Fault(message: message, isUnreadable: true)
        }
        guard bytes.count <= byteLimit else {
            throw Fault(message: "the file is larger than \(byteLimit >> 20) MiB", isUnreadable: false)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Fault(message: "the file is not valid UTF-8", isUnreadable: false)
        }
        return text
    }
}
