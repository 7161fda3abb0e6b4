import Foundation
import SystemPackage
import TestSupport
import Testing
import TexelCodecs

import TexelCore
@testable import TexelFrames

@Suite("Byte stream", .timeLimit(.minutes(30)))
struct ByteStreamTests {
    private let directory: TemporaryDirectory
    init() throws { directory = try TemporaryDirectory() }

    /// The same bytes as a file and as a pipe.
    private func inputs(_ bytes: [UInt8]) throws -> [(StreamInput, FedPipe?)] {
        let pipe = try FedPipe(bytes)
        return [(.file(FilePath(try directory.add("bytes", bytes))), nil), (pipe.input, pipe)]
    }

    @Test("Looking, taking, skipping and reading give every byte once, in order")
    func everyByteIsReadOnceInOrder() throws {
        let bytes = noise(400_000, seed: 3)
        for (input, pipe) in try inputs(bytes) {
            var stream = try ByteStream(input)
            let stop = StopToken()
            var random = SeededGenerator(seed: 5)
            var position = 0
            while position < bytes.count {
                let count = Int.random(in: 0...90_000, using: &random)
                let there = min(count, bytes.count - position)
                #expect(stream.position == position)
                switch Int.random(in: 0..<3, using: &random) {
                case 0:
                    #expect(try stream.skip(count, stop) == there)
                    position += there
                case 1:
                    var part = [UInt8](repeating: 0, count: count)
                    let read = try part.withUnsafeMutableBytes { (bytes) throws(TexelError) in
                        try stream.read(into: bytes, stop)
                    }
                    #expect(read == there && part.prefix(read).elementsEqual(bytes[position..<position + there]))
                    position += there
                default:
                    let wanted = min(count, ByteStream.capacity)
                    let isThere = try stream.buffer(wanted, stop)
                    #expect(isThere == (position + wanted <= bytes.count))
                    let taken = min(wanted, stream.bufferedCount)
                    #expect(stream.firstBytes(taken).elementsEqual(bytes[position..<position + taken]))
                    stream.take(taken)
                    position += taken
                }
            }
            let hasMore = try stream.buffer(1, stop)
            #expect(!hasMore && stream.bufferedCount == 0)
            withExtendedLifetime(pipe) {}
        }
    }

    @Test("A line ends at its newline, within its limit")
    func linesEndAtNewlinesWithinLimits() throws {
        for (input, pipe) in try inputs(Array("one\n\nthree\nfour".utf8)) {
            var stream = try ByteStream(input)
            let stop = StopToken()
            #expect(try stream.bufferLine(limit: 3, stop) == 3)
            stream.take(4)
            #expect(try stream.bufferLine(limit: 0, stop) == 0)
            stream.take(1)
            #expect(try stream.bufferLine(limit: 4, stop) == nil)
            #expect(try stream.bufferLine(limit: 5, stop) == 5)
            stream.take(6)
            #expect(try stream.bufferLine(limit: 100, stop) == nil)
            #expect(stream.hasPrefix("four") && !stream.hasPrefix("fours") && !stream.hasPrefix("far"))
            withExtendedLifetime(pipe) {}
        }
    }

    @Test("A pipe that gives nothing stalls after the limit")
    func silentPipeStallsAtTheLimit() throws {
        let pipe = try FedPipe([1], keepsOpen: true)
        var stream = try ByteStream(pipe.input, stallLimit: .milliseconds(20))
        let stop = StopToken()
        #expect(try stream.buffer(1, stop))
        #expect(failure { () throws(TexelError) in _ = try stream.buffer(2, stop) } == .stalled(.milliseconds(20)))
    }

    @Test("A stop ends a wait that would be for ever, and every later one")
    func stopEndsEveryWait() async throws {
        let pipe = try FedPipe([1], keepsOpen: true)
        let stop = StopToken()
        let waiting = Task.detached { () -> TexelError? in
            do throws(TexelError) {
                var stream = try ByteStream(pipe.input)
                _ = try stream.buffer(2, stop)
                return nil
            } catch {
                return error
            }
        }
        stop.cancel()
        #expect(await waiting.value == .stopped(.cancelled))
        var file = try ByteStream(.file(FilePath(try directory.add("file", [1, 2]))))
        #expect(failure { () throws(TexelError) in _ = try file.buffer(1, stop) } == .stopped(.cancelled))
    }

    @Test("A FIFO without a writer is waited for, not taken for an empty one")
    func fifoWithoutWriterIsWaitedFor() throws {
        let path = directory("fifo")
        #expect(mkfifo(path, 0o600) == 0)
        var stream = try ByteStream(.file(FilePath(path)), stallLimit: .milliseconds(20))
        let stop = StopToken()
        #expect(failure { () throws(TexelError) in _ = try stream.buffer(1, stop) } == .stalled(.milliseconds(20)))
        let writer = try FileDescriptor.open(FilePath(path), .writeOnly, options: .closeOnExec)
        try writer.writeAll([7, 8])
        try writer.close()
        #expect(try stream.buffer(2, stop))
        let more = try stream.buffer(3, stop)
        #expect(!more)
    }

    @Test("What cannot be opened or read is said")
    func unreadableInputsAreErrors() throws {
        func firstByte(of input: StreamInput) throws(TexelError) {
            var stream = try ByteStream(input)
            _ = try stream.buffer(1, StopToken())
        }
        let folder = StreamInput.file(FilePath(directory.path))
        let nowhere = StreamInput.file("/nowhere/at/all")
        let closed = StreamInput.descriptor(FileDescriptor(rawValue: 1 << 20))
        #expect(failure { () throws(TexelError) in try firstByte(of: folder) } == .streamFailed(EISDIR))
        #expect(failure { () throws(TexelError) in try firstByte(of: nowhere) } == .missingFile("/nowhere/at/all"))
        #expect(failure { () throws(TexelError) in try firstByte(of: closed) } == .streamFailed(EBADF))
    }

    @Test("A descriptor is read from where it stands, and stays open")
    func descriptorIsReadWhereItStands() throws {
        let path = FilePath(try directory.add("file", [1, 2, 3]))
        let descriptor = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
        defer { try? descriptor.close() }
        try descriptor.seek(offset: 1, from: .start)
        do {
            var stream = try ByteStream(.descriptor(descriptor))
            #expect(try stream.buffer(2, StopToken()))
            #expect(stream.firstBytes(2) == [2, 3])
        }
        try descriptor.seek(offset: 0, from: .start)
    }
}
