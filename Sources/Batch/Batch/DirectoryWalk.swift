import SystemPackage
import TexelCodecs
import TexelFormats
import TexelPipeline

/// Finds all images below a directory that ``FolderRule`` admits: files with the extension of an image format, whatever
/// they contain, and other files that contain an image.
struct DirectoryWalk {
    /// A file that contains an image.
    struct Image {
        let item: InputItem
        let identity: FileStatus.Identity
        let isLink: Bool
    }

    /// Sorted by path.
    let images: [Image]
    /// Directories that cannot be listed, and files that must be read to identify their format but cannot be; sorted
    /// by path.
    let failures: [FileError]
    /// The number of files of other formats, and of what is not a file.
    let otherFileCount: Int

    init(_ root: FilePath, _ rule: FolderRule) {
        var images: [(path: String, image: Image)] = []
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
            for entry in entries {
                let relative = directory.appending(entry.name)
                let path = root.pushing(relative)
                switch rule.kind(of: entry, at: path) {
                case .ignored, .folder(isLink: true): break
                case .folder(isLink: false): pending.append(relative)
                case .other: otherFileCount += 1
                case .unreadable(let error): failures.append((path.string, error))
                case .file(let status, let isLink):
                    do throws(FileError) {
                        if try Self.findsImage(at: path) {
                            let item = InputItem(path: path, relativePath: relative, folder: root)
                            images.append((path.string, Image(item: item, identity: status.identity, isLink: isLink)))
                        } else {
                            otherFileCount += 1
                        }
                    } catch {
                        failures.append((path.string, error))
                    }
                }
            }
        }
        self.images = images.sorted { $0.path < $1.path }.map(\.image)
        self.failures = failures.sorted { $0.path < $1.path }.map(\.error)
        self.otherFileCount = otherFileCount
    }

    /// Whether a file has the extension of an image format, or contains an image. Formats without extensions, such as
    /// videos, are images only where they are named.
    ///
    /// - Throws: `cannotRead` if the file must be read to decide, but cannot be.
    static func findsImage(at path: FilePath) throws(FileError) -> Bool {
        if let name = path.extension, ImageFormat(fileExtension: name) != nil { return true }
        do {
            let head = try InputReader.readHead(of: path)
            return (try? ImageFormat(sniffing: head))?.fileExtensions.isEmpty == false
        } catch {
            if case .missing = error { return false }
            throw error
        }
    }
}
