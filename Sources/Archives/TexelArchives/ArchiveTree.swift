public import SystemPackage
public import TexelBatch
package import TexelCodecs
import TexelCore
import TexelFormats
import TexelPipeline

/// The images in an archive: zip, cbz, or tar, without compression or with gzip, bzip2, xz or zstd.
///
/// An archive is read like a folder; nothing is unpacked to disk. Its images come in its order. As in a folder, hidden
/// entries are left out. Links are not followed, and an archive in an archive is not opened.
///
/// ```swift
/// let found = InputExpansion.expand(["pages"], isRecursive: false, others: ["pages": ArchiveTree("comic.cbz")])
/// ```
///
/// Archives are read by libarchive, which is loaded at the first use, and needs the package trait `Archives`.
public struct ArchiveTree: InputTree {
    private let path: FilePath

    /// Makes the tree of an archive.
    ///
    /// - Parameter path: a file that can be read more than once.
    public init(_ path: FilePath) { self.path = path }

    /// Whether a file is an archive: by the extension of its name, else by its first bytes. A file with the extension
    /// of an image format is not.
    public static func isArchive(_ path: FilePath) -> Bool {
        guard path.isRegularFile else { return false }
        let name = path.lastComponent?.string.lowercased() ?? ""
        let extensions = ArchiveFormat.allCases.flatMap(\.extensions) + ArchiveFormat.otherExtensions
        if extensions.contains(where: { name.hasSuffix(".\($0)") }) { return true }
        if let own = path.extension, ImageFormat(fileExtension: own) != nil { return false }
        let head = InputReader.head(of: path)
        if head.starts(with: zipEntry) || head.starts(with: emptyZip) { return true }
        // A tar ends with two blocks of 512 bytes.
        guard let (block, _) = InputReader.beginning(of: path, count: 512) else { return false }
        return block.dropFirst(tarMarkOffset).starts(with: tarMark)
    }

    private static let zipEntry = Array("PK\u{3}\u{4}".utf8)
    private static let emptyZip = Array("PK\u{5}\u{6}".utf8)
    private static let tarMark = Array("ustar".utf8)
    private static let tarMarkOffset = 257

    /// Visits the images in their order in the archive. Entries that must not be used, because their names lead out of
    /// the folder, or because they are encrypted, are failures that name the entry.
    public func visit(_ body: (InputEntry) -> Void) {
        #if Archives
            do throws(TexelError) {
                guard let status = FileStatus(path) else { throw TexelError(path, unreadable: .current) }
                try visit(ArchiveReader(path), version: status.version, body)
            } catch {
                body(.failure(error))
            }
        #else
            body(.failure(.unsupportedArchive(path)))
        #endif
    }

    #if Archives
        private struct Image {
            var index: Int
            var header: ArchiveReader.Header
            var name: FilePath
        }

        private func visit(
            _ reader: ArchiveReader, version: String, _ body: (InputEntry) -> Void
        ) throws(TexelError) {
            var images: [Image] = []
            var (otherCount, failures): (Int, [TexelError]) = (0, [])
            var index = 0
            do throws(TexelError) {
                while let header = try reader.next() {
                    defer { index += 1 }
                    guard header.kind != .folder else { continue }
                    switch EntryName(header.name) {
                    case .hidden: continue
                    case .unsafe(let name): failures.append(.unsafeEntry(path, name))
                    case .relative(let name):
                        if header.kind != .file {
                            otherCount += 1
                        } else if header.isEncrypted {
                            failures.append(.encryptedEntry(path, name))
                        } else if try FolderTree.isImage(
                            name, head: { reader.head(byteCount: CodecRegistry.headSize) })
                        {
                            images.append(Image(index: index, header: header, name: name))
                        } else {
                            otherCount += 1
                        }
                    }
                }
            } catch {
                // The images before the damage are intact.
                failures.append(error)
            }
            let contents = ArchiveContents(path, images: images.map(\.index))
            for image in images {
                let displayed = path.appending(image.name.components)
                let source = ArchiveEntrySource(
                    contents: contents, index: image.index, storedName: image.header.name,
                    byteCount: image.header.byteCount, version: version, name: displayed.string)
                body(.input(InputItem(source, path: displayed, relativePath: image.name)))
            }
            for _ in 0..<otherCount { body(.other) }
            for failure in failures { body(.failure(failure)) }
            if images.isEmpty, failures.isEmpty { body(.failure(.noImagesFound(path))) }
        }
    #endif
}

/// The library that reads archives.
package enum ArchiveLibrary {
    /// Its version and file; loads it. Empty without the package trait `Archives`.
    package static var libraries: [LinkedLibrary] {
        #if Archives
            [LoadedLibrary.archive.description]
        #else
            []
        #endif
    }
}
