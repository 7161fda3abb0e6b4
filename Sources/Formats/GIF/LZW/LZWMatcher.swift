/// Finds the longest string that a table has for pixels of which some may have either of two indices.
struct LZWMatcher {
    /// A string, with its first index.
    struct Match {
        var length: Int
        var first: UInt8
    }

    private struct Candidate {
        var code: UInt32
        var first: UInt8
    }

    /// More strings than these are not followed.
    private static let limit = 12
    /// The strings of a length, and those that are longer by a pixel, in turn.
    private var candidates = InlineArray<24, Candidate>(repeating: Candidate(code: 0, first: 0))
    /// The codes of the longest strings, by their length modulo ``depth``.
    private var codes = InlineArray<16, UInt32>(repeating: 0)

    /// The number of strings, of the longest one and of those that are shorter by a pixel each, whose codes are known.
    static let depth = 16

    /// Returns the code of a string of the last match.
    ///
    /// - Parameter length: less than the match's by less than ``depth``.
    func code(ofLength length: Int) -> UInt32 { codes[length & (Self.depth - 1)] }

    /// Finds the longest string.
    ///
    /// - Parameters:
    ///   - pixels: the two indices of each pixel.
    ///   - position: the first pixel.
    ///   - first: the index of that pixel; `nil` for either.
    @inline(__always) mutating func longest(
        in table: borrowing LZWCodeTable, _ pixels: UnsafeBufferPointer<LZWInput.Choice>, from position: Int,
        first: UInt8?
    ) -> Match {
        let choice = first.map { LZWInput.Choice(index: $0, other: $0) } ?? pixels[position]
        candidates[0] = Candidate(code: UInt32(choice.index), first: choice.index)
        candidates[1] = Candidate(code: UInt32(choice.other), first: choice.other)
        var (start, count) = (0, choice.other == choice.index ? 1 : 2)
        var length = 1
        codes[1] = candidates[0].code
        while position + length < pixels.count {
            let choice = pixels[position + length]
            let longer = Self.limit - start
            var longerCount = 0
            for number in start..<(start + count) {
                let candidate = candidates[number]
                if longerCount < Self.limit, let code = table.find(candidate.code, choice.index).code {
                    candidates[longer + longerCount] = Candidate(code: code, first: candidate.first)
                    longerCount += 1
                }
                if choice.other != choice.index, longerCount < Self.limit,
                    let code = table.find(candidate.code, choice.other).code
                {
                    candidates[longer + longerCount] = Candidate(code: code, first: candidate.first)
                    longerCount += 1
                }
            }
            if longerCount == 0 { break }
            (start, count) = (longer, longerCount)
            length += 1
            codes[length & (Self.depth - 1)] = candidates[start].code
        }
        return Match(length: length, first: candidates[start].first)
    }
}
