import TestSupport
import Testing

@testable import TexelPixels

/// Curves through random points.
@Suite struct MonotoneCurveTests {
    @Test(arguments: 0..<50) func staysBetweenPoints(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var x = 0.0
        let points = (0..<Int.random(in: 1...8, using: &generator)).map { _ in
            x += Double.random(in: 0.001...0.5, using: &generator)
            return (x: x, y: Bool.random(using: &generator) ? Double.random(in: 0...1, using: &generator) : 0.5)
        }
        let curve = MonotoneCurve(points)
        for point in points { #expect(abs(curve(point.x) - point.y) < 1e-12) }
        #expect(curve(-1) == points[0].y && curve(9) == points[points.count - 1].y)
        for (start, end) in zip(points, points.dropFirst()) {
            let values = (0...20).map { curve(start.x + (end.x - start.x) * Double($0) / 20) }
            let rises = end.y >= start.y
            for (value, next) in zip(values, values.dropFirst()) {
                #expect(rises ? next >= value - 1e-12 : next <= value + 1e-12)
            }
        }
    }

    /// Points on a straight line give the line.
    @Test func pointsOnALineGiveTheLine() {
        let curve = MonotoneCurve([(0.1, 0.8), (0.3, 0.6), (0.7, 0.2)])
        for x in stride(from: 0.1, through: 0.7, by: 0.05) { #expect(abs(curve(x) - (0.9 - x)) < 1e-12) }
    }
}
