import TexelPixels

/// Orders of a palette. Neighbouring numbers for colours that lie beside each other make rows that filters predict and
/// packed bits that repeat. Colours that are not opaque always come first, so that tRNS stays short.
enum PaletteOrder {
    /// By alpha, red, green and blue: the same for all pictures.
    static func byValue(_ colors: [UInt32]) -> [UInt32] { translucentFirst(colors.sorted()) }

    /// From dark to light.
    static func byLuma(_ colors: [UInt32]) -> [UInt32] {
        func luma(_ color: UInt32) -> UInt32 {
            (color >> 16 & 255) * 299 + (color >> 8 & 255) * 587 + (color & 255) * 114
        }
        return translucentFirst(colors.sorted { (luma($0), $0) < (luma($1), $1) })
    }

    private static func translucentFirst(_ colors: [UInt32]) -> [UInt32] {
        colors.filter { $0 >> 24 != 255 } + colors.filter { $0 >> 24 == 255 }
    }
}

/// How often the colours of a palette occur, and beside which others.
struct ColorNeighbors {
    private let colors: [UInt32]
    /// Of each colour.
    private var counts: [Int]
    /// Of each pair of colours, side by side or one above the other; symmetric, row after row.
    private var pairs: [Int]

    /// - Parameter colors: all that the picture has, at most 256.
    init(_ picture: PixelBuffer, colors: [UInt32]) {
        self.colors = colors
        let count = colors.count
        var counts = [Int](repeating: 0, count: count)
        var pairs = [Int](repeating: 0, count: count * count)
        let table = ColorTable(colors)
        var above: [Int] = []
        var row = [Int](repeating: 0, count: picture.width)
        picture.withUnsafePixels { pixels in
            for y in 0..<picture.height {
                let first = y * picture.pixelsPerRow
                for x in 0..<picture.width {
                    row[x] =
                        x > 0 && pixels[first + x] == pixels[first + x - 1]
                        ? row[x - 1] : table.index(of: pixels[first + x]) ?? 0
                    counts[row[x]] += 1
                    if x > 0, row[x] != row[x - 1] { pairs[row[x] * count + row[x - 1]] += 1 }
                    if y > 0, row[x] != above[x] { pairs[row[x] * count + above[x]] += 1 }
                }
                above = row
            }
        }
        for a in 0..<count {
            for b in 0..<a {
                let sum = pairs[a * count + b] + pairs[b * count + a]
                pairs[a * count + b] = sum
                pairs[b * count + a] = sum
            }
        }
        self.counts = counts
        self.pairs = pairs
    }

    /// The most frequent first.
    var byPopularity: [UInt32] {
        let order = colors.indices.sorted { (counts[$1], $0) < (counts[$0], $1) }
        return translucentFirst(order)
    }

    /// Colours that are often neighbours are near each other: one after the other, the colour that most often lies beside
    /// those that have a place gets one, at the end that is nearer to its neighbours (after Zeng, Li and Lei, "An
    /// efficient color re-indexing scheme for palette-based compression", and Pinho and Neves's changes).
    var byNeighbors: [UInt32] {
        let count = colors.count
        var rest = Array(0..<count)
        // What each colour has in common with those that have a place.
        var weights = (0..<count).map { color in pairs[(color * count)..<((color + 1) * count)].reduce(0, +) }
        var placed: [Int] = []
        while !rest.isEmpty {
            let next = rest.indices.reduce(0) { best, index in
                (weights[rest[index]], counts[rest[index]]) > (weights[rest[best]], counts[rest[best]]) ? index : best
            }
            let color = rest.remove(at: next)
            if placed.isEmpty { weights = Array(repeating: 0, count: count) }
            for other in rest { weights[other] += pairs[color * count + other] }
            // Positive where its neighbours lie nearer to the end.
            let balance = placed.indices.reduce(0) { sum, place in
                sum + pairs[color * count + placed[place]] * (2 * place + 1 - placed.count)
            }
            if balance < 0 { placed.insert(color, at: 0) } else { placed.append(color) }
        }
        return translucentFirst(placed)
    }

    private func translucentFirst(_ order: [Int]) -> [UInt32] {
        let ordered = order.map { colors[$0] }
        return ordered.filter { $0 >> 24 != 255 } + ordered.filter { $0 >> 24 == 255 }
    }
}
