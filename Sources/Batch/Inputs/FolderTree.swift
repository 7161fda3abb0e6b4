package import SystemPackage
import TexelCodecs
package import TexelCore
import TexelFormats
import TexelPipeline

/// All images below a directory that ``FolderRule`` admits: files with the extension of an image format, whatever they
/// contain, and other files that contain an image.
package struct FolderTree: InputTree {
    private let root: FilePath
    private let rule: FolderRule

    init(_ root: FilePath, _ rule: FolderRule) { (self.root, self.rule) = (root, rule) }

    /// Visits the images sorted by path, then the failures sorted by path: directories that cannot be listed, and files
    /// that must be read to identify their format but cannot be.
    package func visit(_ body: (InputEntry) -> Void) {
        var images: [(path: String, item: InputItem)] = []
        var failures: [(path: String, error: TexelError)] = []
        var pending: [FilePath] = [""]
        while let directory = pending.popLast() {
            let folder = root.pushing(directory)
            let entries: [DirectoryEntry]
            do throws(TexelError) {
                entries = try DirectoryEntry.list(folder)
            } catch {
                // A subdirectory may have been removed since its name was read.
                if error.kind == .missingFile, !directory.isEmpty { continue }
                failures.append((folder.string, error))
                continue
            }
            for entry in entries {
                let relative = directory.appending(entry.name)
                let path = root.pushing(relative)
                switch rule.kind(of: entry, at: path) {
                case .ignored, .folder(isLink: true): break
                case .folder(isLink: false): pending.append(relative)
                case .other: body(.other)
                case .unreadable(let error): failures.append((path.string, error))
                case .file(let status, let isLink):
                    do throws(TexelError) {
                        if try Self.findsImage(at: path) {
                            var item = InputItem(path: path, relativePath: relative, folder: root)
                            item.finding = InputItem.Finding(identity: status.identity, isLink: isLink)
                            images.append((path.string, item))
                        } else {
                            body(.other)
                        }
                    } catch {
                        failures.append((path.string, error))
                    }
                }
            }
        }
        for image in images.sorted(by: { $0.path < $1.path }) { body(.input(image.item)) }
        for failure in failures.sorted(by: { $0.path < $1.path }) { body(.failure(failure.error)) }
        if images.isEmpty, failures.isEmpty { body(.failure(.noImagesFound(root))) }
    }

    /// Whether a file has the extension of an image format, or contains an image. Formats without extensions, such as
    /// videos, are images only where they are named.
    ///
    /// - Throws: `cannotRead` if the file must be read to decide, but cannot be.
    package static func findsImage(at path: FilePath) throws(TexelError) -> Bool {
        do throws(TexelError) {
            return try isImage(path) { () throws(TexelError) in try InputReader.readHead(of: path) }
        } catch {
            if error.kind == .missingFile { return false }
            throw error
        }
    }

    /// The same for any file, of which `head` reads the first bytes if its name does not decide.
    package static func isImage(
        _ name: FilePath, head: () throws(TexelError) -> [UInt8]
    ) throws(TexelError) -> Bool {
        if let own = name.extension, ImageFormat(fileExtension: own) != nil { return true }
        let head = try head()
        return (try? ImageFormat(sniffing: head))?.fileExtensions.isEmpty == false
    }
}
