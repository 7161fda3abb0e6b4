public import Foundation

/// The folders of test files. They do not depend on the working directory.
public enum TestFolders {
    /// The root of the package.
    public static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The images that `swift run TestImageGenerator TestImages` creates.
    public static let testImages = root.appendingPathComponent("TestImages", isDirectory: true)

    /// A folder of real files that are not part of the repository; `nil` if it does not exist.
    public static let corpora: URL? = {
        let path = ProcessInfo.processInfo.environment["TEXEL_CORPORA"]
        let folder =
            path.map { URL(fileURLWithPath: $0, isDirectory: true) }
            ?? root.appendingPathComponent("../shared/corpora", isDirectory: true).standardizedFileURL
        return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
    }()

    /// Returns all files below `folder`, sorted by path.
    public static func files(below folder: URL) -> [URL] {
        let entries = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: [.isRegularFileKey])
        var files: [URL] = []
        while let file = entries?.nextObject() as? URL {
            let isFile = try? file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile
            if isFile == true { files.append(file) }
        }
        return files.sorted { $0.path < $1.path }
    }

    /// Returns the bytes of a file in `TestImages/`.
    public static func testImage(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: testImages.appendingPathComponent(name)))
    }
}
