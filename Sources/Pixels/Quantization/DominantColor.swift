public import TexelCore

/// A colour that stands for a part of an image.
public struct DominantColor: Sendable, Hashable {
    /// The colour in sRGB, opaque.
    public var color: PixelColor
    /// The share of the visible pixels whose colours are nearest to this one, 0…1. The shares of an image sum to 1.
    public var share: Double

    /// Creates a colour with its share.
    public init(color: PixelColor, share: Double) {
        self.color = color
        self.share = share
    }
}

extension PixelBuffer {
    /// The numbers of colours that ``dominantColors(_:)`` finds.
    public static let dominantColorCounts = 1...64

    /// Finds the colours that represent the image best: the means of groups of similar colours.
    ///
    /// Colours are grouped in a perceptual colour space, as palettes are: boxes are cut at the largest spread and then
    /// refined by k-means. Fully transparent pixels are left out; every other pixel counts once with its straight
    /// colour, whatever its alpha is. The result is the same on every processor.
    ///
    /// - Parameter count: the most colours, clamped to ``dominantColorCounts``.
    /// - Returns: the colours, the one with the largest share first. Fewer than `count` if the image has fewer colours;
    ///   none if it is fully transparent.
    /// - Throws: `outOfMemory`, `unusableColorProfile`.
    public func dominantColors(_ count: Int = 5) throws(TexelError) -> [DominantColor] {
        let limit = min(max(count, Self.dominantColorCounts.lowerBound), Self.dominantColorCounts.upperBound)
        let entries = try unpremultiplied().convertedToSRGB().colorEntries()
        var cut = MedianCut(entries)
        while cut.count < limit, cut.largestSpread > 0 { cut.cut() }
        var refinement = PaletteRefinement(cut)
        guard !refinement.points.isEmpty, refinement.run(12, while: { true }) else { return [] }
        // Colours that round to the same bytes are one.
        let colors = Set(refinement.points.map { PerceptualPoint.color($0) | 0xFF00_0000 }).sorted()
        let search = NearestColor(colors.map(PerceptualPoint.point))
        var weights = [Double](repeating: 0, count: colors.count)
        for entry in entries { weights[search.find(entry.point, from: 0).index] += Double(entry.weight) }
        let total = weights.reduce(0, +)
        let found = colors.indices.filter { weights[$0] > 0 }.map { index in
            DominantColor(color: PixelColor(opaque: colors[index]), share: weights[index] / total)
        }
        // The order of equal shares is that of the colours.
        return found.sorted { $0.share != $1.share ? $0.share > $1.share : $0.color.pixel < $1.color.pixel }
    }

    /// Counts the colours of the visible pixels of a straight or opaque image; alpha is ignored.
    private func colorEntries() -> [ColorHistogram.Entry] {
        var table = WeightedColors()
        withUnsafePixels { pixels in
            for y in 0..<height {
                let row = UnsafeBufferPointer(rebasing: pixels[(y * pixelsPerRow)..<(y * pixelsPerRow + width)])
                var x = 0
                while x < width {
                    let pixel = row[x]
                    // At most 65536 equal pixels at once, so that the weight times a sample fits 32 bits.
                    let begin = x
                    repeat { x += 1 } while x < width && row[x] == pixel && x - begin < 65536
                    if pixel >> 24 != 0 { table.add(pixel | 0xFF00_0000, weight: UInt32(x - begin)) }
                }
            }
        }
        return table.means.map {
            ColorHistogram.Entry(point: PerceptualPoint.point($0.color), weight: Float($0.weight))
        }
    }
}

extension PixelColor {
    /// Creates an opaque colour from a pixel 0xAARRGGBB.
    fileprivate init(opaque pixel: UInt32) {
        self.init(red: UInt8(pixel >> 16 & 255), green: UInt8(pixel >> 8 & 255), blue: UInt8(pixel & 255))
    }
}
