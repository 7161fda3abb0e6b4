import Foundation
import TestSupport
import Testing

@testable import TexelCodecs
@testable import TexelJPEG

@Suite struct QuantizationSettingsTests {
    @Test func finerStepsForHigherQuality() {
        let settings = stride(from: 1.0, through: 100, by: 0.25).map { QuantizationSettings(quality: $0) }
        for (coarse, fine) in zip(settings, settings.dropFirst()) {
            for (a, b) in [(coarse.luma, fine.luma), (coarse.chroma, fine.chroma)] {
                #expect(zip(a.table.steps, b.table.steps).allSatisfy { $0 >= $1 })
                #expect(a.price >= b.price && b.price > 0)
            }
        }
        #expect(settings[0].luma.table != settings[settings.count - 1].luma.table)
    }

    @Test(arguments: [1.0, 50, 100]) func settingsStayInRange(quality: Double) {
        let settings = QuantizationSettings(quality: quality)
        #expect(settings.luma.table.steps.allSatisfy { (1...255).contains($0) })
        #expect(settings.luma.weighting.map { $0 > 0 && $0 <= 1 } == true)
        #expect(settings.chroma.weighting == nil)
    }

    @Test func curvesGoThroughTheirPoints() {
        let curve = KnotCurve([(0, 9), (2, 36), (3, 72)])
        for (x, y) in [(0.0, 9.0), (1, 18), (2, 36), (2.5, 36 * 2.0.squareRoot()), (3, 72), (4, 144), (-1, 4.5)] {
            #expect(abs(curve.value(at: x) / y - 1) < 1e-9, "at \(x)")
        }
    }

    @Test func logarithmsAndPowers() {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<2000 {
            let x = Double.random(in: -40...40, using: &generator)
            #expect(abs(BinaryLogarithm.power(x) / exp2(x) - 1) < 1e-12)
            #expect(abs(BinaryLogarithm.logarithm(exp2(x)) - x) < 1e-10)
        }
        for exponent in -20...20 {
            #expect(BinaryLogarithm.logarithm(exp2(Double(exponent))) == Double(exponent))
            #expect(BinaryLogarithm.power(Double(exponent)) == exp2(Double(exponent)))
        }
    }
}
