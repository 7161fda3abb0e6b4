package import SystemPackage
package import TexelCodecs
import TexelPixels

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Reads whole input files, within a limit.
package enum InputReader {
    /// - Throws: `file(.missing)`, `file(.isDirectory)`, `file(.cannotRead)`, `codec(.limitExceeded)`.
    package static func read(
        _ path: FilePath, limit: Int, followsLinks: Bool = true
    ) throws(PipelineError) -> InputBytes {
        do {
            let options: FileDescriptor.OpenOptions = followsLinks ? .closeOnExec : [.closeOnExec, .noFollow]
            let descriptor = try FileDescriptor.open(path, .readOnly, options: options)
            return try descriptor.closeAfter { try read(descriptor, limit: limit) }
        } catch let error as CodecError {
            throw .codec(error)
        } catch Errno.isDirectory {
            throw .file(.isDirectory(path))
        } catch {
            throw .unreadable(path, error as? Errno ?? .ioError)
        }
    }

    /// Everything that standard input holds.
    package static func readStandardInput(limit: Int) throws(PipelineError) -> InputBytes {
        do {
            return try read(.standardInput, limit: limit)
        } catch let error as CodecError {
            throw .codec(error)
        } catch {
            throw .file(.cannotRead("-", error as? Errno ?? .ioError))
        }
    }

    /// The first bytes of a file, enough to tell its format; empty where it cannot be read, and where reading would
    /// take the bytes away, as from a pipe.
    package static func head(of path: FilePath) -> [UInt8] { (try? readHead(of: path)) ?? [] }

    /// Reads the first bytes of a regular file, enough to tell its format.
    ///
    /// - Returns: an empty array for anything else, such as a pipe, whose bytes could be read once only.
    /// - Throws: `missing`, `cannotRead`.
    static func readHead(of path: FilePath) throws(FileError) -> [UInt8] {
        do {
            guard let status = FileStatus(path) else { throw Errno.current }
            guard status.isRegular else { return [] }
            let descriptor = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
            return try descriptor.closeAfter {
                try [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
                    count = try descriptor.read(into: UnsafeMutableRawBufferPointer(buffer))
                }
            }
        } catch {
            throw FileError(path, unreadable: error as? Errno ?? .ioError)
        }
    }

    /// The first `count` bytes of a file that has more, and how many it has; `nil` for all others.
    static func beginning(of path: FilePath, count: Int) -> (bytes: InputBytes, fileSize: Int)? {
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

    /// Reads what a pipe or a device gives, from its first writer to its last one.
    ///
    /// - Throws: as above, `codec(.stopped)`.
    static func read(_ path: FilePath, into bytes: ArrivingBytes, followsLinks: Bool, stop: StopToken)
        throws(PipelineError)
    {
        do {
            // Without waiting for a writer, which would not end with `stop`.
            var options: FileDescriptor.OpenOptions = [.closeOnExec, .nonBlocking]
            if !followsLinks { options.insert(.noFollow) }
            let descriptor = try FileDescriptor.open(path, .readOnly, options: options)
            defer { try? descriptor.close() }
            try withUnsafeTemporaryAllocation(byteCount: 64 * 1024, alignment: 1) { buffer in
                while true {
                    // As long as nobody has written, a pipe is not ready, although a read would tell the end.
                    while !descriptor.isReadable(within: 40) {
                        if let reason = stop.reason { throw CodecError.stopped(reason) }
                    }
                    if let reason = stop.reason { throw CodecError.stopped(reason) }
                    do {
                        let count = try descriptor.read(into: buffer)
                        if count == 0 { return }
                        try bytes.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                    } catch Errno.resourceTemporarilyUnavailable {
                        // Another reader was faster.
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
        // A regular file tells its size, and one byte more proves the end; a pipe does not.
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
    /// Waits until a read would not: there are bytes, the end, or an error.
    fileprivate func isReadable(within milliseconds: Int32) -> Bool {
        var question = pollfd(fd: rawValue, events: Int16(POLLIN), revents: 0)
        return poll(&question, 1, milliseconds) > 0
    }
}

/// Memory that doubles when it is full.
private struct GrowingBuffer {
    private var memory: LargeMemory
    var count = 0

    init(capacity: Int) throws(CodecError) { memory = try Self.memory(capacity) }

    private static func memory(_ byteCount: Int) throws(CodecError) -> LargeMemory {
        guard let memory = LargeMemory(byteCount: byteCount) else { throw .outOfMemory }
        return memory
    }

    /// Room behind what was written; never empty.
    mutating func room() throws(CodecError) -> UnsafeMutableRawBufferPointer {
        if count == memory.byteCount {
            let larger = try Self.memory(memory.byteCount * 2)
            larger.base.copyMemory(from: memory.base, byteCount: count)
            memory = larger
        }
        return UnsafeMutableRawBufferPointer(start: memory.base + count, count: memory.byteCount - count)
    }

    /// What was written.
    var bytes: InputBytes { InputBytes(adopting: memory, count: count) }
}
