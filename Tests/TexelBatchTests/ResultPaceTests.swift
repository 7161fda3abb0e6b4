import Testing

@testable import TexelBatch

/// When results are gathered.
@Suite struct ResultPaceTests {
    private let short = Duration.microseconds(100)
    private let long = Duration.milliseconds(20)

    private func pace(_ waits: [Duration]) -> ResultPace {
        var pace = ResultPace()
        for wait in waits { pace.add(wait: wait, hasRested: false) }
        return pace
    }

    @Test func manyShortWaitsRest() {
        let shorts = [Duration](repeating: short, count: 100)
        #expect(pace(shorts).rests)
        #expect(!pace(Array(shorts.prefix(10))).rests)
        #expect(!pace(shorts + [long]).rests)
        #expect(!pace(shorts + [long] + shorts.prefix(10)).rests)
        #expect(!pace((0..<100).map { $0.isMultiple(of: 2) ? short : long }).rests)
    }

    /// A rest in which nothing came is not repeated, however short the wait after it.
    @Test func vainRestEnds() {
        var pace = pace([Duration](repeating: short, count: 100))
        pace.add(wait: short, hasRested: true)
        #expect(!pace.rests)
    }
}
