import Testing

@testable import TexelBatch
@testable import TexelPipeline

/// A bar moves between two reports, never goes back, and does not reach its end before the work does.
@Suite struct ProgressEstimateTests {
    @Test func nothingIsExpectedBeforeAReport() {
        let estimate = ProgressEstimate()
        for seconds in [0, 1, 100] { #expect(estimate.fraction(at: .seconds(seconds)) == 0) }
    }

    @Test func goesOnAtTheAverageSpeed() {
        var estimate = ProgressEstimate()
        estimate.report(0.2, at: .seconds(2))
        #expect(estimate.fraction(at: .seconds(2)) == 0.2)
        #expect(abs(estimate.fraction(at: .seconds(3)) - 0.3) < 1e-9)
        // At most half of what is left.
        #expect(abs(estimate.fraction(at: .seconds(100)) - 0.6) < 1e-9)
    }

    @Test func neverGoesBack() {
        var estimate = ProgressEstimate()
        var last = 0.0
        for (tenths, fraction) in [(1, 0.5), (40, 0.55), (60, 0.56), (70, 0.9), (71, 0.2), (90, 1)] {
            for offset in 0..<10 {
                let shown = estimate.fraction(at: .milliseconds(tenths * 100 + offset))
                #expect(shown >= last && shown < 1)
                last = shown
            }
            estimate.report(fraction, at: .milliseconds(tenths * 100 + 10))
            #expect(estimate.fraction(at: .milliseconds(tenths * 100 + 10)) >= max(last, fraction))
        }
        #expect(estimate.fraction(at: .seconds(10)) == 1)
    }
}
