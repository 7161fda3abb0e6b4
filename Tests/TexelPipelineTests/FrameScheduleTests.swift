import TestSupport
import Testing
import TexelCodecs
import TexelCore
import TexelPixels

@testable import TexelPipeline

/// Which frames a ``Playback`` keeps, and how long they are shown.
@Suite struct FrameScheduleTests {
    /// An animation of frames without pixels.
    private struct Delays: ImageAnimation {
        let canvas = PixelSize(width: 1, height: 1)
        let frames: [AnimationFrame]
        let playCount = 3
        let fault: TexelError? = nil

        init(_ delays: [FrameDelay]) {
            frames = delays.map { delay in
                AnimationFrame(
                    area: PixelRectangle(x: 0, y: 0, width: 1, height: 1), delay: delay, disposal: .none,
                    blending: .source)
            }
        }

        func decoder(of index: Int, _ options: DecodeOptions) throws(TexelError) -> any RowDecoder {
            throw .missingFrame(index)
        }
    }

    /// Ten frames of 40 ms.
    private let even = Delays(Array(repeating: FrameDelay(1, 25), count: 10))

    private func schedule(
        _ animation: Delays, shortestDelay: FrameDelay? = nil, limit: Int = 1000, _ change: (inout Playback) -> Void
    ) throws -> FrameSchedule {
        var playback = Playback()
        change(&playback)
        return try FrameSchedule(animation, playback, shortestDelay: shortestDelay, frameLimit: limit)
    }

    private func seconds(_ schedule: FrameSchedule) -> Double { schedule.entries.reduce(0) { $0 + $1.delay.seconds } }

    @Test func nothingChangesByDefault() throws {
        // The delay of 5 ms stays, although players show it for 100 ms.
        let animation = Delays([FrameDelay(1, 200), FrameDelay(0, 1), FrameDelay(7, 3)])
        let schedule = try schedule(animation) { _ in }
        #expect(schedule.entries.map(\.frame) == [0, 1, 2])
        #expect(schedule.entries.map(\.delay) == animation.frames.map(\.delay) && schedule.playCount == 3)
    }

    @Test func rangesKeepTheirOrder() throws {
        let schedule = try schedule(even) { $0.ranges = [7...Int.max, 2...3, 3...3] }
        #expect(schedule.entries.map(\.frame) == [7, 8, 9, 2, 3, 3])
        #expect(schedule.frames == [2, 3, 7, 8, 9])
        #expect(schedule.entries.allSatisfy { $0.delay == FrameDelay(1, 25) })
    }

    @Test(arguments: [[10...10], [0...10], [0...2, 99...Int.max]]) func missingFramesAreRefused(
        ranges: [ClosedRange<Int>]
    ) throws {
        let error = #expect(throws: TexelError.self) { try schedule(even) { $0.ranges = ranges } }
        #expect(error?.kind == .missingFrame)
    }

    @Test func keptFramesAreShownForThoseLeftOut() throws {
        let schedule = try schedule(even) { $0.step = 4 }
        #expect(schedule.entries.map(\.frame) == [0, 4, 8])
        #expect(schedule.entries.map(\.delay.seconds) == [0.16, 0.16, 0.08])
    }

    @Test func speedDividesDelaysExactly() throws {
        let schedule = try schedule(Delays([FrameDelay(3, 100), FrameDelay(1, 30), FrameDelay(0, 1)])) {
            $0.speed = 1.5
        }
        // A delay of 0 is shown for 100 ms.
        #expect(schedule.entries.map(\.delay) == [FrameDelay(1, 50), FrameDelay(1, 45), FrameDelay(1, 15)])
    }

    @Test func fastFramesAreLeftOutWhereViewersSlowThemDown() throws {
        let faster = try schedule(even, shortestDelay: FrameDelay(2, 100)) { $0.speed = 8 }
        #expect(faster.entries.allSatisfy { $0.delay.seconds > 0.009 })
        #expect(faster.entries.count < 6 && abs(seconds(faster) - 0.05) < 1e-9)
        let slower = try schedule(even, shortestDelay: FrameDelay(2, 100)) { $0.speed = 0.5 }
        #expect(slower.entries.map(\.delay) == Array(repeating: FrameDelay(2, 25), count: 10))
        #expect(try schedule(even) { $0.speed = 8 }.entries.count == 10)
    }

