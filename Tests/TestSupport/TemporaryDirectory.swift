import Foundation

/// A fresh directory that is removed with everything in it when nobody holds it any more.
public final class TemporaryDirectory: Sendable {
    public let path: String

    public init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("texel-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The absolute path of something in it.
    public func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file, and the directories above it where they are missing.
    @discardableResult
    public func add(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
        let file = self(name)
        let parent = URL(fileURLWithPath: file).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        return file
    }

    public func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: self(name))))
    }

    /// The relative paths of all files below it, hidden ones too, sorted.
    public func files() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: path).filter { name in
            var isDirectory = ObjCBool(false)
            return FileManager.default.fileExists(atPath: self(name), isDirectory: &isDirectory)
                && !isDirectory.boolValue
        }.sorted()
    }

    /// All files with what is in them.
    public func contents() throws -> [String: [UInt8]] {
        var contents: [String: [UInt8]] = [:]
        for name in try files() { contents[name] = try bytes(name) }
        return contents
    }
}
