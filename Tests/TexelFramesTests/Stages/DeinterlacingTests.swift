import SystemPackage
import TestSupport
import Testing
import TexelCodecs
import TexelCore
import TexelPixels

@testable import TexelFrames

@Suite("Deinterlaced source")
struct DeinterlacingTests {
    private static let gray = SampleLayout(
        .yuv(YUVFormat(.none), YUVColor(.bt601, .full)), PixelSize(width: 2, height: 2))

    /// A frame whose samples are all `value`.
    private static func image(
        _ value: UInt8, at milliseconds: Int, for duration: Int? = nil, _ fields: FieldOrder? = .topFirst,
        layout: SampleLayout = gray
    ) throws -> SampleSource.Image {
        SampleSource.Image(
            layout: layout, bytes: [UInt8](repeating: value, count: try layout.byteCount), milliseconds: milliseconds,
            duration: duration, fields: fields)
    }

    /// The fields that a frame is made from.
    private struct Seen: Equatable {
        var index: Int
        var milliseconds: Int
        var duration: Duration?
        /// The first row of the field, and the first samples of the frames before, of and after it; empty for a frame
        /// that has passed.
        var field: [UInt8] = []

        init(_ index: Int, _ milliseconds: Int, _ field: [UInt8], duration: Int? = nil) {
            (self.index, self.milliseconds, self.field) = (index, milliseconds, field)
            self.duration = duration.map { .milliseconds($0) }
        }

        init(_ frame: consuming SourceFrame) throws {
            (index, duration) = (frame.index, frame.duration)
            milliseconds = Int(frame.time.attoseconds / 1_000_000_000_000_000)
            let fields = frame.fields
            guard case .field(let field) = frame.takeContent() else { return }
            #expect(fields == nil)
            self.field = [UInt8(field.firstRow)]
            for held in [field.before, field.frame, field.after] {
                self.field.append(try held.image.bytes().first ?? 0)
            }
        }
    }

    private func seen(_ source: any FrameSource, _ stop: StopToken = StopToken()) throws -> [Seen] {
        var frames: [Seen] = []
        while let frame = try source.next(stop) { frames.append(try Seen(frame)) }
        return frames
    }

