import PlatformLibc
import SystemPackage
import TexelCodecs
import TexelCore

/// A buffered reader of a file, pipe or device.
///
/// Waiting for input ends when the `StopToken` of a call has a reason to stop. Regular files are read by offset, so
/// skipped bytes are not read. Nothing is allocated after initialisation.
struct ByteStream: ~Copyable {
    /// The file; `nil` unless the input is a regular file.
    let file: SampleFile?
    /// How long to wait for input.
    private let stallLimit: Duration?
    let descriptor: FileDescriptor
    /// The bytes `start..<end` were read and not yet consumed.
    private let buffer: UnsafeMutableRawBufferPointer
    private var start = 0
    private var end = 0
    /// The offset in the input of the first byte that is not yet consumed.
    private(set) var position = 0
    /// How many bytes of a file to read at once: few if only short headers between images are looked at.
    var fileReadCount = 4096
    /// The size of the file at the last `fstat`.
    private var fileSize = 0

    /// The maximum number of bytes that can be buffered.
    static let capacity = 64 * 1024

    /// Opens an input.
    ///
    /// - Parameter stallLimit: How long to wait for input from a pipe; `nil` for no limit.
    /// - Throws: errors of the file, `streamFailed`.
    init(_ input: StreamInput, stallLimit: Duration? = nil) throws(TexelError) {
        self.init(owning: try input.open(), stallLimit: stallLimit)
    }

    /// Takes ownership of an open descriptor.
    init(owning descriptor: FileDescriptor, stallLimit: Duration?) {
        self.stallLimit = stallLimit
        self.descriptor = descriptor
        buffer = .allocate(byteCount: Self.capacity, alignment: 16)
        // Redirected standard input starts at the descriptor's current offset.
        if let size = Self.regularFileSize(descriptor) {
            file = SampleFile(descriptor)
            fileSize = size
            position = (try? Int(descriptor.seek(offset: 0, from: .current))) ?? 0
        } else {
            file = nil
            #if os(Linux)
                // A larger pipe buffer saves system calls on both ends; failure is harmless. 1031 is F_SETPIPE_SZ,
                // which glibc declares only with _GNU_SOURCE.
                _ = fcntl(descriptor.rawValue, 1031, 1 << 20)
            #endif
        }
    }

    deinit {
        buffer.deallocate()
        if file == nil { try? descriptor.close() }
    }

    /// The number of bytes read and not yet consumed.
    var bufferedCount: Int { end - start }

    /// Buffers at least `count` bytes, at most ``capacity``; `false` if the input ends before.
    mutating func buffer(_ count: Int, _ stop: StopToken) throws(TexelError) -> Bool {
        precondition(count <= Self.capacity)
        while end - start < count {
            let wanted = file == nil ? Self.capacity : max(count, fileReadCount)
            if start > 0, start + wanted > Self.capacity {
                buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[start..<end]))
                (start, end) = (0, end - start)
            }
            let room = UnsafeMutableRawBufferPointer(rebasing: buffer[end..<min(start + wanted, Self.capacity)])
            let read = try read(into: room, at: position + end - start, stop)
            if read == 0 { return false }
            end += read
        }
        return true
    }

    /// Buffers a line and returns its length without the newline; `nil` if the input ends without one or the line has
    /// more than `limit` bytes.
    mutating func bufferLine(limit: Int, _ stop: StopToken) throws(TexelError) -> Int? {
        var count = 0
        while count <= limit, try buffer(count + 1, stop) {
            while count < bufferedCount, count <= limit {
                if byte(count) == UInt8(ascii: "\n") { return count }
                count += 1
            }
        }
        return nil
    }

    /// The buffered byte at this index.
    func byte(_ index: Int) -> UInt8 {
        precondition(index >= 0 && index < end - start)
        return buffer[start + index]
    }

    /// The index of the first buffered byte with this value.
    func firstIndex(of byte: UInt8) -> Int? {
        guard start < end, let base = buffer.baseAddress else { return nil }
        return memchr(base + start, CInt(byte), end - start).map {
            UnsafeRawPointer($0) - UnsafeRawPointer(base + start)
        }
    }

    /// Whether the buffered bytes begin with `text`.
    func hasPrefix(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        return end - start >= count
            && (0..<count).allSatisfy {
                buffer[start + $0] == UnsafeBufferPointer(start: text.utf8Start, count: count)[$0]
            }
    }

    /// Copies the first buffered bytes.
    func firstBytes(_ count: Int) -> [UInt8] { (0..<count).map { byte($0) } }

    /// Consumes buffered bytes.
    mutating func take(_ count: Int) {
        precondition(count <= end - start)
        start += count
        position += count
        if start == end { (start, end) = (0, 0) }
    }

    /// Fills `bytes` and returns the number of bytes read, which is smaller only at the end of the input.
    mutating func read(into bytes: UnsafeMutableRawBufferPointer, _ stop: StopToken) throws(TexelError) -> Int {
        let ready = min(end - start, bytes.count)
        bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[start..<start + ready]))
        take(ready)
        var done = ready
        while done < bytes.count {
            let read = try read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[done...]), at: position, stop)
            if read == 0 { break }
            done += read
            position += read
        }
        return done
    }

    /// Skips bytes and returns their number, which is smaller than `count` only at the end of the input.
    mutating func skip(_ count: Int, _ stop: StopToken) throws(TexelError) -> Int {
        var done = min(end - start, count)
        take(done)
        if file != nil {
            let there = min(count - done, max(0, bytesLeft(atLeast: count - done)))
            position += there
            return done + there
        }
        while done < count, try buffer(1, stop) {
            let part = min(end - start, count - done)
            take(part)
            done += part
        }
        return done
    }

    /// The number of bytes between ``position`` and the end of the file. Queries the size again if it was too small,
    /// since the file may be growing.
    mutating func bytesLeft(atLeast wanted: Int) -> Int {
        if fileSize - position < wanted { fileSize = Self.regularFileSize(descriptor) ?? 0 }
        return fileSize - position
    }

    /// Reads at least one byte; returns 0 at the end of the input.
    private func read(
        into bytes: UnsafeMutableRawBufferPointer, at position: Int, _ stop: StopToken
    ) throws(TexelError) -> Int {
        while true {
            do {
                if file != nil {
                    if stop.isStopped { throw TexelError.stopped(.cancelled) }
                    return try descriptor.read(fromAbsoluteOffset: Int64(position), into: bytes)
                }
                try wait(stop)
                return try descriptor.read(into: bytes)
            } catch Errno.resourceTemporarilyUnavailable {
                // Another process read the pipe first.
                continue
            } catch {
                throw error as? TexelError ?? .streamFailed((error as? Errno ?? .ioError).rawValue)
            }
        }
    }

    /// Blocks until input or its end is available.
    private func wait(_ stop: StopToken) throws(TexelError) {
        let deadline = stallLimit.map { ContinuousClock.now + $0 }
        let state: (isReady: Bool, isStopped: Bool)
        do { state = try stop.wait(for: descriptor, POLLIN, until: deadline) } catch {
            throw .streamFailed(error.rawValue)
        }
        if state.isStopped { throw .stopped(.cancelled) }
        if !state.isReady, let stallLimit { throw .stalled(stallLimit) }
    }

    /// The size of a regular file; `nil` for any other descriptor.
    private static func regularFileSize(_ descriptor: FileDescriptor) -> Int? {
        var status = stat()
        guard fstat(descriptor.rawValue, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }
}
