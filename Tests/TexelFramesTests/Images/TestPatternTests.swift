import Testing
import TexelCodecs
import TexelCore
import TexelPixels

@testable import TexelFrames

@Suite("Test pattern")
struct TestPatternTests {
    /// Draws the pattern into rows with padding.
    private func drawn(_ width: Int, _ height: Int, step: Int, padding: Int = 0) -> [UInt32] {
        let pattern = TestPattern(size: PixelSize(width: width, height: height), step: step)
        var pixels = [UInt32](repeating: 0x1234_5678, count: (width + padding) * height)
        pixels.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            pattern.draw(into: base, bytesPerRow: (width + padding) * 4)
        }
        return pixels
    }

    @Test(
        "Every pixel of every size is drawn, and none beside the picture",
        arguments: [(1, 1), (1, 9), (9, 1), (2, 3), (7, 5), (31, 17), (65, 64), (640, 360)])
    func drawingFillsExactlyTheImage(width: Int, height: Int) {
        for step in [0, 1, 119, 120, 239, 12_345, .max, .min] {
            let pixels = drawn(width, height, step: step, padding: 3)
            for y in 0..<height {
                let row = pixels[(y * (width + 3))..<((y + 1) * (width + 3))]
                #expect(row.prefix(width).allSatisfy { $0 >= 0xFF00_0000 })
                #expect(row.suffix(3).allSatisfy { $0 == 0x1234_5678 })
            }
        }
    }

    @Test("The bars are the seven colours at 75 %, and the ramp has all greys")
    func barsAndRampHaveTheirColors() {
        let pixels = drawn(700, 300, step: 0)
        let bars: [UInt32] = (0..<7).map { bar in pixels[3550 + bar * 100] }
        let colors: [UInt32] = [
            0xFFBF_BFBF, 0xFFBF_BF00, 0xFF00_BFBF, 0xFF00_BF00, 0xFFBF_00BF, 0xFFBF_0000, 0xFF00_00BF,
        ]
        #expect(bars == colors)
        let ramp = pixels[(210 * 700)..<(211 * 700)]
        #expect(ramp.first == 0xFF00_0000)
        #expect(ramp.last == 0xFFFF_FFFF)
        #expect(Set(ramp).count == 256)
    }

    @Test("No two of a thousand frames are equal, and a frame is always the same")
    func framesDifferByTheirNumber() {
        var seen: Set<[UInt32]> = []
        for step in 0..<1000 { seen.insert(drawn(160, 90, step: step)) }
        #expect(seen.count == 1000)
        #expect(drawn(160, 90, step: 77) == drawn(160, 90, step: 77))
    }

    @Test("The digits can be read")
    func digitsShowTheFrameNumber() {
        // 72 × 48: dots of one pixel; the box starts at (22, 10), its digits two dots further.
        let pixels = drawn(72, 48, step: 1734)
        let rows = (12..<19).map { y in
            String((24..<47).map { pixels[y * 72 + $0] == 0xFFFF_FFFF ? "#" : "." })
        }
        #expect(
            rows == [
                "..#...#####.####.....#.",
                ".##.......#.....#...##.",
                "..#......#......#..#.#.",
                "..#.....#....###..#..#.",
                "..#....#........#.#####",
                "..#....#........#....#.",
                ".###...#....####.....#.",
            ])
    }
}

@Suite("Pattern source")
struct PatternSourceTests {
    private let size = PixelSize(width: 16, height: 9)

    @Test("Frames come evenly, without an error that adds up")
    func timesAccumulateNoError() throws {
        let rate = try #require(FrameRate(30000, per: 1001))
        let frames = try PatternSource(size: size, rate: rate, count: 4).seenFrames()
        #expect(frames.map(\.image) == [.pattern(0), .pattern(1), .pattern(2), .pattern(3)])
        #expect(frames.map(\.index) == [0, 1, 2, 3])
        #expect(
            frames.map(\.time) == [
                .zero, .nanoseconds(33_366_667), .nanoseconds(66_733_333), .nanoseconds(100_100_000),
            ])
        for (frame, next) in zip(frames, frames.dropFirst()) {
            #expect(frame.duration.map { frame.time + $0 } == next.time)
        }
    }

    @Test("An endless source ends when it is stopped")
    func stopEndsTheEndlessSource() throws {
        let source = try PatternSource(size: size)
        let stop = StopToken()
        for index in 0..<100 { #expect(try source.nextSeen(stop)?.index == index) }
        stop.cancel()
        #expect(try source.nextSeen(stop) == nil)
    }

    @Test("A picture that cannot be is refused")
    func emptySizeIsRefused() {
        #expect(throws: TexelError.invalidSize(PixelSize(width: 0, height: 9))) {
            try PatternSource(size: PixelSize(width: 0, height: 9))
        }
    }
}
