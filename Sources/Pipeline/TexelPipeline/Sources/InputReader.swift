import PlatformLibc
package import SystemPackage
package import TexelCodecs
package import TexelCore
import TexelFormats
import TexelPixels

/// Reads whole input files, up to a limit.
///
/// Files are opened without blocking, which has no effect on regular files: opening a pipe would otherwise wait for its
/// writer.
package enum InputReader {
    /// Reads a whole file. Blocks until the writers of a pipe have closed it; the first bytes of a pipe or device must
    /// be those of an image.
    ///
    /// - Throws: `missingFile`, `isDirectory`, `cannotRead`, errors of the codec.
    package static func read(
        _ path: FilePath, limit: Int, followsLinks: Bool = true
    ) throws(TexelError) -> InputBytes {
        try withDescriptor(of: path, followsLinks) { descriptor in
            if FileStatus(descriptor)?.isRegular == true { return try read(descriptor, limit: limit) }
            return try readStream(descriptor, limit: limit)
        }
    }

    /// Reads a whole file that need not be an image.
    ///
    /// - Parameter patience: how long the bytes of a pipe or device may take to arrive.
    /// - Throws: as ``read(_:limit:followsLinks:)``, and `timedOut`.
    package static func read(
        _ path: FilePath, limit: Int, within patience: Duration
    ) throws(TexelError) -> InputBytes {
        try withDescriptor(of: path, true) { descriptor in
            if FileStatus(descriptor)?.isRegular == true { return try read(descriptor, limit: limit) }
            let bytes = try ArrivingBytes(expectedCount: nil, limit: limit)
            try read(descriptor, into: bytes, stop: StopToken(timeout: patience))
            bytes.finish()
            return InputBytes(bytes)
        }
    }

    /// Maps a file, or reads it if it cannot be mapped. A later error of the mapping is that of ``MappedFile``.
    ///
    /// - Throws: as ``read(_:limit:followsLinks:)``.
    static func mapped(_ path: FilePath, limit: Int, followsLinks: Bool) throws(TexelError) -> InputBytes {
        try withDescriptor(of: path, followsLinks) { descriptor in
            guard let status = FileStatus(descriptor), status.isRegular, (1...limit).contains(status.byteCount),
                let file = MappedFile(descriptor, byteCount: status.byteCount, path: path)
            else { return try read(descriptor, limit: limit) }
            return InputBytes(mapping: file, at: file.base, count: status.byteCount)
        }
    }

    private static func withDescriptor<Value>(
        of path: FilePath, _ followsLinks: Bool, _ body: (FileDescriptor) throws -> Value
    ) throws(TexelError) -> Value {
        do {
            let descriptor = try open(path, followsLinks: followsLinks)
            return try descriptor.closeAfter { try body(descriptor) }
        } catch let error as TexelError {
            throw error
        } catch Errno.isDirectory {
            throw .isDirectory(path)
        } catch {
            throw .unreadable(path, error as? Errno ?? .ioError)
        }
    }

    private static func open(_ path: FilePath, followsLinks: Bool) throws -> FileDescriptor {
        var options: FileDescriptor.OpenOptions = [.closeOnExec, .nonBlocking]
        if !followsLinks { options.insert(.noFollow) }
        return try FileDescriptor.open(path, .readOnly, options: options)
    }

    private static func read(_ descriptor: FileDescriptor, limit: Int) throws -> InputBytes {
        // One more byte than the size detects the end. Files that the kernel makes up may have no size.
        var capacity = 64 * 1024
        if let size = try? Int(descriptor.seek(offset: 0, from: .end)) {
            guard size <= limit else { throw TexelError.limitExceeded(.inputBytes, value: size, allowed: limit) }
            try descriptor.seek(offset: 0, from: .start)
            capacity = size + 1
        }
        var reader = try GrowingBuffer(capacity: capacity)
        while true {
            let room = try reader.room()
            // One more byte than allowed shows that there are too many.
            let part = room.prefix(min(room.count - 1, limit - reader.count) + 1)
            let count = try descriptor.read(into: UnsafeMutableRawBufferPointer(rebasing: part))
            if count == 0 { break }
            reader.count += count
            guard reader.count <= limit else {
                throw TexelError.limitExceeded(.inputBytes, value: reader.count, allowed: limit)
            }
        }
        return reader.bytes
    }

    // MARK: Beginnings

    /// Reads the first bytes of a file, enough to identify its format. Returns an empty array if the file cannot be
    /// read, or if reading would consume the bytes, as with a pipe.
    package static func head(of path: FilePath, followsLinks: Bool = true) -> [UInt8] {
        (try? readHead(of: path, followsLinks: followsLinks)) ?? []
    }

    /// Reads the first bytes of a regular file, enough to identify its format.
    ///
    /// - Returns: an empty array for anything else, such as a pipe, whose bytes can be read only once.
    /// - Throws: `missing`, `cannotRead`.
    package static func readHead(of path: FilePath, followsLinks: Bool = true) throws(TexelError) -> [UInt8] {
        do {
            guard let status = FileStatus(path, followsLinks: followsLinks) else { throw Errno.current }
            // Not even opened: a pipe's writer would see that its reader is gone.
            guard status.isRegular else { return [] }
            let descriptor = try open(path, followsLinks: followsLinks)
            return try descriptor.closeAfter {
                try [UInt8](unsafeUninitializedCapacity: CodecRegistry.headSize) { buffer, count in
                    count = try descriptor.read(into: UnsafeMutableRawBufferPointer(buffer))
                }
            }
        } catch {
            throw TexelError(path, unreadable: error as? Errno ?? .ioError)
        }
    }

    /// Reads the first `count` bytes of a regular file that has more, and its size. Returns `nil` for all other files.
    package static func beginning(
        of path: FilePath, count: Int, followsLinks: Bool = true
    ) -> (bytes: InputBytes, fileSize: Int)? {
        guard FileStatus(path, followsLinks: followsLinks)?.isRegular == true,
            let descriptor = try? open(path, followsLinks: followsLinks)
        else { return nil }
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

    /// Asks the system to read a regular file into its cache, without waiting for it.
    package static func readAhead(_ path: FilePath) {
        #if os(Linux)
            guard path.isRegularFile, let descriptor = try? open(path, followsLinks: true) else { return }
            // A failure means only that the file is read later.
            _ = posix_fadvise(descriptor.rawValue, 0, 64 << 20, POSIX_FADV_WILLNEED)
            try? descriptor.close()
        #endif
    }

    // MARK: Streams

    /// Reads standard input until its end; blocks until then. Its first bytes must be those of an image.
    ///
    /// - Throws: `cannotRead`, errors of the codec.
    package static func readStandardInput(limit: Int) throws(TexelError) -> InputBytes {
        try withStandardInput { try readStream($0, limit: limit) }
    }

    /// Reads standard input until its end.
    ///
    /// - Throws: `cannotRead`, `limitExceeded`, `stopped`.
    static func readStandardInput(into bytes: ArrivingBytes, stop: StopToken) throws(TexelError) {
        try withStandardInput { try read($0, into: bytes, stop: stop) }
    }

    private static func withStandardInput<Value>(
        _ body: (FileDescriptor) throws -> Value
    ) throws(TexelError) -> Value {
        do {
            return try body(.standardInput)
        } catch let error as TexelError {
            throw error
        } catch {
            throw .cannotRead("-", error as? Errno ?? .ioError)
        }
    }

    /// The number of bytes that follow in standard input, if it is a regular file.
    static var standardInputCount: Int? {
        guard let status = FileStatus(.standardInput), status.isRegular,
            let position = try? FileDescriptor.standardInput.seek(offset: 0, from: .current)
        else { return nil }
        return max(0, status.byteCount - Int(position))
    }

    /// Reads from a pipe or a device until its last writer closes it.
    ///
    /// - Throws: as ``read(_:limit:followsLinks:)``, and `stopped`.
    static func read(_ path: FilePath, into bytes: ArrivingBytes, followsLinks: Bool, stop: StopToken)
        throws(TexelError)
    {
        try withDescriptor(of: path, followsLinks) { try read($0, into: bytes, stop: stop) }
    }

    private static func readStream(_ descriptor: FileDescriptor, limit: Int) throws -> InputBytes {
        let bytes = try ArrivingBytes(expectedCount: nil, limit: limit, headCheck: .isImage)
        try read(descriptor, into: bytes, stop: StopToken())
        bytes.finish()
        return InputBytes(bytes)
    }

    private static func read(_ descriptor: FileDescriptor, into bytes: ArrivingBytes, stop: StopToken) throws {
        try withUnsafeTemporaryAllocation(byteCount: 64 * 1024, alignment: 1) { buffer in
            while true {
                // Until the first writer opens the pipe, `poll` reports nothing, but a read would report the end.
                while !descriptor.isReadable(within: 40) { try stop.check() }
                try stop.check()
                do {
                    let count = try descriptor.read(into: buffer)
                    if count == 0 { return }
                    try bytes.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                } catch Errno.resourceTemporarilyUnavailable {
                    // Another reader took the bytes.
                }
            }
        }
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

    init(capacity: Int) throws(TexelError) { memory = try Self.memory(capacity) }

    private static func memory(_ byteCount: Int) throws(TexelError) -> LargeMemory {
        guard let memory = LargeMemory(byteCount: byteCount) else { throw .outOfMemory }
        return memory
    }

    /// The unused part of the buffer; never empty.
    mutating func room() throws(TexelError) -> UnsafeMutableRawBufferPointer {
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
