import SystemPackage
import TexelBatch
import TexelPipeline

/// Writes files to paths that the user named.
enum SheetFile {
    /// Checks before the work whether a file can be written, and creates missing directories above it.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - replacement: What the file may replace.
    /// - Throws: `image(file)` with `alreadyExists`, `isInput` or `cannotCreate`.
    static func check(_ path: FilePath, replacing replacement: Replacement) throws(SheetError) {
        if !path.isDeviceOrPipe, let refusal = replacement.refusal(of: path, FileStatus(path)) {
            throw .image(.file(refusal))
        }
        do { try path.removingLastComponent().makeDirectories() } catch { throw .image(.file(error)) }
    }

    static func write(
        _ bytes: [UInt8], to path: FilePath, replacing replacement: Replacement
    ) throws(SheetError) {
        do throws(FileError) {
            try AtomicFile.write(bytes, to: path, replacing: replacement)
        } catch {
            throw .image(.file(error))
        }
    }
}
