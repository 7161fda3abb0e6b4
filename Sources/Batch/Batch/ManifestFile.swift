import PlatformLibc
import SystemPackage
import TexelCore
import TexelPipeline

/// A manifest's file, opened by one process at a time and only appended to.
final class ManifestFile: Sendable {
    private let descriptor: FileDescriptor

    /// Larger files are not manifests: this is enough for ten million results.
    private static let byteLimit = 4 << 30

    /// Opens or creates the file, and locks it.
    ///
    /// - Throws: `inUse`, `cannotWrite`.
    init(_ path: FilePath) throws(TexelError) { descriptor = try Self.open(path) }

    deinit {
        descriptor.releaseLock()
        try? descriptor.close()
    }

    private static func open(_ path: FilePath) throws(TexelError) -> FileDescriptor {
        do {
            while true {
                let descriptor = try FileDescriptor.open(
                    path, .readWrite, options: [.create, .append, .closeOnExec, .noFollow, .nonBlocking],
                    permissions: [.ownerReadWrite, .groupReadWrite, .otherReadWrite])
                guard descriptor.takeLock() else {
                    try? descriptor.close()
                    throw TexelError.inUse(path)
                }
                // Another process may have replaced or removed the file before it was locked here.
                if let status = FileStatus(descriptor), status.identity == path.identity { return descriptor }
                descriptor.releaseLock()
                try? descriptor.close()
            }
        } catch let error as TexelError {
            throw error
        } catch {
            throw .cannotWriteManifest(path, error as? Errno ?? .ioError)
        }
    }

    /// Whether the file has no name any more.
    var isRemoved: Bool { FileStatus(descriptor)?.nameCount == 0 }

    /// Appends text, in a single `write` if the system writes all of it.
    func append(_ text: String) throws(Errno) {
        do {
            try descriptor.writeAll(text.utf8)
        } catch {
            throw error as? Errno ?? .ioError
        }
    }

    /// Reads a manifest.
    ///
    /// - Returns: an empty array if there is no file.
    /// - Throws: `foreign`, `cannotRead`.
    static func contents(of path: FilePath) throws(TexelError) -> [UInt8] {
        guard let status = FileStatus(path, followsLinks: false) else { return [] }
        guard status.isRegular, status.byteCount <= byteLimit else { throw .foreignManifest(path) }
        do {
            let descriptor = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .noFollow])
            return try descriptor.closeAfter {
                // A file of another kind may be large.
                let beginning = try descriptor.readAll(atMost: min(status.byteCount, ManifestLine.header.utf8.count))
                guard ManifestLine.header.utf8.starts(with: beginning) else { throw TexelError.foreignManifest(path) }
                return beginning + (try descriptor.readAll(atMost: status.byteCount - beginning.count))
            }
        } catch let error as TexelError {
            throw error
        } catch {
            throw .cannotReadManifest(path, error as? Errno ?? .ioError)
        }
    }

    /// Replaces the manifest's contents atomically.
    static func replace(_ path: FilePath, _ text: String) throws(TexelError) {
        do throws(TexelError) {
            try AtomicFile.write(
                Array(text.utf8), to: path, below: path.removingLastComponent(), makesDirectories: false,
                replacing: .anything)
        } catch {
            throw .cannotWriteManifest(path, error.errno ?? .ioError)
        }
    }

    static var workingDirectory: String {
        guard let path = getcwd(nil, 0) else { return "." }
        defer { free(path) }
        return String(cString: path)
    }
}
