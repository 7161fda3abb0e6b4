import TestSupport
import Testing

@testable import TexelCodecs
@testable import TexelJPEG

@Suite struct HuffmanLengthTests {
    private func counts(_ symbolCount: Int, _ count: (Int) -> Int) -> [Int] {
        (0..<256).map { $0 < symbolCount ? count($0) : 0 }
    }

    /// Expects a prefix code with at most 16 bits per symbol, in which one code remains for the reserved symbol.
    private func expectCode(_ lengths: HuffmanLengths, _ counts: [Int], _ comment: String) {
        #expect(lengths.lengths.allSatisfy { $0 <= 16 }, "\(comment)")
        #expect(zip(lengths.lengths, counts).allSatisfy { ($0 > 0) == ($1 > 0) }, "\(comment)")
        let used = lengths.lengths.filter { $0 > 0 }.reduce(0) { $0 + 1 << (16 - Int($1)) }
        #expect(used < 1 << 16, "\(comment)")
        #expect(lengths.bitCount == zip(lengths.lengths, counts).reduce(0) { $0 + Int($1.0) * $1.1 }, "\(comment)")
        #expect(lengths.symbolCount == counts.filter { $0 > 0 }.count, "\(comment)")
    }

    @Test func fewSymbolsGetTheShortestCodes() {
        #expect(HuffmanLengths(counts(0) { _ in 0 }).bitCount == 0)
        #expect(HuffmanLengths(counts(1) { _ in 1000 }).bitCount == 1000)
        // Two symbols and the reserved one.
        #expect(HuffmanLengths(counts(2) { [70, 30][$0] }).lengths.prefix(2) == [1, 2])
        #expect(HuffmanLengths(counts(3) { [10, 20, 30][$0] }).lengths.prefix(3) == [3, 2, 1])
    }

    @Test func equalCountsGiveAValidCode() {
        for symbolCount in [4, 100, 162, 256] {
            let counts = counts(symbolCount) { _ in 1000 }
            expectCode(HuffmanLengths(counts), counts, "\(symbolCount) symbols")
        }
    }

    @Test func longCodesAreLimited() {
        // Fibonacci counts cause the longest codes.
        var fibonacci = [1, 1]
        while fibonacci.count < 40 { fibonacci.append(fibonacci[fibonacci.count - 1] + fibonacci[fibonacci.count - 2]) }
        for symbolCount in [16, 17, 25, 40] {
            let counts = counts(symbolCount) { fibonacci[$0] }
            expectCode(HuffmanLengths(counts), counts, "\(symbolCount) symbols")
        }
    }

    @Test func randomCountsCostNearlyTheirEntropy() {
        var generator = SeededGenerator(seed: 9)
        for _ in 0..<200 {
            let counts = counts(Int.random(in: 2...256, using: &generator)) { _ in
                Int.random(in: 1...1000, using: &generator) * Int.random(in: 1...20, using: &generator)
            }
            let code = HuffmanLengths(counts)
            expectCode(code, counts, "random")
            let total = counts.reduce(0, +)
            // Codes are at most one bit longer than the entropy, and the reserved symbol costs less than one bit per
            // symbol.
            #expect(code.bitCount < total * 10)
            // More frequent symbols never have longer codes.
            let order = counts.indices.filter { counts[$0] > 0 }.sorted { counts[$0] > counts[$1] }
            #expect(
                zip(order, order.dropFirst()).allSatisfy {
                    counts[$0] == counts[$1] || code.lengths[$0] <= code.lengths[$1]
                })
        }
    }
}
