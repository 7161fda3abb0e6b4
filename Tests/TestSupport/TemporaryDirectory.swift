import Foundation
import PlatformLibc

/// A new directory that is removed with its contents when the object is released.
public final class TemporaryDirectory: Sendable {
    public let path: String

    public init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("texel-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        guard (try? FileManager.default.removeItem(atPath: path)) == nil else { return }
        // Foundation cannot remove paths that exceed the system's limit.
        _ = try? Program.run("/bin/rm", ["-rf", path])
    }

    /// Returns the absolute path of an entry.
    public func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file, and creates missing parent directories.
    @discardableResult
    public func add(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
        let file = self(name)
        let parent = URL(fileURLWithPath: file).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        return file
    }

    /// Creates a directory that no user can list, not even root: its path is longer than the system allows.
    ///
    /// - Returns: the path relative to this directory; its parent directories can be listed.
    public func addUnreadableDirectory(in name: String) throws -> String {
        let component = String(repeating: "d", count: 250)
        // Paths have at most 4,095 bytes.
        let count = 4096 / (component.utf8.count + 1) + 1
        var descriptor = open(self(name), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        for _ in 0..<count {
            guard descriptor >= 0, mkdirat(descriptor, component, 0o777) == 0 else { throw POSIXError(.EIO) }
            let next = openat(descriptor, component, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            close(descriptor)
            descriptor = next
        }
        close(descriptor)
        var path = name
        while self(path).utf8.count < 4096 { path += "/\(component)" }
        return path
    }

    public func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: self(name))))
    }

    /// Returns the relative paths of all files, including hidden ones, sorted.
    public func files() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: path).filter { name in
            var isDirectory = ObjCBool(false)
            return FileManager.default.fileExists(atPath: self(name), isDirectory: &isDirectory)
                && !isDirectory.boolValue
        }.sorted()
    }

    /// Returns the contents of all files by relative path.
    public func contents() throws -> [String: [UInt8]] {
        var contents: [String: [UInt8]] = [:]
        for name in try files() { contents[name] = try bytes(name) }
        return contents
    }
}
