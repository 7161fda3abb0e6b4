public import Foundation

/// Real files that are not part of the repository: those of the folder that `TEXEL_CORPORA` names.
public enum Corpora {
    public static var isThere: Bool { TestFolders.corpora != nil }

    /// Returns the files below a subfolder, sorted by path; none if it does not exist.
    ///
    /// - Parameter extensions: the extensions in lower case; empty for all files.
    public static func files(_ folder: String = "", extensions: Set<String> = []) -> [URL] {
        guard let root = TestFolders.corpora else { return [] }
        return TestFolders.files(below: root.appendingPathComponent(folder, isDirectory: true)).filter {
            extensions.isEmpty || extensions.contains($0.pathExtension.lowercased())
        }
    }

    /// Returns the path relative to the corpora, for messages.
    public static func name(of file: URL) -> String {
        guard let root = TestFolders.corpora, file.path.hasPrefix(root.path) else { return file.lastPathComponent }
        return String(file.path.dropFirst(root.path.count).drop { $0 == "/" })
    }

    public static func bytes(_ file: URL) throws -> [UInt8] { Array(try Data(contentsOf: file)) }
}
