import TexelCodecs
import TexelPixels

/// Orders of a palette. If adjacent colours have close indices, filters predict rows better and packed bits repeat.
/// Non-opaque colours always come first, so that tRNS stays short.
enum PaletteOrder {
    /// Sorts by alpha, red, green and blue; independent of the image.
    static func byValue(_ colors: [UInt32]) -> [UInt32] { translucentFirst(colors.sorted()) }

    /// Sorts from dark to light.
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

/// Counts the colours of a palette and the pairs of adjacent colours in an image.
struct ColorNeighbors {
    private let colors: [UInt32]
    /// The number of pixels of each colour.
    private var counts: [Int]
    /// The number of horizontally or vertically adjacent pixels for each pair of colours; a symmetric matrix, row by
    /// row.
    private var pairs: [Int]

    /// - Parameter colors: all colours of the image, at most 256.
    init(_ image: PixelBuffer, colors: [UInt32]) {
        self.colors = colors
        let count = colors.count
        var counts = [Int](repeating: 0, count: count)
        var pairs = [Int](repeating: 0, count: count * count)
        let table = ColorTable(colors)
        var above: [Int] = []
        var row = [Int](repeating: 0, count: image.width)
        image.withUnsafePixels { pixels in
            for y in 0..<image.height {
                let first = y * image.pixelsPerRow
                for x in 0..<image.width {
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

    /// The colours by frequency, the most frequent first.
    var byPopularity: [UInt32] {
        let order = colors.indices.sorted { (counts[$1], $0) < (counts[$0], $1) }
        return translucentFirst(order)
    }

    /// The colours in an order that puts frequent neighbours close to each other. Greedy: the colour with the most
    /// adjacencies to those already placed is added at the end that is closer to its neighbours (after Zeng, Li and
    /// Lei, "An efficient color re-indexing scheme for palette-based compression", with Pinho and Neves's changes).
    var byNeighbors: [UInt32] {
        let count = colors.count
        var rest = Array(0..<count)
        // The adjacencies of each colour with those already placed; at first with all, to choose the first colour.
        var weights = (0..<count).map { color in pairs[(color * count)..<((color + 1) * count)].reduce(0, +) }
        var placed: [Int] = []
        while !rest.isEmpty {
            let next = rest.indices.reduce(0) { best, index in
                (weights[rest[index]], counts[rest[index]]) > (weights[rest[best]], counts[rest[best]]) ? index : best
            }
            let color = rest.remove(at: next)
            if placed.isEmpty { weights = Array(repeating: 0, count: count) }
            for other in rest { weights[other] += pairs[color * count + other] }
            // Positive if its neighbours are closer to the end.
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