    @Test(
        "A frame becomes two of half its duration, the first field first",
        arguments: [FieldOrder.topFirst, .bottomFirst])
    func twoOfEach(order: FieldOrder) throws {
        let images = try (0..<3).map { try Self.image(UInt8(10 + $0), at: 40 * $0, for: 40, order) }
        let source = SampleSource(images, rate: FrameRate(30_000, per: 1001), fields: order).deinterlaced()
        #expect(source.format.rate == FrameRate(60_000, per: 1001))
        #expect(source.format.fields == nil)
        let (first, second): (UInt8, UInt8) = order == .topFirst ? (0, 1) : (1, 0)
        #expect(
            try seen(source) == [
                Seen(0, 0, [first, 10, 10, 11], duration: 20), Seen(1, 20, [second, 10, 10, 11], duration: 20),
                Seen(2, 40, [first, 10, 11, 12], duration: 20), Seen(3, 60, [second, 10, 11, 12], duration: 20),
                Seen(4, 80, [first, 11, 12, 12], duration: 20), Seen(5, 100, [second, 11, 12, 12], duration: 20),
            ])
        #expect(try seen(source).isEmpty)
    }

    @Test("Without durations the second field is half-way to the next frame")
    func secondFieldComesHalfwayToNextFrame() throws {
        let images = try [0, 40, 100].map { try Self.image(0, at: $0) }
        #expect(try seen(SampleSource(images).deinterlaced()).map(\.milliseconds) == [0, 20, 40, 70, 100, 130])
        let equal = try [0, 0, 60].map { try Self.image(0, at: $0) }
        #expect(
            try seen(SampleSource(equal, rate: FrameRate(10)).deinterlaced()).map(\.milliseconds)
                == [0, 50, 0, 30, 60, 90])
    }

    @Test("The second field of a single frame follows by the rate, or by 25 frames per second")
    func fieldsOfOneFrameFollowTheRate() throws {
        let images = [try Self.image(7, at: 0)]
        #expect(
            try seen(SampleSource(images).deinterlaced()) == [
                Seen(0, 0, [0, 7, 7, 7]), Seen(1, 20, [1, 7, 7, 7]),
            ])
        #expect(
            try seen(SampleSource(images, rate: FrameRate(10)).deinterlaced()).map(\.milliseconds) == [0, 50])
        #expect(try seen(SampleSource([]).deinterlaced()).isEmpty)
    }

    @Test("Progressive frames pass and are not neighbours; nothing is read ahead of them")
    func progressiveFramesPassUnchanged() throws {
        let images = [
            try Self.image(1, at: 0, nil), try Self.image(2, at: 40), try Self.image(3, at: 80),
            try Self.image(4, at: 120, nil), try Self.image(5, at: 160),
        ]
        let source = SampleSource(images, rate: FrameRate(25))
        let deinterlaced = source.deinterlaced()
        #expect(deinterlaced.format.rate == FrameRate(25))
        let first = try Seen(try deinterlaced.next(StopToken()).orFail())
        #expect(first.milliseconds == 0 && source.askedCount == 1)
        let second = try Seen(try deinterlaced.next(StopToken()).orFail())
        #expect(second.milliseconds == 40 && source.askedCount == 3)
        let rest = try seen(deinterlaced)
        #expect(
            [first, second].map(\.field) + rest.map(\.field) == [
                [], [0, 2, 2, 3], [1, 2, 2, 3], [0, 2, 3, 3], [1, 2, 3, 3], [], [0, 5, 5, 5], [1, 5, 5, 5],
            ])
        #expect(rest.map(\.milliseconds) == [60, 80, 100, 120, 160, 180])
        #expect(rest.map(\.index) == Array(2..<8))
    }

    @Test("A change of size, of samples or of the order of fields separates neighbours")
    func changesOfFormatSeparateNeighbors() throws {
        let wide = SampleLayout(Self.gray.format, PixelSize(width: 4, height: 2))
        let bytes = SampleLayout(.bgra, PixelSize(width: 4, height: 2))
        let images = [
            try Self.image(1, at: 0), try Self.image(2, at: 40, layout: wide),
            try Self.image(3, at: 80, .bottomFirst, layout: wide),
            try Self.image(4, at: 120, .bottomFirst, layout: bytes),
            try Self.image(5, at: 160, .bottomFirst, layout: bytes),
        ]
        #expect(
            try seen(SampleSource(images).deinterlaced()).map(\.field) == [
                [0, 1, 1, 1], [1, 1, 1, 1], [0, 2, 2, 2], [1, 2, 2, 2], [1, 3, 3, 3], [0, 3, 3, 3], [1, 4, 4, 5],
                [0, 4, 4, 5], [1, 4, 5, 5], [0, 4, 5, 5],
            ])
    }

    @Test("An error is thrown after the frames before it")
    func errorFollowsEarlierFrames() throws {
        let images = [try Self.image(1, at: 0), try Self.image(2, at: 40)]
        let source = SampleSource(images, failure: .unsupported("x")).deinterlaced()
        for _ in 0..<4 {
            let isThere = try source.next(StopToken()).isThere
            #expect(isThere)
        }
        #expect(throws: TexelError.unsupported("x")) { _ = try source.nextSeen() }
        #expect(try source.nextSeen() == nil)
    }

    @Test("No frame is returned after a stop")
    func nothingFollowsAStop() throws {
        let source = SampleSource([try Self.image(1, at: 0)]).deinterlaced()
        let stop = StopToken()
        let isThere = try source.next(stop).isThere
        #expect(isThere)
        stop.cancel()
        #expect(try seen(source, stop).isEmpty)
    }

    @Test("Frames without samples pass; drops of the source are counted")
    func framesWithoutSamplesPass() throws {
        let source = ScriptedSource([0, 40], fields: .topFirst).deinterlaced()
        #expect(try source.seenFrames().map(\.image) == [.pattern(0), .pattern(1)])
        #expect(source.countDropped(.throttled) == 1)
    }

    @Test("A pipe with one buffer is enough")
    func oneBufferIsEnough() throws {
        let frames = (0..<9).flatMap { Array("FRAME\n".utf8) + [UInt8](repeating: $0, count: 4) }
        let pipe = try FedPipe(Array("YUV4MPEG2 W2 H2 F25:1 It Cmono\n".utf8) + frames)
        var options = StreamOptions()
        options.bufferCount = 1
        let sink = CollectingSink()
        let source = try Y4MSource(pipe.input, options: options).deinterlaced()
        try FramePipeline(from: source, into: sink).start().wait()
        #expect(sink.deliveries.map(\.time) == (0..<18).map { .milliseconds(20 * $0) })
    }
}
