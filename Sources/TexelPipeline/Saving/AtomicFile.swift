package import SystemPackage

/// Writes files that are there whole or not at all: into a temporary file of the same directory, flushed, renamed.
package enum AtomicFile {
    /// Writes a file that people named: a link is followed, a device or a pipe written into.
    ///
    /// - Parameter replacing: whether an existing file may be replaced; its permissions are kept.
    /// - Throws: `alreadyExists`, `cannotCreate`, `cannotWrite`; then nothing was changed.
    package static func write(_ bytes: [UInt8], to path: FilePath, replacing: Bool) throws(FileError) {
        if path.isDeviceOrPipe { return try writeThrough(bytes, to: path) }
        try write(bytes, to: path, UnfinishedFile(path, replacing: replacing))
    }

    /// Writes a file that Texel gave its name, below a folder that people named: nothing below it is reached through a
    /// link, and a link or a device that has the name is replaced itself.
    ///
    /// - Parameters:
    ///   - makesDirectories: whether those that are missing are made.
    ///   - willAppear: called when all is written and the file is about to get its name.
    /// - Throws: `alreadyExists`, `leavesFolder`, `isLink`, `cannotCreate`, `cannotWrite`; then nothing was changed.
    package static func write(
        _ bytes: [UInt8], to path: FilePath, below root: FilePath, makesDirectories: Bool, replacing: Bool,
        willAppear: () -> Void = {}
    ) throws(FileError) {
        let file = try UnfinishedFile(path, below: root, makesDirectories: makesDirectories, replacing: replacing)
        try write(bytes, to: path, file, willAppear)
    }

    private static func write(
        _ bytes: [UInt8], to path: FilePath, _ file: UnfinishedFile, _ willAppear: () -> Void = {}
    ) throws(FileError) {
        do {
            try file.descriptor.writeAll(bytes)
        } catch {
            throw .cannotWrite(path, error as? Errno ?? .ioError)
        }
        try file.install(willAppear: willAppear)
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
