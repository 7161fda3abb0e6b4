package import SystemPackage
package import TexelCodecs

/// Reads whole input files, within a limit.
package enum InputReader {
    /// - Throws: `file(.missing)`, `file(.isDirectory)`, `file(.cannotRead)`, `codec(.limitExceeded)`.
    package static func read(_ path: FilePath, limit: Int) throws(PipelineError) -> InputBytes {
        do {
            let descriptor = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
            return try descriptor.closeAfter { try read(descriptor, limit: limit) }
        } catch let error as CodecError {
            throw .codec(error)
        } catch Errno.noSuchFileOrDirectory {
            throw .file(.missing(path))
        } catch Errno.isDirectory {
            throw .file(.isDirectory(path))
        } catch {
            throw .file(.cannotRead(path, error as? Errno ?? .ioError))
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
    package static func head(of path: FilePath) -> [UInt8] {
        guard FileStatus(path)?.isRegular ?? false,
            let descriptor = try? FileDescriptor.open(path, .readOnly, options: .closeOnExec)
        else { return [] }
        defer { try? descriptor.close() }
        let head = try? [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
            count = try descriptor.read(into: UnsafeMutableRawBufferPointer(buffer))
        }
        return head ?? []
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
        let reader = GrowingBuffer(capacity: count)
        while reader.count < count {
            guard let read = try? descriptor.read(into: reader.free), read > 0 else { return nil }
            reader.count += read
        }
        return (InputBytes(adopting: reader.finished()), size)
    }

    private static func read(_ descriptor: FileDescriptor, limit: Int) throws -> InputBytes {
        // A regular file tells its size, and one byte more proves the end; a pipe does not.
        var capacity = 64 * 1024
        if let size = try? Int(descriptor.seek(offset: 0, from: .end)) {
            guard size <= limit else { throw CodecError.limitExceeded(.inputBytes, value: size, allowed: limit) }
            try descriptor.seek(offset: 0, from: .start)
            capacity = size + 1
        }
        let reader = GrowingBuffer(capacity: capacity)
        while true {
            let count = try descriptor.read(into: reader.free)
            if count == 0 { break }
            reader.count += count
            guard reader.count <= limit else {
                throw CodecError.limitExceeded(.inputBytes, value: reader.count, allowed: limit)
            }
        }
        return InputBytes(adopting: reader.finished())
    }
}

/// Memory that doubles when it is full.
private final class GrowingBuffer {
    private var storage: UnsafeMutableRawBufferPointer
    var count = 0

    init(capacity: Int) { storage = .allocate(byteCount: capacity, alignment: 16) }

    /// Room behind what was written; never empty.
    var free: UnsafeMutableRawBufferPointer {
        if count == storage.count {
            let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: storage.count * 2, alignment: 16)
            larger.copyMemory(from: UnsafeRawBufferPointer(storage))
            storage.deallocate()
            storage = larger
        }
        return UnsafeMutableRawBufferPointer(rebasing: storage[count...])
    }

    /// What was written; the caller owns it now.
    func finished() -> UnsafeMutableRawBufferPointer {
        defer { storage = UnsafeMutableRawBufferPointer(start: nil, count: 0) }
        return UnsafeMutableRawBufferPointer(rebasing: storage[..<count])
    }

    deinit { storage.deallocate() }
}
