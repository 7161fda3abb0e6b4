package import SystemPackage
package import TexelCodecs
package import TexelCore

/// Writes files that appear complete or not at all: into a temporary file in the same directory, which is flushed and
/// then renamed.
package enum AtomicFile {
    /// Writes bytes to a place: see ``OutputPlace``.
    ///
    /// - Parameters:
    ///   - root: the folder that the user named, if Texel chose the path; `nil` for a path that the user named.
    ///   - makesDirectories: whether missing directories below `root` are created.
    ///   - replacement: what the file may replace; the attributes of a replaced file are kept.
    ///   - stop: ends the wait for the reader of a pipe.
    ///   - willAppear: called after all bytes are written and before the file gets its name.
    /// - Returns: attributes that could not be kept, such as "owner".
    /// - Throws: an error of `replacement`, `outsideFolder`, `isLink`, `cannotCreate`, `cannotWrite`; no file was
    ///   changed then.
    @discardableResult
    package static func write(
        _ bytes: [UInt8], to path: FilePath, below root: FilePath? = nil, makesDirectories: Bool = true,
        replacing replacement: Replacement, stop: StopToken = StopToken(), willAppear: () -> Void = {}
    ) throws(TexelError) -> [String] {
        let place = OutputPlace(path, below: root, makesDirectories: makesDirectories, replacing: replacement)
        return try write(.memory(bytes), at: place, stop: stop, willAppear: willAppear)
    }

    /// Writes a file. Bytes that are in a file already only get their name.
    ///
    /// - Parameters:
    ///   - times: the file whose access and modification times the new one gets.
    ///   - stop: ends the wait for the reader of a pipe, with the error `canceled`.
    ///   - willAppear: called after all bytes are written and before the file gets its name.
    /// - Returns: attributes that could not be kept, such as "owner".
    /// - Throws: an error of `replacement`, `outsideFolder`, `isLink`, `cannotCreate`, `cannotWrite`; no file was
    ///   changed then.
    package static func write(
        _ content: EncodedBytes, at place: OutputPlace, times: FilePath? = nil, stop: StopToken = StopToken(),
        willAppear: () -> Void = {}
    ) throws(TexelError) -> [String] {
        let file: UnfinishedFile
        if case .file(let written as EncodedFile) = content {
            file = written.file
        } else if place.isDirect {
            try writeThrough(content.inMemory, to: place.path, stop)
            return []
        } else {
            file = try place.begun()
            do {
                try file.descriptor.writeAll(content.inMemory)
            } catch {
                throw .cannotWrite(place.path, error as? Errno ?? .ioError)
            }
        }
        do throws(Errno) {
            if let status = times.flatMap({ FileStatus($0) }) { try file.descriptor.setTimes(of: status) }
        } catch {
            throw .cannotWrite(place.path, error)
        }
        try file.install(willAppear: willAppear)
        return file.lostAttributes
    }

    /// Removes the temporary files and folders that would be left if the process ended now.
    package static func removeUnfinished() {
        HiddenName.removeAll()
    }

    private static func writeThrough(_ bytes: [UInt8], to path: FilePath, _ stop: StopToken) throws(TexelError) {
        do throws(DirectOutput.Failure) {
            try DirectOutput(opening: path, stop: stop).write(bytes)
        } catch {
            throw .cannotWrite(path, error.errno)
        }
    }
}
