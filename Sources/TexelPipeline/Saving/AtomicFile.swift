package import SystemPackage

/// Writes files that are there whole or not at all: into a temporary file of the same directory, flushed, renamed.
package enum AtomicFile {
    /// Writes a file that people named: a link is followed, a device or a pipe written into.
    ///
    /// - Parameters:
    ///   - replacing: whether an existing file may be replaced; the new one gets its attributes.
    ///   - times: whose times the file gets.
    /// - Returns: attributes that could not be kept, such as "owner".
    /// - Throws: `alreadyExists`, `cannotCreate`, `cannotWrite`; then nothing was changed.
    @discardableResult
    package static func write(
        _ bytes: [UInt8], to path: FilePath, replacing: Bool, times: FilePath? = nil
    ) throws(FileError) -> [String] {
        if path.isDeviceOrPipe {
            try writeThrough(bytes, to: path)
            return []
        }
        return try write(bytes, to: path, UnfinishedFile(path, replacing: replacing), times)
    }

    /// Writes a file that Texel gave its name, below a folder that people named: nothing below it is reached through a
    /// link, and a link or a device that has the name is replaced itself.
    ///
    /// - Parameters:
    ///   - makesDirectories: whether those that are missing are made.
    ///   - times: whose times the file gets.
    ///   - willAppear: called when all is written and the file is about to get its name.
    /// - Returns: attributes that could not be kept, such as "owner".
    /// - Throws: `alreadyExists`, `leavesFolder`, `isLink`, `cannotCreate`, `cannotWrite`; then nothing was changed.
    @discardableResult
    package static func write(
        _ bytes: [UInt8], to path: FilePath, below root: FilePath, makesDirectories: Bool, replacing: Bool,
        times: FilePath? = nil, willAppear: () -> Void = {}
    ) throws(FileError) -> [String] {
        let file = try UnfinishedFile(path, below: root, makesDirectories: makesDirectories, replacing: replacing)
        return try write(bytes, to: path, file, times, willAppear)
    }

    private static func write(
        _ bytes: [UInt8], to path: FilePath, _ file: UnfinishedFile, _ times: FilePath?, _ willAppear: () -> Void = {}
    ) throws(FileError) -> [String] {
        do {
            try file.descriptor.writeAll(bytes)
            if let status = times.flatMap({ FileStatus($0) }) { try file.descriptor.setTimes(of: status) }
        } catch {
            throw .cannotWrite(path, error as? Errno ?? .ioError)
        }
        try file.install(willAppear: willAppear)
        return file.lostAttributes
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
