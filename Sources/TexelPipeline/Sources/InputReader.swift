import PlatformLibc
package import SystemPackage
package import TexelCodecs
import TexelPixels

/// Reads whole input files, up to a limit.
package enum InputReader {
    /// Reads a whole file.
    ///
    /// - Throws: `file(.missing)`, `file(.isDirectory)`, `file(.cannotRead)`, `codec(.limitExceeded)`.
    package static func read(
        _ path: FilePath, limit: Int, followsLinks: Bool = true
    ) throws(PipelineError) -> InputBytes {
        try withDescriptor(of: path, followsLinks) { try read($0, limit: limit) }
    }

    /// Maps a file, or reads it if it cannot be mapped. A later error of the mapping is that of ``MappedFile``.
    ///
    /// - Throws: as ``read(_:limit:followsLinks:)``.
    static func mapped(_ path: FilePath, limit: Int, followsLinks: Bool) throws(PipelineError) -> InputBytes {
        try withDescriptor(of: path, followsLinks) { descriptor in
            guard let status = FileStatus(descriptor), status.isRegular, (1...limit).contains(status.byteCount),
                let file = MappedFile(descriptor, byteCount: status.byteCount, path: path)
            else { return try read(descriptor, limit: limit) }
            return InputBytes(mapping: file, at: file.base, count: status.byteCount)
        }
    }

    private static func withDescriptor(
        of path: FilePath, _ followsLinks: Bool, _ body: (FileDescriptor) throws -> InputBytes
    ) throws(PipelineError) -> InputBytes {
        do {
            let options: FileDescriptor.OpenOptions = followsLinks ? .closeOnExec : [.closeOnExec, .noFollow]
            let descriptor = try FileDescriptor.open(path, .readOnly, options: options)
            return try descriptor.closeAfter { try body(descriptor) }
        } catch let error as CodecError {
            throw .codec(error)
        } catch Errno.isDirectory {
            throw .file(.isDirectory(path))
        } catch {
            throw .unreadable(path, error as? Errno ?? .ioError)
        }
    }

    /// Reads standard input until its end.
    ///
    /// - Throws: `file(.cannotRead)`, `codec(.limitExceeded)`.
    package static func readStandardInput(limit: Int) throws(PipelineError) -> InputBytes {
        do {
            return try read(.standardInput, limit: limit)
        } catch let error as CodecError {
            throw .codec(error)
        } catch {
            throw .file(.cannotRead("-", error as? Errno ?? .ioError))
        }
    }

    /// Reads the first bytes of a file, enough to identify its format. Returns an empty array if the file cannot be
    /// read, or if reading would consume the bytes, as with a pipe.
    package static func head(of path: FilePath) -> [UInt8] { (try? readHead(of: path)) ?? [] }

    /// Reads the first bytes of a regular file, enough to identify its format.
    ///
    /// - Returns: an empty array for anything else, such as a pipe, whose bytes can be read only once.
    /// - Throws: `missing`, `cannotRead`.
    package static func readHead(of path: FilePath) throws(FileError) -> [UInt8] {
        do {
            guard let status = FileStatus(path) else { throw Errno.current }
            guard status.isRegular else { return [] }
            let descriptor = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
            return try descriptor.closeAfter {
                try [UInt8](unsafeUninitializedCapacity: CodecRegistry.headSize) { buffer, count in
                    count = try descriptor.read(into: UnsafeMutableRawBufferPointer(buffer))
                }
            }
        } catch {
            throw FileError(path, unreadable: error as? Errno ?? .ioError)
        }
    }

    /// Reads the first `count` bytes of a seekable file that has more, and its size. Returns `nil` for all other
    /// files.
    package static func beginning(of path: FilePath, count: Int) -> (bytes: InputBytes, fileSize: Int)? {
        guard let descriptor = try? FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking]) else {
            return nil
        }
        defer { try? descriptor.close() }
        guard let size = try? Int(descriptor.seek(offset: 0, from: .end)), size > count,
            (try? descriptor.seek(offset: 0, from: .start)) != nil
        else { return nil }
        guard var reader = try? GrowingBuffer(capacity: count) else { return nil }
        while reader.count < count {
            guard let room = try? reader.room(),
                let read = try? descriptor.read(
                    into: UnsafeMutableRawBufferPointer(rebasing: room.prefix(count - reader.count))),
                read > 0
            else { return nil }
            reader.count += read
        }
        return (reader.bytes, size)
    }

    /// Asks the system to read a file into its cache, without waiting for it.
    package static func readAhead(_ path: FilePath) {
        #if os(Linux)
            guard let descriptor = try? FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
            else { return }
            // A failure means only that the file is read later.
            _ = posix_fadvise(descriptor.rawValue, 0, 64 << 20, POSIX_FADV_WILLNEED)
            try? descriptor.close()
        #endif
    }

    /// Reads from a pipe or a device until its last writer closes it.
    ///
    /// - Throws: as ``read(_:limit:followsLinks:)``, and `codec(.stopped)`.
    static func read(_ path: FilePath, into bytes: ArrivingBytes, followsLinks: Bool, stop: StopToken)
        throws(PipelineError)
    {
        do {
            // Non-blocking, because waiting for a writer in `open` could not be stopped.
            var options: FileDescriptor.OpenOptions = [.closeOnExec, .nonBlocking]
            if !followsLinks { options.insert(.noFollow) }
            let descriptor = try FileDescriptor.open(path, .readOnly, options: options)
            defer { try? descriptor.close() }
            try withUnsafeTemporaryAllocation(byteCount: 64 * 1024, alignment: 1) { buffer in
                while true {
                    // Until the first writer opens the pipe, `poll` reports nothing, but a read would report the end.
                    while !descriptor.isReadable(within: 40) {
                        if let reason = stop.reason { throw CodecError.stopped(reason) }
                    }
                    if let reason = stop.reason { throw CodecError.stopped(reason) }
                    do {
                        let count = try descriptor.read(into: buffer)
                        if count == 0 { return }
                        try bytes.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                    } catch Errno.resourceTemporarilyUnavailable {
                        // Another reader took the bytes.
                    }
                }
            }
        } catch let error as CodecError {
            throw .codec(error)
        } catch {
            throw .file(.cannotRead(path, error as? Errno ?? .ioError))
        }
    }

    private static func read(_ descriptor: FileDescriptor, limit: Int) throws -> InputBytes {
        // For a regular file the size is known, and one more byte detects the end; a pipe has no size.
        var capacity = 64 * 1024
        if let size = try? Int(descriptor.seek(offset: 0, from: .end)) {
            guard size <= limit else { throw CodecError.limitExceeded(.inputBytes, value: size, allowed: limit) }
            try descriptor.seek(offset: 0, from: .start)
            capacity = size + 1
        }
        var reader = try GrowingBuffer(capacity: capacity)
        while true {
            let count = try descriptor.read(into: reader.room())
            if count == 0 { break }
            reader.count += count
            guard reader.count <= limit else {
                throw CodecError.limitExceeded(.inputBytes, value: reader.count, allowed: limit)
            }
        }
        return reader.bytes
    }
}

