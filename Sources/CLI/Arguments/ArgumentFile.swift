import SystemPackage
import Texel

/// A file that an option names.
enum ArgumentFile {
    /// Why the file cannot be used, without its name.
    struct Fault: Error {
        let message: String
        /// Whether the file could not be opened or read, and not only its contents be used.
        let isUnreadable: Bool

        init(_ message: String, isUnreadable: Bool = false) {
            self.message = message
            self.isUnreadable = isUnreadable
        }
    }

    /// How long a pipe may take to deliver its bytes.
    private static let patience = Duration.seconds(10)

    /// Reads a file, which may be a pipe.
    ///
    /// - Parameter byteLimit: a larger file is rejected, after one byte more.
    static func bytes(of path: String, byteLimit: Int) throws(Fault) -> [UInt8] {
        do throws(TexelError) {
            return Array(try InputReader.read(FilePath(path), limit: byteLimit, within: patience))
        } catch {
            switch error.kind {
            case .limitExceeded: throw Fault("the file is larger than \(byteLimit >> 20) MiB")
            case .timedOut, .cancelled:
                throw Fault("the pipe did not end within \(patience.components.seconds) seconds", isUnreadable: true)
            case .missingFile: throw Fault("no such file", isUnreadable: true)
            case .cannotRead, .isDirectory, .isLink:
                throw Fault("cannot be read: \(error.errno ?? .ioError)", isUnreadable: true)
            default: throw Fault("\(error)", isUnreadable: true)
            }
        }
    }

    /// Reads a file that contains text.
    ///
    /// - Parameter byteLimit: a larger file is rejected, after one byte more.
    static func text(of path: String, byteLimit: Int) throws(Fault) -> String {
        guard let text = String(validating: try bytes(of: path, byteLimit: byteLimit), as: UTF8.self) else {
            throw Fault("the file is not valid UTF-8")
        }
        return text
    }

    /// Reads a file and converts its contents.
    ///
    /// - Parameter read: throws the reason why the file cannot be used.
    /// - Returns: the value, or what is wrong, after the file's name.
    static func value<Value>(
        of path: String, _ read: (String) throws(Fault) -> Value
    ) -> Result<Value, Fault> {
        Result { () throws(Fault) in try read(path) }.mapError {
            Fault("\(path): \($0.message)", isUnreadable: $0.isUnreadable)
        }
    }
}
