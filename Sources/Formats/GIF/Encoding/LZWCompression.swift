import TexelCodecs
import TexelCore

/// Chooses the smallest of several ways to compress indices.
struct LZWCompression {
    let effort: Effort
    private let stop: StopToken?

    init(_ effort: Effort, stop: StopToken?) {
        self.effort = effort
        self.stop = stop
    }

    /// Returns the smallest data; the first of several.
    ///
    /// - Throws: `stopped`.
    func smallest(_ input: LZWInput) throws(TexelError) -> [UInt8] {
        var best: [UInt8]?
        for way in ways(input) {
            var input = input
            if !way.usesAlternatives { input.alternatives = [] }
            let data = try LZWEncoder.encode(input, clearing: way.clearing, stop: stop)
            if data.count < best?.count ?? .max { best = data }
        }
        return best ?? []
    }

    private func ways(_ input: LZWInput) -> [(clearing: LZWEncoder.Clearing, usesAlternatives: Bool)] {
        let hasAlternatives = !input.alternatives.isEmpty
        switch effort {
        case .fast: return [(.whenWorse, false)]
        case .balanced: return [(.whenWorse, hasAlternatives)]
        case .best:
            let all: [(clearing: LZWEncoder.Clearing, usesAlternatives: Bool)] = [
                (.whenWorse, true), (.whenFull, true), (.whenWorse, false), (.whenFull, false),
            ]
            return all.filter { hasAlternatives || !$0.usesAlternatives }
        }
    }
}
