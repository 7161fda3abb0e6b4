/// Finds the longest string that a table has for pixels of which some may have either of two indices.
struct LZWMatcher {
    struct Match {
        var code: UInt32
        var length: Int
        /// The first index of the string.
        var first: UInt8
    }

    private struct Candidate {
        var code: UInt32
        var first: UInt8
    }

    /// More strings than these are not followed.
    private static let limit = 12
    private var candidates: [Candidate] = []
    private var longer: [Candidate] = []

    /// Finds the longest string.
    ///
    /// - Parameters:
    ///   - position: the first pixel.
    ///   - first: the index of that pixel; `nil` for either.
    mutating func longest(
        in codes: borrowing LZWCodeTable, _ indices: [UInt8], _ alternatives: [UInt8], from position: Int,
        first: UInt8?
    ) -> Match {
        candidates.removeAll(keepingCapacity: true)
        let (index, other) = (first ?? indices[position], first ?? alternatives[position])
        candidates.append(Candidate(code: UInt32(index), first: index))
        if other != index { candidates.append(Candidate(code: UInt32(other), first: other)) }
        var end = position + 1
        while end < indices.count {
            let (index, other) = (indices[end], alternatives[end])
            longer.removeAll(keepingCapacity: true)
            for candidate in candidates where longer.count < Self.limit {
                if let code = codes.find(candidate.code, index).code {
                    longer.append(Candidate(code: code, first: candidate.first))
                }
                if other != index, let code = codes.find(candidate.code, other).code {
                    longer.append(Candidate(code: code, first: candidate.first))
                }
            }
            if longer.isEmpty { break }
            swap(&candidates, &longer)
            end += 1
        }
        return Match(code: candidates[0].code, length: end - position, first: candidates[0].first)
    }
}
