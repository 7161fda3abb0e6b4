import SystemPackage
import TexelCodecs
import TexelFormats
import TexelPipeline

/// Finds all images below a directory: files with the extension of an image format, whatever they contain, and other
/// files that contain an image. Hidden files and links to directories are skipped.
struct DirectoryWalk {
    /// Sorted by path.
    let items: [InputItem]
    /// Directories that cannot be listed, and files that must be read to identify their format but cannot be; sorted
    /// by path.
    let failures: [FileError]
    /// The number of files of other formats.
    let otherFileCount: Int

    init(_ root: FilePath) {
        var items: [(path: String, item: InputItem)] = []
        var failures: [(path: String, error: FileError)] = []
        var otherFileCount = 0
        var pending: [FilePath] = [""]
        while let directory = pending.popLast() {
            let folder = root.pushing(directory)
            let entries: [DirectoryEntry]
            do throws(FileError) {
                entries = try DirectoryEntry.list(folder)
            } catch {
                // A subdirectory may have been removed since its name was read.
                if case .missing = error, !directory.isEmpty { continue }
                failures.append((folder.string, error))
                continue
            }
            for entry in entries where !entry.isHidden {
                let relative = directory.appending(entry.name)
                let path = root.pushing(relative)
                if entry.isDirectory(at: path) {
                    if !entry.isLink(at: path) { pending.append(relative) }
                    continue
                }
                do throws(FileError) {
                    if try Self.findsImage(at: path) {
                        items.append((path.string, InputItem(path: path, relativePath: relative, folder: root)))
                    } else {
                        otherFileCount += 1
                    }
                } catch {
                    failures.append((path.string, error))
                }
            }
        }
        self.items = items.sorted { $0.path < $1.path }.map(\.item)
        self.failures = failures.sorted { $0.path < $1.path }.map(\.error)
        self.otherFileCount = otherFileCount
    }

    /// Whether a file has the extension of an image format, or contains an image. A dangling link is not an image.
    ///
    /// - Throws: `cannotRead` if the file must be read to decide, but cannot be.
    static func findsImage(at path: FilePath) throws(FileError) -> Bool {
        if let name = path.extension, ImageFormat(fileExtension: name) != nil { return true }
        do {
            let head = try InputReader.readHead(of: path)
            return (try? ImageFormat(sniffing: head)) != nil
        } catch {
            if case .missing = error { return false }
            throw error
        }
    }
}
