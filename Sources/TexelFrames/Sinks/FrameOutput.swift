import Synchronization
import SystemPackage
import TexelPipeline

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The bytes of a stream on their way to a file, a pipe or a device: whole frames, one after another.
final class FrameOutput: Sendable {
    private let descriptor: FileDescriptor
    private let ownsDescriptor: Bool
    /// For errors; `nil` where the bytes go to whoever reads them.
    private let path: FilePath?
    private let file: UnfinishedFile?
    private let framesWritten = Atomic(0)

    /// Opens the destination; the named pipe waits for its reader here.
    ///
    /// - Throws: `file(.alreadyExists)`, `file(.cannotCreate)`, `file(.isDirectory)`.
    init(_ destination: FrameDestination) throws(FrameError) {
        switch destination {
        case .standardOutput:
            (descriptor, ownsDescriptor, path, file) = (.standardOutput, false, nil, nil)
        case .descriptor(let given):
            (descriptor, ownsDescriptor, path, file) = (given, false, nil, nil)
        case .file(let named, let replaces):
            if named.isDirectory { throw .file(.cannotCreate(named, .isDirectory)) }
            path = named
            if named.isDeviceOrPipe {
                do {
                    descriptor = try FileDescriptor.open(named, .writeOnly, options: .closeOnExec)
                } catch {
                    throw .file(.cannotWrite(named, error as? Errno ?? .ioError))
                }
                ownsDescriptor = true
                file = nil
            } else {
                let unfinished: UnfinishedFile
                do throws(FileError) {
                    unfinished = try UnfinishedFile(named, replacing: replaces)
                } catch {
                    throw .file(error)
                }
                (descriptor, ownsDescriptor, file) = (unfinished.descriptor, false, unfinished)
            }
        }
        #if os(Linux)
            // Fewer changes between the two programs. Fails where it is no pipe, or where the system's limit is lower.
            // F_SETPIPE_SZ, which Swift does not see.
            _ = fcntl(descriptor.rawValue, 1031, 1 << 20)
        #endif
    }

    deinit { if ownsDescriptor { try? descriptor.close() } }

    /// Writes all bytes of a frame; one thread at a time.
    ///
    /// - Throws: `readerLeft`, `cannotWrite`, `file(.cannotWrite)`.
    func write(frame bytes: UnsafeRawBufferPointer) throws(FrameError) {
        try write(bytes)
        framesWritten.add(1, ordering: .relaxed)
    }

    func write(frame bytes: [UInt8]) throws(FrameError) {
        try bytes.span.withUnsafeBytes { (bytes) throws(FrameError) in try write(frame: bytes) }
    }

    /// Writes bytes that are no frame of their own.
    func write(_ bytes: [UInt8]) throws(FrameError) {
        try bytes.span.withUnsafeBytes { (bytes) throws(FrameError) in try write(bytes) }
    }

    private func write(_ bytes: UnsafeRawBufferPointer) throws(FrameError) {
        do throws(Errno) {
            try BrokenPipeSignal.held { () throws(Errno) in try writeAll(bytes) }
        } catch .brokenPipe {
            throw .readerLeft(framesWritten: framesWritten.load(ordering: .relaxed))
        } catch {
            throw path.map { .file(.cannotWrite($0, error)) } ?? .cannotWrite(error)
        }
    }

    /// The file takes its place.
    func finish() throws(FrameError) {
        do throws(FileError) { try file?.install() } catch { throw .file(error) }
    }

    private func writeAll(_ bytes: UnsafeRawBufferPointer) throws(Errno) {
        var rest = bytes
        while !rest.isEmpty {
            let count = systemWrite(descriptor.rawValue, rest)
            if count >= 0 {
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
                continue
            }
            switch Errno(rawValue: errno) {
            case .interrupted: continue
            case .resourceTemporarilyUnavailable, .wouldBlock:
                // Somebody made the descriptor one that does not wait.
                var request = pollfd(fd: descriptor.rawValue, events: Int16(POLLOUT), revents: 0)
                _ = poll(&request, 1, -1)
            case let error: throw error
            }
        }
    }
}

/// The system's call under a name of its own: `write` is a method here.
private func systemWrite(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}
