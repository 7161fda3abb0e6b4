import Testing
import TexelPixels

@testable import TexelCodecs
@testable import TexelPNG

/// A PNG that is compressed again gets less search the larger it is.
@Suite struct PNGTimeTests {
    private let effort: PNGEffort

    init() {
        var options = PNGOptions()
        options.compresses = true
        effort = PNGEffort(options)
    }

    /// An image whose rows have yet to arrive.
    private func candidate(_ side: Int, isRepetitive: Bool) -> PNGSearch.Candidate {
        let rows = PNGRowWindow(PixelSize(width: side, height: side), bandHeight: 8)
        let format = PNGPixelFormat(storing: .rgb, bitDepth: 8)
        let stream = PixelStream(
            rows: PNGRows(.window(rows), format), strategy: .matches, bandSize: effort.bandSize, stop: nil)
        return PNGSearch.Candidate(reduction: format, stream: stream, isRepetitive: isRepetitive)
    }

    @Test func photographsOfAllSizes() {
        let sides = [500, 5_000, 6_000, 9_000, 12_000, 14_000, 16_383]
        let candidates = sides.map { candidate($0, isRepetitive: false) }
        #expect(candidates.map { effort.finalists(of: $0) } == [2, 2, 1, 1, 1, 1, 1])
        #expect(
            candidates.map { effort.comparesTrials(with: $0) } == [true, true] + [Bool](repeating: false, count: 5))
        let methods = candidates.map { effort.final($0) }
        #expect(methods.map(\.level) == [10, 12, 12, 10, 9, 7, 7])
        #expect(methods.map { $0.passes > 0 } == [true] + [Bool](repeating: false, count: 6))
    }

    @Test func largeRepetitiveImagesGetLessSearch() {
        let methods = [500, 5_000, 10_000, 12_000, 16_383].map { effort.final(candidate($0, isRepetitive: true)) }
        #expect(methods.map(\.level) == [10, 10, 10, 9, 7])
        #expect(methods.map { $0.passes > 0 } == [true, true, true, false, false])
    }

    /// Nothing that takes longer is allowed where something shorter is not.
    @Test func longerWorkNeedsSmallerImages() {
        for byteCount in [0, 1 << 20, 90 << 20, 160 << 20, 250 << 20, 350 << 20, 800 << 20, 1 << 40] {
            let time = PNGTime(filteredByteCount: byteCount)
            let allowed = PNGTime.Work.allCases.filter { time.allows($0) }.map(\.rawValue)
            let refused = PNGTime.Work.allCases.filter { !time.allows($0) }.map(\.rawValue)
            #expect((allowed.max() ?? 0) < (refused.min() ?? .max))
            #expect(byteCount > 0 || refused.isEmpty)
        }
    }
}
