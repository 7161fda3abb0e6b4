import Synchronization
import SystemPackage
import TestSupport
import Testing
import TexelCore
import TexelPixels

@testable import TexelFrames

/// Raw samples, and the behaviour common to all byte sinks: files, pipes, devices.
@Suite struct RawSinkTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func path(_ name: String) -> FilePath { FilePath(directory(name)) }

    /// Frames of width 16 have no padding between rows, those of width 13 do.
    @Test(arguments: [PixelSize(width: 16, height: 3), PixelSize(width: 13, height: 3), PixelSize(width: 1, height: 1)])
    func rowsAreWrittenWithoutPadding(size: PixelSize) throws {
        let images = try (1...3).map { seed in
            try PixelBuffer.random(width: size.width, height: size.height, alphaMode: .straight, seed: seed)
        }
        try RawSink(.file(path("bgra")), format: .bgra).take(images)
        try RawSink(.file(path("rgba")), format: .rgba).take(images)
        #expect(try directory.bytes("bgra") == images.flatMap { $0.bytes(in: .bgra) })
        #expect(try directory.bytes("rgba") == images.flatMap { $0.bytes(in: .rgba) })
    }

    @Test func alphaIsWrittenStraight() throws {
        let image = try PixelBuffer.random(width: 16, height: 5, alphaMode: .premultiplied)
        try RawSink(.file(path("out")), format: .rgba).take([image])
        #expect(try directory.bytes("out") == image.unpremultiplied().bytes(in: .rgba))
    }

    @Test(arguments: RawFrameFormat.allCases) func allFramesHaveOneSize(format: RawFrameFormat) throws {
        let images = [try PixelBuffer(width: 4, height: 4), try PixelBuffer(width: 4, height: 5)]
        let (from, to) = (images[0].size, images[1].size)
        #expect(throws: TexelError.sizeChanged(frame: 1, from: from, to: to)) {
            try RawSink(.file(path("out")), format: format).take(images)
        }
        #expect(try directory.files().isEmpty)
    }

    // MARK: Destinations

    @Test func existingFileIsReplacedOnRequest() throws {
        try directory.add("out", "old".utf8)
        #expect(throws: TexelError.alreadyExists(path("out"))) {
            try RawSink(.file(path("out")), format: .bgra)
        }
        let image = try PixelBuffer(width: 2, height: 1, filledWith: 0xFF01_0203)
        try RawSink(.file(path("out"), replaces: true), format: .bgra).take([image])
        #expect(try directory.contents() == ["out": [3, 2, 1, 255, 3, 2, 1, 255]])
    }

    /// Until the stream has ended without error, the old file stays; temporary files are removed.
    @Test func unfinishedStreamsKeepTheOldFile() throws {
        try directory.add("out", "old".utf8)
        do {
            let sink = try RawSink(.file(path("out"), replaces: true), format: .bgra)
            try sink.take([try PixelBuffer(width: 2, height: 1)], finishing: false)
            #expect(try directory.bytes("out") == Array("old".utf8))
        }
        #expect(try directory.contents() == ["out": Array("old".utf8)])
    }

    @Test func invalidPathsAreRefused() throws {
        try directory.add("file", [])
        #expect(throws: TexelError.cannotCreate(path("file"), .fileExists)) {
            try RawSink(.file(path("file/out")), format: .bgra)
        }
        #expect(throws: TexelError.cannotCreate(path(""), .isDirectory)) {
            try RawSink(.file(path("")), format: .bgra)
        }
    }

    #if os(Linux)
        @Test func fullDeviceIsAnError() throws {
            let image = try PixelBuffer(width: 2, height: 1)
            #expect(throws: TexelError.cannotWrite("/dev/full", .noSpace)) {
                try RawSink(.file("/dev/full"), format: .bgra).take([image])
            }
        }
    #endif

    @Test func framesAreWrittenToPipes() throws {
        let (reading, writing) = try FileDescriptor.privatePipe()
        let image = try PixelBuffer.random(width: 7, height: 5)
        let sink = try RawSink(.descriptor(writing), format: .bgra)
        try sink.take([image, image])
        try writing.close()
        var bytes = [UInt8](repeating: 0, count: 1000)
        let count = try bytes.withUnsafeMutableBytes { try reading.read(into: $0) }
        #expect(Array(bytes[..<count]) == image.bytes(in: .bgra) + image.bytes(in: .bgra))
        try reading.close()
    }

    /// The signal that comes with the error is consumed; one that was pending before stays.
    @Test(arguments: [false, true]) func readerThatLeaves(hasSignalBefore: Bool) throws {
        // Tests that do this later would remove the pending signal.
        BrokenPipes.areErrors()
        let (reading, writing) = try FileDescriptor.privatePipe()
        let image = try PixelBuffer.random(width: 7, height: 5)
        let sink = try RawSink(.descriptor(writing), format: .bgra)
        try sink.take([image], finishing: false)
        try reading.close()
        BrokenPipeSignalState.whileBlocked {
            if hasSignalBefore { BrokenPipeSignalState.raise() }
            #expect(throws: TexelError.outputClosed(framesWritten: 1)) { try sink.take([image]) }
            #expect(BrokenPipeSignalState.isPending == hasSignalBefore)
            // Without suppression the signal would now be pending.
            BrokenPipeSignalState.take()
            #expect(throws: Errno.brokenPipe) { try writing.writeAll([1]) }
            #expect(BrokenPipeSignalState.isPending)
        }
        try writing.close()
    }

    /// Writes much more than a pipe holds, to a reader that takes odd amounts. Both sides block, so neither may be a
    /// task: the cooperative pool may have a single thread.
    @Test(.onThreads) func slowReaderGetsEveryByte() throws {
        let (reading, writing) = try FileDescriptor.privatePipe()
        let image = try PixelBuffer.random(width: 641, height: 479)
        let received = Mutex<[UInt8]>([])
        let reader = FeedingThread {
            var all: [UInt8] = []
            var piece = [UInt8](repeating: 0, count: 77_777)
            while let count = try? piece.withUnsafeMutableBytes({ try reading.read(into: $0) }), count > 0 {
                all += piece[..<count]
            }
            received.withLock { $0 = all }
        }
        try RawSink(.descriptor(writing), format: .rgba).take([image, image, image])
        try writing.close()
        reader.join()
        let one = image.bytes(in: .rgba)
        #expect(received.withLock { $0 } == one + one + one)
        try reading.close()
    }

    @Test func nothingAtAll() throws {
        let sink = NullSink()
        try sink.take([try PixelBuffer(width: 2, height: 1), try PixelBuffer(width: 3, height: 1)])
        #expect(!sink.isLive)
    }
}
