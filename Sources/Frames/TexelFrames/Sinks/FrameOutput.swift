import Synchronization
import SystemPackage
import TexelCodecs
import TexelCore
import TexelPipeline

/// Writes the frames of a stream to a file, pipe or device.
final class FrameOutput: Sendable {
    private let output: DirectOutput
    /// The path for error messages; `nil` for standard output and descriptors.
    private let path: FilePath?
    private let file: UnfinishedFile?
    private let framesWritten = Atomic(0)

    /// Opens the destination. Opening a named pipe waits until it has a reader.
    ///
    /// - Parameter stop: ends the wait for the reader of a pipe.
    /// - Throws: `alreadyExists`, `cannotCreate`, `cannotWrite`, `stopped`.
    init(_ destination: FrameDestination, stop: StopToken) throws(TexelError) {
        switch destination {
        case .standardOutput:
            output = DirectOutput(.standardOutput, stop: stop)
            (path, file) = (nil, nil)
        case .descriptor(let given):
            output = DirectOutput(given, stop: stop)
            (path, file) = (nil, nil)
        case .file(let named, let replaces):
            if named.isDirectory { throw .cannotCreate(named, .isDirectory) }
            path = named
            if named.isDeviceOrPipe {
                do throws(DirectOutput.Failure) {
                    output = try DirectOutput(opening: named, stop: stop)
                } catch {
                    guard case .system(let errno) = error else { throw .stopped(.cancelled) }
                    throw .cannotWrite(named, errno)
                }
                file = nil
            } else {
                let unfinished = try UnfinishedFile(named, replacing: Replacement(overwrites: replaces))
                output = DirectOutput(unfinished.descriptor, stop: stop)
                file = unfinished
            }
        }
        output.enlargePipe()
    }

    /// Writes all bytes of a frame. Only one thread at a time may call it.
    ///
    /// - Throws: `outputClosed`, `cannotWrite`, `cannotWrite`, `stopped`.
    func write(frame bytes: UnsafeRawBufferPointer) throws(TexelError) {
        try write(bytes)
        framesWritten.add(1, ordering: .relaxed)
    }

    func write(frame bytes: [UInt8]) throws(TexelError) {
        try bytes.span.withUnsafeBytes { (bytes) throws(TexelError) in try write(frame: bytes) }
    }

    /// Writes bytes that do not count as a frame, such as a header.
    func write(_ bytes: [UInt8]) throws(TexelError) {
        try bytes.span.withUnsafeBytes { (bytes) throws(TexelError) in try write(bytes) }
    }

    private func write(_ bytes: UnsafeRawBufferPointer) throws(TexelError) {
        do throws(DirectOutput.Failure) {
            try output.write(bytes)
        } catch {
            switch error {
            case .stopped: throw .stopped(.cancelled)
            case .system(.brokenPipe): throw .outputClosed(framesWritten: framesWritten.load(ordering: .relaxed))
            case .system(let errno): throw path.map { .cannotWrite($0, errno) } ?? .cannotWrite(errno)
            }
        }
    }

    /// Moves a finished file to its final name.
    func finish() throws(TexelError) {
        try file?.install()
    }
}
