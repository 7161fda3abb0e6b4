import SystemPackage
import TexelBatch
import TexelCodecs
import TexelCore
import TexelPipeline

/// Writes files to paths that the user named.
enum SheetFile {
    /// Checks before the work whether a file can be written, and creates missing directories above it.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - replacement: What the file may replace.
    /// - Throws: `image(file)` with `alreadyExists`, `isInput` or `cannotCreate`.
    static func check(_ path: FilePath, replacing replacement: Replacement) throws(TexelError) {
        if !path.isDeviceOrPipe, let refusal = replacement.refusal(of: path, FileStatus(path)) {
            throw refusal
        }
        try path.removingLastComponent().makeDirectories()
    }

    /// - Parameter stop: Ends the wait for the reader of a pipe.
    static func write(
        _ bytes: [UInt8], to path: FilePath, replacing replacement: Replacement, stop: StopToken = StopToken()
    ) throws(TexelError) {
        try AtomicFile.write(bytes, to: path, replacing: replacement, stop: stop)
    }
}
