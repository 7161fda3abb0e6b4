import SystemPackage
import TexelBatch
import TexelPipeline

/// Writes files to paths that the user named.
enum SheetFile {
    /// Checks before the work whether a file can be written, and creates missing directories above it.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - replacing: Whether an existing file may be replaced.
    ///   - inputs: The images, none of which may be the file itself.
    /// - Throws: `image(file)` with `alreadyExists`, `isInput` or `cannotCreate`.
    static func check(_ path: FilePath, replacing: Bool, inputs: [InputItem]) throws(SheetError) {
        if inputs.contains(where: { $0.isFile && path.isSameFile(as: $0.path) }) {
            throw .image(.file(.isInput(path)))
        }
        if path.exists, !replacing, !path.isDeviceOrPipe { throw .image(.file(.alreadyExists(path))) }
        do { try path.removingLastComponent().makeDirectories() } catch { throw .image(.file(error)) }
    }

    static func write(_ bytes: [UInt8], to path: FilePath, replacing: Bool) throws(SheetError) {
        do throws(FileError) {
            try AtomicFile.write(bytes, to: path, replacing: replacing)
        } catch {
            throw .image(.file(error))
        }
    }
}
