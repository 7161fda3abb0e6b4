import Synchronization
import SystemPackage
import TestSupport
import Testing
import TexelCodecs
import TexelCore
import TexelMetrics
import TexelPixels

@testable import TexelFrames

/// Frames rendered as terminal text.
@Suite struct TerminalSinkTests {
    /// A clock that sleeping advances.
    private final class ManualClock: FrameClock {
        private let time = Mutex(Duration.zero)
        var now: Duration { time.withLock { $0 } }
        func sleep(until time: Duration, stop: StopToken) { self.time.withLock { $0 = max($0, time) } }
        func advance(by duration: Duration) { time.withLock { $0 += duration } }
    }

    /// The output for some images on a terminal of this size.
    private func text(
        _ images: [PixelBuffer], columns: Int = 80, rows: Int = 24, trueColor: Bool = true, caption: String? = nil,
        finishing: Bool = true
    ) throws -> String {
        let (reading, writing) = try FileDescriptor.privatePipe()
        let screen = TerminalScreen(columns: columns, rows: rows, hasTrueColor: trueColor)
        do {
            let sink = try TerminalSink(.descriptor(writing), clock: ManualClock(), updatesPerSecond: 30) { screen }
            if let caption { sink.setCaption(caption) }
            try sink.take(images, finishing: finishing)
        }
        try writing.close()
        var bytes = [UInt8](repeating: 0, count: 100_000)
        let count = try bytes.withUnsafeMutableBytes { try reading.read(into: $0) }
        try reading.close()
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    private let begin = "\u{1B}[?25l\u{1B}[2J\u{1B}[H"
    private let end = "\u{1B}[0m\u{1B}[?25h\r\n"

    /// Red and blue in the first row, green and white in the second.
    private func fourPixels() throws -> PixelBuffer {
        try PixelBuffer(
            width: 2, height: 2, pixels: [0xFFFF_0000, 0xFF00_00FF, 0xFF00_FF00, 0xFFFF_FFFF], alphaMode: .opaque)
    }

    @Test func pixelsAreDrawnInTrueColor() throws {
        let line =
            "\u{1B}[38;2;255;0;0m\u{1B}[48;2;0;255;0m▀\u{1B}[38;2;0;0;255m\u{1B}[48;2;255;255;255m▀"
            + "\u{1B}[0m\u{1B}[K\r\n"
        #expect(try text([try fourPixels()], caption: "12 fps") == begin + line + "12 fps\u{1B}[K" + end)
    }

    @Test func pixelsAreDrawnInPaletteColors() throws {
        let line = "\u{1B}[38;5;196m\u{1B}[48;5;46m▀\u{1B}[38;5;21m\u{1B}[48;5;231m▀\u{1B}[0m\u{1B}[K\r\n"
        #expect(try text([try fourPixels()], trueColor: false) == begin + line + "\u{1B}[K" + end)
    }

    /// A colour is written only where it changes; the last of an odd number of rows has no background.
    @Test func colorsAreWrittenWhereTheyChange() throws {
        let image = try PixelBuffer(width: 3, height: 3, filledWith: 0xFF0A_0B0C)
        let lines =
            "\u{1B}[38;2;10;11;12m\u{1B}[48;2;10;11;12m▀▀▀\u{1B}[0m\u{1B}[K\r\n"
            + "\u{1B}[38;2;10;11;12m▀▀▀\u{1B}[0m\u{1B}[K\r\n"
        #expect(try text([image]) == begin + lines + "\u{1B}[K" + end)
    }

    /// The next frame is drawn over the first, without scrolling.
    @Test func framesInOnePlace() throws {
        let image = try PixelBuffer(width: 1, height: 1, filledWith: 0xFF00_0000)
        let drawn = "\u{1B}[38;2;0;0;0m▀\u{1B}[0m\u{1B}[K\r\n\u{1B}[K"
        #expect(try text([image, image]) == begin + drawn + "\u{1B}[H" + drawn + end)
    }

    @Test func cursorComesBackAlsoAfterAnError() throws {
        #expect(try text([try fourPixels()], finishing: false).hasSuffix(end))
        // Nothing was shown, so nothing is restored.
        #expect(try text([]) == "")
    }

    @Test func updatesAreThirtyASecond() throws {
        let (reading, writing) = try FileDescriptor.privatePipe()
        let clock = ManualClock()
        let screen = TerminalScreen(columns: 80, rows: 24, hasTrueColor: true)
        let sink = try TerminalSink(.descriptor(writing), clock: clock, updatesPerSecond: 30) { screen }
        #expect(sink.isLive)
        let image = try PixelBuffer(width: 1, height: 1)
        try sink.take([image], finishing: false)
        #expect(clock.now == .zero)
        try sink.take([image], finishing: false)
        #expect(clock.now == .seconds(1) / 30)
        clock.advance(by: .seconds(5))
        try sink.take([image])
        #expect(clock.now == .seconds(1) / 30 + .seconds(5))
        try writing.close()
        try reading.close()
    }

    // MARK: Grid

    @Test(arguments: [
        (PixelSize(width: 1920, height: 1080), PixelSize(width: 80, height: 46), PixelSize(width: 80, height: 45)),
        (PixelSize(width: 1080, height: 1920), PixelSize(width: 80, height: 46), PixelSize(width: 26, height: 46)),
        (PixelSize(width: 10, height: 10), PixelSize(width: 80, height: 46), PixelSize(width: 10, height: 10)),
        (PixelSize(width: 10_000, height: 1), PixelSize(width: 80, height: 46), PixelSize(width: 80, height: 1)),
        (PixelSize(width: 1, height: 10_000), PixelSize(width: 1, height: 2), PixelSize(width: 1, height: 2)),
    ])
    func gridsFitTheBox(size: PixelSize, box: PixelSize, expected: PixelSize) {
        #expect(CellGrid.size(of: size, inside: box) == expected)
    }

    /// Samples are the means of their pixels on black; every pixel counts once.
    @Test(arguments: [AlphaMode.opaque, .straight, .premultiplied]) func cellsAreMeansOfTheirPixels(
        alphaMode: AlphaMode
    ) throws {
        let image = try PixelBuffer.random(width: 37, height: 23, alphaMode: alphaMode)
        var grid = CellGrid()
        grid.fill(from: try Frame.make(image), inside: PixelSize(width: 10, height: 40))
        #expect(grid.size == PixelSize(width: 10, height: 6))
        let dark = try image.flattened(on: .black)
        for y in 0..<6 {
            for x in 0..<10 {
                let columns = x * 37 / 10..<(x + 1) * 37 / 10
                let rows = y * 23 / 6..<(y + 1) * 23 / 6
                let pixels = rows.flatMap { y in columns.map { dark[$0, y] } }
                for shift: UInt32 in [0, 8, 16] {
                    let mean = pixels.reduce(0) { $0 + Double($1 >> shift & 255) } / Double(pixels.count)
                    #expect(abs(Double(grid.colors[10 * y + x] >> shift & 255) - mean) <= 0.5)
                }
            }
        }
    }

    @Test func nearestColorOfThePalette() {
        let levels = [0, 95, 135, 175, 215, 255]
        func color(_ number: Int) -> [Int] {
            if number >= 232 { return [Int](repeating: 8 + 10 * (number - 232), count: 3) }
            let cube = number - 16
            return [levels[cube / 36], levels[cube / 6 % 6], levels[cube % 6]]
        }
        func distance(_ number: Int, _ wanted: [Int]) -> Int {
            zip(color(number), wanted).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
        }
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<2000 {
            let wanted = (0..<3).map { _ in Int.random(in: 0...255, using: &generator) }
            let number = Int(XtermPalette.nearest(to: UInt32(wanted[0] << 16 | wanted[1] << 8 | wanted[2])))
            let best = (16...255).map { distance($0, wanted) }.min()
            #expect(distance(number, wanted) == best, "\(wanted) is \(number)")
        }
    }
}
