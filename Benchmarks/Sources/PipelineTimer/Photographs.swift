import Foundation
import Texel

/// A folder of photographs.
struct Photographs {
    /// The files, by number of pixels, largest first.
    let files: [FilePath]

    init(in folder: String) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        files =
            try names.sorted().map { name in
                let path = FilePath(folder).appending(name)
                let bytes = try Data(contentsOf: URL(filePath: path.string))
                let size = try CodecRegistry.shared.open(InputBytes(bytes)).info.size
                return (path, size.width * size.height)
            }
            .sorted { $0.1 > $1.1 }.map(\.0)
        guard !files.isEmpty else { throw CocoaError(.fileReadNoSuchFile) }
    }

    /// Creates a folder of `count` symbolic links to the first `distinct` files, which the pipeline cannot recognise as
    /// the same files.
    func links(_ count: Int, of distinct: Int) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for index in 0..<count {
            let file = URL(filePath: files[index % min(distinct, files.count)].string)
            try FileManager.default.createSymbolicLink(
                at: folder.url.appending(path: "\(index)"), withDestinationURL: file.absoluteURL)
        }
        return folder
    }
}

/// A folder that is deleted with its owner.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "PipelineTimer-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    var path: FilePath { FilePath(url.path) }
}
