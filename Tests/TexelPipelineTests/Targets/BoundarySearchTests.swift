import Foundation
import TestSupport
import Testing

@testable import TexelPipeline

/// The search for the step at which rising values reach a level.
@Suite struct BoundarySearchTests {
    /// Measures until the search ends.
    private func run(_ search: inout BoundarySearch, _ values: [Double]) -> Int {
        var count = 0
        while let index = search.next {
            search.add(index, values[index])
            count += 1
        }
        return count
    }

    /// Rising numbers, mostly in small steps, sometimes in jumps.
    private func growing(_ count: Int, using generator: inout SeededGenerator) -> [Double] {
        var value = Double.random(in: -50...50, using: &generator)
        return (0..<count).map { _ in
            value += Bool.random(using: &generator) ? .random(in: 0...1, using: &generator) : 0
            if Int.random(in: 0..<10, using: &generator) == 0 { value += .random(in: 0...30, using: &generator) }
            return value
        }
    }

    @Test func findsTheFirstStepThatReachesTheLevel() throws {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<2000 {
            let count = Int.random(in: 1...120, using: &generator)
            let (values, expected) = (growing(count, using: &generator), growing(count, using: &generator))
            // A value may be exactly at the level, and reaches it.
            let level =
                Bool.random(using: &generator)
                ? values[.random(in: 0..<count, using: &generator)] : .random(in: -60...200, using: &generator)
            var search = BoundarySearch(expected: expected, level: level)
            let measured = run(&search, values)
            #expect(search.reached?.index == values.firstIndex { $0 >= level })
            #expect(search.below?.index == values.lastIndex { $0 < level })
            // Halving alone takes seven measurements, and at least every third measurement halves, even with bad
            // expectations.
            #expect(measured <= 24, "\(measured) of \(count)")
        }
    }

    /// If values differ from the expectation by an offset and a scale only, few measurements are needed.
    @Test func goodExpectationsSaveMeasurements() throws {
        let expected = (0..<100).map { 30 * Double($0).squareRoot() }
        for shift in [-20.0, -3, 0, 7, 40] {
            for stretch in [0.8, 1, 1.15] {
                let values = expected.map { $0 * stretch + shift }
                for level in stride(from: values[3], to: values[96], by: 11) {
                    var search = BoundarySearch(expected: expected, level: level)
                    #expect(run(&search, values) <= 7, "\(shift) \(stretch) \(level)")
                }
            }
        }
    }

    /// A curve with another shape than expected, as for drawings.
    @Test func bentCurvesTakeFewMeasurements() throws {
        let expected = (0..<200).map { Double($0) / 2 - 10 }
        let values = (0..<200).map { 92 * (1 - pow(0.5, Double($0) / 30)) }
        for level in stride(from: 10.0, to: 90, by: 4) {
            var search = BoundarySearch(expected: expected, level: level)
            let isNear = (0..<8).contains { _ in
                guard let index = search.next else { return true }
                search.add(index, values[index])
                return (level...level + 1.5).contains(values[index])
            }
            #expect(isNear, "\(level)")
        }
    }

    @Test func whatWasNotMeasuredBelowTheBoundary() {
        var search = BoundarySearch(expected: (0..<9).map(Double.init), level: 5)
        #expect(search.nextBelow == 8)
        for index in [4, 6, 5, 3] { search.add(index, Double(index)) }
        #expect(search.next == nil && search.nextBelow == 2)
    }

    @Test func stopsWithoutMeasurementsOnAnEmptyLadder() {
        #expect(BoundarySearch(expected: [], level: 1).next == nil)
    }
}
