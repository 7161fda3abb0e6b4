import PlatformLibc
import Synchronization
import SystemPackage
import TexelPipeline

/// Writes the frames of a stream to a file, pipe or device.
final class FrameOutput: Sendable {
    private let descriptor: FileDescriptor
    private let ownsDescriptor: Bool
    /// The path for error messages; `nil` for standard output and descriptors.
    private let path: FilePath?
    private let file: UnfinishedFile?
    private let framesWritten = Atomic(0)

    /// Opens the destination. Opening a named pipe blocks until it has a reader.
    ///
    /// - Throws: `file(.alreadyExists)`, `file(.cannotCreate)`, `file(.cannotWrite)`.
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
                    unfinished = try UnfinishedFile(named, replacing: Replacement(overwrites: replaces))
                } catch {
                    throw .file(error)
                }
                (descriptor, ownsDescriptor, file) = (unfinished.descriptor, false, unfinished)
            }
        }
        #if os(Linux)
            // A larger pipe buffer saves context switches. Fails harmlessly for other files and above the system's
            // limit. 1031 is F_SETPIPE_SZ, which Swift does not import.
            _ = fcntl(descriptor.rawValue, 1031, 1 << 20)
        #endif
    }

    deinit { if ownsDescriptor { try? descriptor.close() } }

    /// Writes all bytes of a frame. Only one thread at a time may call it.
    ///
    /// - Throws: `outputClosed`, `cannotWrite`, `file(.cannotWrite)`.
    func write(frame bytes: UnsafeRawBufferPointer) throws(FrameError) {
        try write(bytes)
        framesWritten.add(1, ordering: .relaxed)
    }

    func write(frame bytes: [UInt8]) throws(FrameError) {
        try bytes.span.withUnsafeBytes { (bytes) throws(FrameError) in try write(frame: bytes) }
    }

    /// Writes bytes that do not count as a frame, such as a header.
    func write(_ bytes: [UInt8]) throws(FrameError) {
        try bytes.span.withUnsafeBytes { (bytes) throws(FrameError) in try write(bytes) }
    }

    private func write(_ bytes: UnsafeRawBufferPointer) throws(FrameError) {
        do throws(Errno) {
            try BrokenPipeSignal.held { () throws(Errno) in try writeAll(bytes) }
        } catch .brokenPipe {
            throw .outputClosed(framesWritten: framesWritten.load(ordering: .relaxed))
        } catch {
            throw path.map { .file(.cannotWrite($0, error)) } ?? .cannotWrite(error)
        }
    }

    /// Moves a finished file to its final name.
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
                // The descriptor was set to non-blocking elsewhere.
                var request = pollfd(fd: descriptor.rawValue, events: Int16(POLLOUT), revents: 0)
                _ = poll(&request, 1, -1)
            case let error: throw error
            }
        }
    }
}

/// Calls the system's `write`, which the methods above shadow.
private func systemWrite(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}
