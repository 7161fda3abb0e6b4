/// Divides a paragraph into lines, of which each has as many words as fit.
struct LineBreaker {
    private let paragraph: Paragraph
    private let font: TextFont
    /// The maximum width of a line in 64ths of a pixel.
    private let width: Int
    /// The sum of the advances of all clusters before each one, and of all.
    private let pens: [Int]
    /// The end of the last cluster before each one that is not a space.
    private let ends: [Int]
    /// The clusters before which a line can be broken, and the end.
    private let opportunities: [Int]
    /// All clusters that can begin a line, and the end.
    private let all: [Int]

    private var clusterCount: Int { paragraph.clusters.count }

    /// - Parameters:
    ///   - paragraph: A paragraph of the font.
    ///   - font: The font.
    ///   - width: The maximum width of a line in 64ths of a pixel.
    init(_ paragraph: Paragraph, _ font: TextFont, width: Int) {
        (self.paragraph, self.font, self.width) = (paragraph, font, width)
        let advances = font.advances(of: paragraph)
        let (classes, count) = (paragraph.classes, paragraph.clusters.count)
        var (pens, ends) = ([0], [0])
        for (cluster, start) in paragraph.clusters.enumerated() {
            let end = cluster + 1 < count ? paragraph.clusters[cluster + 1] : advances.count
            pens.append((pens.last ?? 0) + advances[start..<end].reduce(0, +))
            ends.append(classes[cluster] == .space ? ends.last ?? 0 : cluster + 1)
        }
        (self.pens, self.ends) = (pens, ends)
        // Spaces before the first word belong to it.
        let first = classes.firstIndex { $0 != .space } ?? count
        all = (0..<count).filter { $0 > first && classes[$0] != .space || $0 == first && $0 > 0 } + [count]
        opportunities =
            all.filter { index in
                guard index > first, index < count else { return index == count }
                return LineBreakClass.canBreak(before: index, of: classes)
            }
    }

    /// Returns the characters of each line. Spaces at their ends are left out.
    func lines() -> [Range<Int>] {
        if clusterCount == 0 { return [0..<0] }
        var lines: [Range<Int>] = []
        var start = 0
        while start < clusterCount {
            let end = end(after: start)
            lines.append(characters(start, end))
            start = end
        }
        return lines
    }

    /// Returns the first cluster of the line after the one that begins with a cluster.
    private func end(after start: Int) -> Int {
        last(of: opportunities, after: start) ?? last(of: all, after: start)
            // A cluster is never divided, even if it does not fit.
            ?? all[Self.firstIndex(in: all) { $0 > start }]
    }

    /// Returns the last of some places at which the line that begins with a cluster fits; `nil` if it fits at none.
    ///
    /// The places are found by the sum of advances. Only those close to it are measured, because shaping a line takes
    /// time, and kerning, ligatures and overhanging letters change its width by little.
    private func last(of places: [Int], after start: Int) -> Int? {
        let lower = Self.firstIndex(in: places) { $0 > start }
        let tooFar = Self.firstIndex(in: places) { $0 > start && advance(start, $0) > width }
        var index = max(lower, tooFar - 1)
        while index >= lower, !fits(start, places[index]) { index -= 1 }
        if index < lower { return nil }
        while index + 1 < places.count, fits(start, places[index + 1]) { index += 1 }
        return places[index]
    }

    private func fits(_ start: Int, _ end: Int) -> Bool {
        if advance(start, end) > 2 * width { return false }
        return font.line(characters(start, end), of: paragraph).extent.width <= width
    }

    /// The sum of the advances of a line without the spaces at its end.
    private func advance(_ start: Int, _ end: Int) -> Int { pens[max(start, ends[end])] - pens[start] }

    private func characters(_ start: Int, _ end: Int) -> Range<Int> {
        func character(_ cluster: Int) -> Int {
            cluster < clusterCount ? paragraph.clusters[cluster] : paragraph.characters.count
        }
        return character(start)..<character(max(start, ends[end]))
    }

    /// Returns the index of the first element that fulfils a condition, as all after it do; the count if none does.
    private static func firstIndex(in values: [Int], where condition: (Int) -> Bool) -> Int {
        var (lower, upper) = (0, values.count)
        while lower < upper {
            let middle = (lower + upper) / 2
            if condition(values[middle]) { upper = middle } else { lower = middle + 1 }
        }
        return lower
    }
}
