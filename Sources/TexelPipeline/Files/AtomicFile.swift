package import SystemPackage

/// Writes files that appear complete or not at all: into a temporary file in the same directory, which is flushed and
/// then renamed.
package enum AtomicFile {
    /// Writes a file that the user named: symbolic links are followed, devices and pipes are written to directly.
    ///
    /// - Parameters:
    ///   - replacing: whether an existing file may be replaced; its attributes are kept.
    ///   - times: the file whose access and modification times the new one gets.
    /// - Returns: attributes that could not be kept, such as "owner".
    /// - Throws: `alreadyExists`, `cannotCreate`, `cannotWrite`; no file was changed then.
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

    /// Writes a file whose name Texel chose, below a folder that the user named: no symbolic link below that folder
    /// is followed, and a link or a device with the file's name is itself replaced.
    ///
    /// - Parameters:
    ///   - root: the folder that the user named.
    ///   - makesDirectories: whether missing directories are created.
    ///   - replacing: whether an existing file may be replaced; its attributes are kept.
    ///   - times: the file whose access and modification times the new one gets.
    ///   - willAppear: called after all bytes are written and before the file gets its name.
    /// - Returns: attributes that could not be kept, such as "owner".
    /// - Throws: `alreadyExists`, `outsideFolder`, `isLink`, `cannotCreate`, `cannotWrite`; no file was changed then.
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

    /// Removes the temporary files and folders that would be left if the process ended now.
    package static func removeUnfinished() {
        UnfinishedFile.removeAll()
        UnfinishedFolder.removeAll()
    }

    private static func writeThrough(_ bytes: [UInt8], to path: FilePath) throws(FileError) {
        do {
            let descriptor = try FileDescriptor.open(path, .writeOnly, options: .closeOnExec)
            _ = try descriptor.closeAfter { try descriptor.writeAll(bytes) }
        } catch {
            throw .cannotWrite(path, error as? Errno ?? .ioError)
        }
    }
}
