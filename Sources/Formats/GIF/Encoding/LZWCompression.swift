import TexelCodecs
import TexelCore

/// Chooses the smallest of several ways to compress indices.
struct LZWCompression {
    private let effort: Effort
    private let stop: StopToken?

    init(_ effort: Effort, stop: StopToken?) {
        self.effort = effort
        self.stop = stop
    }

    /// Whether the smaller of several encodings is chosen.
    var compares: Bool { effort != .fast }

    /// Returns the smallest data; the first of several.
    ///
    /// - Throws: `stopped`.
    func smallest(_ input: LZWInput) throws(TexelError) -> [UInt8] {
        switch effort {
        case .fast: try LZWEncoder.encode(input.kept, clearing: .whenWorse, stop: stop).bytes
        case .balanced: try balanced(input)
        case .best: try best(input)
        }
    }

    private func balanced(_ input: LZWInput) throws(TexelError) -> [UInt8] {
        // The longest strings take little time if every pixel has one index.
        var best: (input: LZWInput, clearing: LZWEncoder.Clearing, bytes: [UInt8])?
        for choice in input.fixedChoices {
            for clearing in [LZWEncoder.Clearing.whenWorse, .whenFull] {
                let data = try LZWEncoder.encode(choice, clearing: clearing, stop: stop)
                if data.bytes.count < best?.bytes.count ?? .max { best = (choice, clearing, data.bytes) }
                if !data.filledTable { break }
            }
        }
        guard let best else { return [] }
        func withLookahead(_ input: LZWInput) throws(TexelError) -> [UInt8] {
            try LZWEncoder.encode(input, clearing: best.clearing, lookahead: 2, stop: stop).bytes
        }
        let chosen = try withLookahead(input)
        guard best.bytes.count <= chosen.count else { return chosen }
        if input.alternatives.isEmpty { return best.bytes }
        let other = try withLookahead(best.input)
        return other.count < best.bytes.count ? other : best.bytes
    }

    private func best(_ input: LZWInput) throws(TexelError) -> [UInt8] {
        var best: [UInt8]?
        for choice in (input.alternatives.isEmpty ? [] : [input]) + input.fixedChoices {
            for (clearing, lookahead) in [(LZWEncoder.Clearing.whenWorse, 12), (.whenFull, 12), (.whenFull, 0)] {
                let bytes = try LZWEncoder.encode(choice, clearing: clearing, lookahead: lookahead, stop: stop).bytes
                if bytes.count < best?.count ?? .max { best = bytes }
            }
        }
        return best ?? []
    }
}

extension LZWInput {
    /// With the first index of every pixel.
    fileprivate var kept: LZWInput { LZWInput(indices: indices, colorCount: colorCount) }

    /// The input with only one index of every pixel: the first, the second, and the first in long runs.
    fileprivate var fixedChoices: [LZWInput] {
        if alternatives.isEmpty { return [self] }
        return [kept, LZWInput(indices: alternatives, colorCount: colorCount), keptInLongRuns]
    }

    /// The input with the first index in runs of pixels that have two, and the second elsewhere.
    private var keptInLongRuns: LZWInput {
        let shortestRun = 16
        var result = LZWInput(indices: alternatives, colorCount: colorCount)
        var start = 0
        for end in 0...indices.count where end == indices.count || indices[end] == alternatives[end] {
            if end - start >= shortestRun { result.indices.replaceSubrange(start..<end, with: indices[start..<end]) }
            start = end + 1
        }
        return result
    }
}
