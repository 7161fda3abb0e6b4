import Foundation
import PlatformLibc
import Synchronization
import SystemPackage
import TestSupport
import Testing
import TexelCodecs
import TexelCore
import TexelPixels

@testable import TexelPipeline

/// Writing to pipes, sockets and devices.
@Suite struct DirectOutputTests {
    private static let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7 + $0 >> 8) }

    /// Reads to the end on a thread of its own, in small parts.
    private final class Reader: Sendable {
        private let received = Mutex<[UInt8]>([])
        private let thread = Mutex<WorkerThread?>(nil)

        init(_ open: @escaping @Sendable () -> FileDescriptor?) throws {
            let started = try #require(WorkerThread { self.read(open()) })
            thread.withLock { $0 = started }
        }

        private func read(_ descriptor: FileDescriptor?) {
            guard let descriptor else { return }
            var part = [UInt8](repeating: 0, count: 3000)
            while let count = try? part.withUnsafeMutableBytes({ try descriptor.read(into: $0) }), count > 0 {
                received.withLock { $0 += part[..<count] }
            }
            try? descriptor.close()
        }

        /// Waits for the end.
        func bytes() -> [UInt8] {
            thread.withLock { $0.take() }?.join()
            return received.withLock { $0 }
        }
    }

    private func errno(_ body: () throws(DirectOutput.Failure) -> Void) -> Errno? {
        do throws(DirectOutput.Failure) { try body() } catch { return error.errno }
        return nil
    }

    private func errno(
        opening path: FilePath, stop: StopToken = StopToken(), writing bytes: [UInt8] = Self.bytes
    ) -> Errno? {
        errno { () throws(DirectOutput.Failure) in try DirectOutput(opening: path, stop: stop).write(bytes) }
    }

    private func errno(
        of descriptor: FileDescriptor, stop: StopToken = StopToken(), writing bytes: [UInt8] = Self.bytes
    ) -> Errno? {
        errno { () throws(DirectOutput.Failure) in try DirectOutput(descriptor, stop: stop).write(bytes) }
    }

    /// More than fits into a pipe or a socket.
    @Test(arguments: [false, true]) func everythingArrives(isSocket: Bool) throws {
        var ends: [Int32] = [-1, -1]
        try #require((isSocket ? socketpair(AF_UNIX, Self.streamType, 0, &ends) : pipe(&ends)) == 0)
        let (reading, writing) = (FileDescriptor(rawValue: ends[0]), FileDescriptor(rawValue: ends[1]))
        let reader = try Reader { reading }
        #expect(errno(of: writing) == nil)
        // The descriptor is shared with other processes, so it is as before.
        #expect(fcntl(writing.rawValue, F_GETFL) & O_NONBLOCK == 0)
        try writing.close()
        #expect(reader.bytes() == Self.bytes)
    }

    private static var streamType: Int32 {
        #if canImport(Glibc)
            Int32(SOCK_STREAM.rawValue)
        #else
            SOCK_STREAM
        #endif
    }

    @Test func stopsWhileTheReaderDoesNotRead() throws {
        let ends = try FileDescriptor.privatePipe()
        #expect(errno(of: ends.writeEnd, stop: StopToken(timeout: .milliseconds(50))) == .canceled)
        try ends.readEnd.close()
        #expect(errno(of: ends.writeEnd, writing: [1]) == .brokenPipe)
        try ends.writeEnd.close()
    }

    /// A named pipe is opened once it has a reader.
    @Test func waitsForAReader() throws {
        let directory = try TemporaryDirectory()
        let path = FilePath(directory("pipe"))
        try #require(mkfifo(path.string, 0o600) == 0)
        #expect(errno(opening: path, stop: StopToken(timeout: .milliseconds(50))) == .canceled)
        let reader = try Reader { try? FileDescriptor.open(path, .readOnly, options: .closeOnExec) }
        #expect(errno(opening: path) == nil)
        #expect(reader.bytes() == Self.bytes)
    }

    @Test func devicesAndFiles() throws {
        #expect(errno(opening: "/dev/null") == nil)
        #expect(errno(opening: "/dev/full", writing: [1]) == .noSpace)
        // A file has no reader to wait for: what was begun is written after a stop too.
        let directory = try TemporaryDirectory()
        let stop = StopToken()
        stop.cancel()
        let file = try FileDescriptor.open(
            FilePath(directory("a")), .writeOnly, options: .create, permissions: .ownerReadWrite)
        #expect(errno(of: file, stop: stop) == nil)
        try file.close()
        #expect(try directory.bytes("a") == Self.bytes)
    }
}
