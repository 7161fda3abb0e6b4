import TestSupport
import Testing
import TexelPixels

@testable import TexelCodecs
@testable import TexelJPEG
@testable import TexelPNG

/// Encoders report their progress in rows of a counter.
@Suite struct EncodingProgressTests {
    private func rowsTold(_ effort: Effort, _ size: PixelSize, isGray: Bool = false, rowCount: Int) throws -> Int {
        let image = try PixelBuffer.make(width: size.width, height: size.height) { x, y in
            let luma = UInt32((x * x / 7 + y * 5) % 200)
            return 0xFF00_0000 | luma << 16 | (isGray ? luma : UInt32(x % 256)) << 8 | luma
        }
        let counter = RowCounter()
        counter.expect(rowCount + 1)
        var context = EncodingContext(parallelism: 2)
        context.progress = EncodingProgress(counter, rowCount: rowCount)
        _ = try JPEGOptions(effort: effort).encode(image, context)
        return counter.progress.rowsDone
    }

    @Test(
        arguments: [Effort.fast, .balanced],
        [PixelSize(width: 1, height: 1), PixelSize(width: 40, height: 130), PixelSize(width: 70, height: 17)])
    func allRowsAreTold(effort: Effort, size: PixelSize) throws {
        for rowCount in [1, 17, 1000] {
            #expect(try rowsTold(effort, size, rowCount: rowCount) == rowCount)
            #expect(try rowsTold(effort, size, isGray: true, rowCount: rowCount) == rowCount)
        }
    }

    /// A search may skip trials, but runs most of them.
    @Test func searchesTellOfTheirTrials() throws {
        let rows = try rowsTold(.best, PixelSize(width: 90, height: 70), rowCount: 1000)
        #expect(rows > 300 && rows <= 1000)
    }

    @Test(arguments: Effort.allCases) func searchesForPNGsTell(effort: Effort) throws {
        let counter = RowCounter()
        counter.expect(1000)
        let image = try PixelBuffer.make(width: 90, height: 70) { x, y in 0xFF00_0000 | UInt32(x * y) }
        for palette in [nil, PaletteOptions(colors: 16)] {
            var context = EncodingContext(parallelism: 2)
            context.progress = EncodingProgress(counter, rowCount: 500)
            _ = try PNGOptions(effort: effort, palette: palette).encode(image, context)
        }
        #expect(counter.progress.rowsDone == 1000)
    }

    @Test func stagesFollowEachOther() {
        let counter = RowCounter()
        counter.expect(100)
        let progress = EncodingProgress(counter, rowCount: 100)
        var rows: [Int] = []
        for (parts, share) in [(2, 0.4), (1, 0.4), (2, 0.8), (4, 1.0)] {
            progress.begin(partCount: parts, upTo: share)
            for _ in 0..<parts {
                progress.advance()
                rows.append(counter.progress.rowsDone)
            }
        }
        #expect(rows == [20, 40, 40, 60, 80, 85, 90, 95, 100])
    }

    @Test func neverMoreThanWasSaid() {
        let counter = RowCounter()
        counter.expect(100)
        let progress = EncodingProgress(counter, rowCount: 10)
        progress.advance()
        #expect(counter.progress.rowsDone == 0)
        progress.begin(partCount: 3)
        let rows = (0..<5).map { _ in
            progress.advance()
            return counter.progress.rowsDone
        }
        #expect(rows == [3, 6, 10, 10, 10])
    }
}
