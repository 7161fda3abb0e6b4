import SystemPackage
import TexelPipeline

/// Writes a result to standard output.
enum StandardOutput {
    static func write(_ bytes: [UInt8]) throws(FileError) {
        do {
            try FileDescriptor.standardOutput.writeAll(bytes)
        } catch {
            throw .cannotWrite("-", error as? Errno ?? .ioError)
        }
    }
}
