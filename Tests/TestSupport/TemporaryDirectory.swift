import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A fresh directory that is removed with everything in it when nobody holds it any more.
public final class TemporaryDirectory: Sendable {
    public let path: String

    public init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("texel-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        guard (try? FileManager.default.removeItem(atPath: path)) == nil else { return }
        // Foundation does not remove paths that are too long.
        _ = try? Program.run("/bin/rm", ["-rf", path])
    }

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

    /// Makes a directory that no user can list, not even root: its path is longer than the system allows.
    ///
    /// - Returns: the path, relative to this directory; what lies between can be listed.
    public func addUnreadableDirectory(in name: String) throws -> String {
        let component = String(repeating: "d", count: 250)
        // The longest path has 4095 bytes.
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
