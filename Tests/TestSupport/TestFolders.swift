public import Foundation

/// Where the tests find files; none depends on the working directory.
public enum TestFolders {
    /// The package's root.
    public static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The pictures that `swift run TestImageGenerator TestImages` makes.
    public static let testImages = root.appendingPathComponent("TestImages", isDirectory: true)

    /// A folder of real files that is not part of the project; `nil` where it is missing.
    public static let corpora: URL? = {
        let path = ProcessInfo.processInfo.environment["TEXEL_CORPORA"]
        let folder =
            path.map { URL(fileURLWithPath: $0, isDirectory: true) }
            ?? root.appendingPathComponent("../shared/corpora", isDirectory: true).standardizedFileURL
        return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
    }()

    /// All files below `folder`, sorted by their paths.
    public static func files(below folder: URL) -> [URL] {
        let entries = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: [.isRegularFileKey])
        var files: [URL] = []
        while let file = entries?.nextObject() as? URL {
            let isFile = try? file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile
            if isFile == true { files.append(file) }
        }
        return files.sorted { $0.path < $1.path }
    }

    /// The bytes of a file of `TestImages/`.
    public static func testImage(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: testImages.appendingPathComponent(name)))
    }
}
