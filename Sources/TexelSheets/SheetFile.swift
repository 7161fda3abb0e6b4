import SystemPackage
import TexelPipeline

/// Writes what people asked for by name.
enum SheetFile {
    /// Whether a file may be written, as far as that is known before hours of work.
    ///
    /// - Throws: `picture(file)`: `alreadyExists`, `isInput`, `cannotCreate`.
    static func check(_ path: FilePath, replacing: Bool, inputs: [InputItem]) throws(SheetError) {
        if inputs.contains(where: { $0.isFile && path.isSameFile(as: $0.path) }) {
            throw .picture(.file(.isInput(path)))
        }
        if path.exists, !replacing, !path.isDeviceOrPipe { throw .picture(.file(.alreadyExists(path))) }
        let folder = path.removingLastComponent()
        if !folder.isEmpty, !folder.isDirectory { throw .picture(.file(.cannotCreate(path, .noSuchFileOrDirectory))) }
    }

    static func write(_ bytes: [UInt8], to path: FilePath, replacing: Bool) throws(SheetError) {
        do throws(FileError) {
            try AtomicFile.write(bytes, to: path, replacing: replacing)
        } catch {
            throw .picture(.file(error))
        }
    }
}
