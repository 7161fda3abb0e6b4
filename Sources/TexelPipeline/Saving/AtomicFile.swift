package import SystemPackage

/// Writes files that are there whole or not at all: into a temporary file of the same directory, flushed, renamed.
package enum AtomicFile {
    /// - Parameter replacing: whether an existing file may be replaced; its permissions are kept.
    /// - Throws: `alreadyExists`, `cannotCreate`, `cannotWrite`; then nothing was changed.
    package static func write(_ bytes: [UInt8], to path: FilePath, replacing: Bool) throws(FileError) {
        if path.isDeviceOrPipe { return try writeThrough(bytes, to: path) }
        let file = try UnfinishedFile(path, replacing: replacing)
        do {
            try file.descriptor.writeAll(bytes)
        } catch {
            throw .cannotWrite(path, error as? Errno ?? .ioError)
        }
        try file.install()
    }

    /// Removes what an interruption would leave behind.
    package static func removeUnfinished() { UnfinishedFile.removeAll() }

    private static func writeThrough(_ bytes: [UInt8], to path: FilePath) throws(FileError) {
        do {
            let descriptor = try FileDescriptor.open(path, .writeOnly, options: .closeOnExec)
            _ = try descriptor.closeAfter { try descriptor.writeAll(bytes) }
        } catch {
            throw .cannotWrite(path, error as? Errno ?? .ioError)
        }
    }
}