extension FileDescriptor {
    /// Waits until a read would not block, because there are bytes, the end or an error. Returns `false` after the
    /// timeout.
    fileprivate func isReadable(within milliseconds: Int32) -> Bool {
        var question = pollfd(fd: rawValue, events: Int16(POLLIN), revents: 0)
        return poll(&question, 1, milliseconds) > 0
    }
}

/// A buffer that doubles its size when it is full.
private struct GrowingBuffer {
    private var memory: LargeMemory
    var count = 0

    init(capacity: Int) throws(CodecError) { memory = try Self.memory(capacity) }

    private static func memory(_ byteCount: Int) throws(CodecError) -> LargeMemory {
        guard let memory = LargeMemory(byteCount: byteCount) else { throw .outOfMemory }
        return memory
    }

    /// The unused part of the buffer; never empty.
    mutating func room() throws(CodecError) -> UnsafeMutableRawBufferPointer {
        if count == memory.byteCount {
            let larger = try Self.memory(memory.byteCount * 2)
            larger.base.copyMemory(from: memory.base, byteCount: count)
            memory = larger
        }
        return UnsafeMutableRawBufferPointer(start: memory.base + count, count: memory.byteCount - count)
    }

    /// The bytes written so far.
    var bytes: InputBytes { InputBytes(adopting: memory, count: count) }
}
