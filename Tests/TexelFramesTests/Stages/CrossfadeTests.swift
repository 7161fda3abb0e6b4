import Testing
import TexelCodecs

import TexelCore
@testable import TexelFrames

@Suite("Crossfades")
struct CrossfadeTests {
    /// One line for each frame: its time in ms, the number of its image, and the number and weight of the overlay.
    private func table(_ source: CrossfadeSource) throws -> [String] {
        let frames = try source.seenFrames()
        #expect(frames.map(\.index) == Array(frames.indices))
        return frames.map { frame in
            let overlay = frame.overlay.map { " + \(number($0))×\(frame.weight ?? -1)" } ?? ""
            return "\(frame.time.attoseconds / 1_000_000_000_000_000): \(number(frame.image))\(overlay)"
        }
    }

    private func number(_ image: SeenFrame.Image) -> String {
        if case .pattern(let step) = image { "\(step)" } else { "?" }
    }

    /// Frames every 100 ms, whose images are numbered from `first` on.
    private func frames(_ count: Int, numberedFrom first: Int = 0) -> RenumberedSource {
        RenumberedSource(ScriptedSource((0..<count).map { $0 * 100 }), by: first)
    }

    private func fade(
        _ first: some FrameSource, _ second: some FrameSource, at start: Int, duration: Int
    ) -> CrossfadeSource {
        CrossfadeSource(first, second, at: .milliseconds(start), duration: .milliseconds(duration))
    }

    @Test("First, both, second; the weight follows the time")
    func weightFollowsTheTime() throws {
        let source = fade(frames(10), frames(6, numberedFrom: 50), at: 200, duration: 400)
        #expect(
            try table(source) == [
                "0: 0", "100: 1", "200: 2 + 50×0", "300: 3 + 51×64", "400: 4 + 52×128", "500: 5 + 53×192", "600: 54",
                "700: 55",
            ])
    }

    @Test("The second is not asked before the fade, nor the first behind it")
    func sourcesAreAskedOnlyWhenShown() throws {
        let (first, second) = (ScriptedSource([0, 100, 200, 300]), ScriptedSource([0, 100]))
        let source = fade(first, second, at: 100, duration: 100)
        _ = try source.nextSeen()
        #expect(second.askedCount == 0)
        _ = try source.seenFrames()
        #expect(first.askedCount == 3)
    }

    @Test("Both images keep the order of their fields")
    func imagesKeepTheirFieldOrder() throws {
        let first = ScriptedSource([0, 100], fields: .topFirst)
        let source = fade(first, ScriptedSource([0, 100, 200], fields: .bottomFirst), at: 100, duration: 200)
        #expect(source.format.fields == nil)
        let frames = try source.seenFrames()
        #expect(frames.map(\.fields) == [.topFirst, .topFirst, .topFirst, .bottomFirst])
        #expect(frames.map(\.overlayFields) == [nil, .bottomFirst, .bottomFirst, nil])
    }

    @Test("No duration is a cut")
    func fadeWithoutDurationIsACut() throws {
        let source = fade(frames(5), frames(2, numberedFrom: 50), at: 150, duration: 0)
        #expect(try table(source) == ["0: 0", "100: 1", "150: 50", "250: 51"])
    }

    @Test("The second's slower frames stand, its faster ones are passed over and counted")
    func otherRatesRepeatOrDropFrames() throws {
        let slow = RenumberedSource(ScriptedSource([0, 250]), by: 50)
        #expect(
            try table(fade(frames(9), slow, at: 100, duration: 400)) == [
                "0: 0", "100: 1 + 50×0", "200: 2 + 50×64", "300: 3 + 50×128", "400: 4 + 51×192", "500: 51",
            ])
        let fast = fade(
            frames(9), RenumberedSource(ScriptedSource(Array(stride(from: 0, to: 500, by: 50))), by: 50), at: 100,
            duration: 200)
        #expect(
            try table(fast) == [
                "0: 0", "100: 1 + 50×0", "200: 2 + 52×128", "300: 54", "350: 55", "400: 56", "450: 57", "500: 58",
                "550: 59",
            ])
        // 51 and 53 of the second source, and the first's frame at 300.
        #expect(fast.countDropped(.superseded) == 3)
    }

    @Test("A first that ends before the fade is followed at once")
    func shortFirstIsFollowedAtOnce() throws {
        let first = ScriptedSource([0, 100], durations: [100, 100])
        #expect(
            try table(fade(first, frames(3, numberedFrom: 50), at: 1000, duration: 500)) == [
                "0: 0", "100: 1", "200: 50", "300: 51", "400: 52",
            ])
        #expect(
            try table(fade(frames(0), frames(2, numberedFrom: 50), at: 1000, duration: 500)) == ["0: 50", "100: 51"])
    }

    @Test("A first that ends in the fade stands under the second")
    func firstEndsInFade() throws {
        #expect(
            try table(fade(frames(4), frames(6, numberedFrom: 50), at: 200, duration: 400)) == [
                "0: 0", "100: 1", "200: 2 + 50×0", "300: 3 + 51×64", "400: 3 + 52×128", "500: 3 + 53×192", "600: 54",
                "700: 55",
            ])
    }

    @Test("A second that ends in the fade stands until its end")
    func secondEndsInFade() throws {
        #expect(
            try table(fade(frames(9), frames(2, numberedFrom: 50), at: 100, duration: 400)) == [
                "0: 0", "100: 1 + 50×0", "200: 2 + 51×64", "300: 3 + 51×128", "400: 4 + 51×192", "500: 51",
            ])
        #expect(try table(fade(frames(4), frames(0), at: 100, duration: 150)) == ["0: 0", "100: 1", "200: 2"])
    }

    @Test("A second that begins late is seen from then on")
    func lateSecondIsSeenOnceItBegins() throws {
        let late = RenumberedSource(ScriptedSource([150, 250, 350]), by: 50)
        #expect(
            try table(fade(frames(9), late, at: 100, duration: 200)) == [
                "0: 0", "100: 1", "200: 2", "300: 50", "350: 51", "450: 52",
            ])
    }
}

/// Offsets the numbers of another source's patterns.
private final class RenumberedSource: FrameSource {
    let format: FrameFormat
    private let source: any FrameSource
    private let offset: Int

    init(_ source: any FrameSource, by offset: Int) {
        self.source = source
        self.offset = offset
        format = source.format
    }

    func next(_ stop: StopToken) throws -> SourceFrame? {
        guard var frame = try source.next(stop) else { return nil }
        frame.content = .pattern(TestPattern(size: format.size, step: frame.index + offset))
        return frame
    }
}