    /// The rate is never exceeded on average, and the duration stays.
    @Test(arguments: [1, 3, 7, 12, 24, 25, 60]) func ratesAreLimited(frames: Int) throws {
        var generator = SeededGenerator(seed: UInt64(frames))
        let uneven = Delays((0..<200).map { _ in FrameDelay(Int.random(in: 2...30, using: &generator), 100) })
        for animation in [even, uneven] {
            let all = try schedule(animation) { _ in }
            let schedule = try schedule(animation) { $0.maximumRate = FrameRate(frames) }
            #expect(abs(seconds(schedule) - seconds(all)) < 1e-6)
            #expect(Double(schedule.entries.count) <= (seconds(all) * Double(frames)).rounded(.up) + 1)
            #expect(schedule.entries.first?.frame == 0)
            #expect(zip(schedule.entries, schedule.entries.dropFirst()).allSatisfy { $0.frame < $1.frame })
        }
        let unlimited = try schedule(even) { $0.maximumRate = FrameRate(25) }
        #expect(unlimited.entries.count == 10)
    }

    @Test func framesGoBackwardsOrBackAndForth() throws {
        let animation = Delays((1...4).map { FrameDelay($0, 10) })
        let reversed = try schedule(animation) { $0.isReversed = true }
        #expect(reversed.entries.map(\.frame) == [3, 2, 1, 0])
        #expect(reversed.entries.map(\.delay) == (1...4).reversed().map { FrameDelay($0, 10) })
        let swinging = try schedule(animation) { $0.playsBackAndForth = true }
        #expect(swinging.entries.map(\.frame) == [0, 1, 2, 3, 2, 1])
        let both = try schedule(animation) { ($0.isReversed, $0.playsBackAndForth) = (true, true) }
        #expect(both.entries.map(\.frame) == [3, 2, 1, 0, 1, 2])
        let two = try schedule(animation) { ($0.ranges, $0.playsBackAndForth) = ([0...1], true) }
        #expect(two.entries.map(\.frame) == [0, 1])
    }

    @Test func playsAreReplaced() throws {
        #expect(try schedule(even) { $0.playCount = 0 }.playCount == 0)
        #expect(try schedule(even) { $0.playCount = 9 }.playCount == 9)
    }

    @Test func limitsApplyToTheResult() throws {
        let error = #expect(throws: TexelError.self) {
            try schedule(even, limit: 17) { $0.playsBackAndForth = true }
        }
        #expect(error?.kind == .limitExceeded(.frames))
        #expect(throws: TexelError.self) {
            try schedule(even, limit: 1000) { $0.ranges = Array(repeating: 0...9, count: 101) }
        }
    }
}

/// Frames of an animation in any order.
@Suite struct ComposedFramesTests {
    /// Frames whose files have areas, disposals and transparent pixels.
    private func source(_ format: ImageFormat, count: Int) throws -> any ImageFile {
        let encoding = try #require(format.encoding(EncodingSettings(isLossless: format != .gif)))
        let options = try #require(encoding.options as? any AnimatedOptions)
        let size = PixelSize(width: 48, height: 20)
        let encoder = try options.animationEncoder(
            AnimationProperties(size: size, playCount: 0, hasAlpha: true, colorSpace: .sRGB),
            EncodingContext())
        for number in 0..<count {
            let frame = try PixelBuffer.make(width: size.width, height: size.height, alphaMode: .straight) { x, y in
                let isInside = abs(x - number % 48) < 5 && abs(y - number % 20) < 6
                return isInside ? 0xFF00_4020 | UInt32(number) << 16 : x < 3 ? 0xFF80_8080 : 0
            }
            try encoder.append(frame, delay: FrameDelay(1, 10))
        }
        return try CodecRegistry.shared.open(InputBytes(try encoder.finish()))
    }

    @Test(arguments: ImageFormat.tested.filter { $0.capabilities.writesAnimations })
    func framesAreEqualInEveryOrder(format: ImageFormat) throws {
        let count = 37
        let source = try source(format, count: count)
        let ordered = try ComposedFrames(RouteContext(source))
        let expected = try (0..<count).map { try ordered.frame($0).pixels }
        #expect(Set(expected).count == count)
        var generator = SeededGenerator(seed: 3)
        for order in [
            Array((0..<count).reversed()), (0..<count).shuffled(using: &generator), [5, 5, 0, 36, 0, 17, 16, 36],
        ] {
            let frames = try ComposedFrames(RouteContext(source))
            for index in order { #expect(try frames.frame(index).pixels == expected[index], "frame \(index)") }
        }
    }

    @Test func copiesGrowWithTheLogarithm() {
        #expect(ComposedFrames.largestNumberOfCopies(ofFrames: 1) == 0)
        #expect(ComposedFrames.largestNumberOfCopies(ofFrames: 10_000) <= 24)
    }
}
