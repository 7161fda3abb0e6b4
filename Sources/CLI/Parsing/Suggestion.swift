/// Suggests corrections of misspelt words.
enum Suggestion {
    /// The word nearest to a misspelt one; `nil` if none is similar.
    static func nearest(to word: String, among words: some Sequence<String>) -> String? {
        let limit = max(1, word.count / 3)
        return words.map { (distance(word, $0), $0) }.filter { $0.0 <= limit }
            .min { ($0.0, $0.1) < ($1.0, $1.1) }?.1
    }

    /// The number of letters that must be added, removed, replaced, or exchanged with a neighbour (restricted
    /// Damerau-Levenshtein distance).
    static func distance(_ first: String, _ second: String) -> Int {
        let (first, second) = (Array(first.lowercased()), Array(second.lowercased()))
        var (before, last) = ([Int](), Array(0...second.count))
        for (row, letter) in first.enumerated() {
            var next = [row + 1]
            for (column, other) in second.enumerated() {
                var best = min(last[column + 1] + 1, next[column] + 1, last[column] + (letter == other ? 0 : 1))
                if row > 0, column > 0, letter == second[column - 1], first[row - 1] == other {
                    best = min(best, before[column - 1] + 1)
                }
                next.append(best)
            }
            (before, last) = (last, next)
        }
        return last[second.count]
    }
}
