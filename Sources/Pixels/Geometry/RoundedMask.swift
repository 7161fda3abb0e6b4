/// A rectangle with round corners, or a circle, as the part of each pixel that it covers.
///
/// The edge of a corner is the circle (x − r)² + (y − r)² = r². Each row of pixels is divided into 512 lines; what a
/// line covers of a pixel, between its two ends, is exact. From line to line the covered part of a pixel only grows
/// towards the middle of the image, by at most 1 in all, so the mean of the lines differs from the area by at most
/// 1/1024 (the midpoint rule for monotone functions). Rounding to a byte adds at most 1/510.
package struct RoundedMask: Sendable {
    /// The left half of a row: pixels before `first` are outside, those after the bytes are inside.
    private struct Row {
        var first: Int
        var coverage: [UInt8]
    }

    /// A quarter of the shape: its distance from the edges of the image, and the centre of its corner.
    private struct Corner {
        var inset: (x: Double, y: Double)
        var center: (x: Double, y: Double)
        var radius: Double
    }

    private static let linesPerRow = 512

    private let size: PixelSize
    /// The rows of the upper half, the middle one included. The shape is symmetric.
    private let rows: [Row]

    /// A rectangle that covers an image, with corners of one radius.
    ///
    /// - Parameter radius: in pixels, at least 0; a larger one counts as half the shorter side.
    package init(_ size: PixelSize, radius: Double) {
        let radius = min(radius, Double(min(size.width, size.height)) / 2)
        self.init(size, Corner(inset: (0, 0), center: (radius, radius), radius: radius))
    }

    /// The largest circle in the middle of an image.
    package init(circleIn size: PixelSize) {
        let center = (x: Double(size.width) / 2, y: Double(size.height) / 2)
        let radius = min(center.x, center.y)
        self.init(
            size, Corner(inset: (center.x - radius, center.y - radius), center: center, radius: radius))
    }

    private init(_ size: PixelSize, _ corner: Corner) {
        self.size = size
        rows = (0..<((size.height + 1) / 2)).map { Self.row($0, of: size, corner) }
    }

    private static func row(_ y: Int, of size: PixelSize, _ corner: Corner) -> Row {
        // Below its corners, a rectangle covers its rows entirely.
        if Double(y) >= corner.center.y { return Row(first: Int(corner.inset.x), coverage: []) }
        let (middle, half) = (Double(size.width) / 2, (size.width + 1) / 2)
        // The left ends of the lines; those below the middle of the image are those above it.
        let ends = (0..<linesPerRow).map { line -> Double in
            var position = Double(y) + (Double(line) + 0.5) / Double(linesPerRow)
            position = min(position, Double(size.height) - position)
            if position < corner.inset.y { return middle }
            let distance = max(0, corner.center.y - position)
            let chord = max(0, corner.radius * corner.radius - distance * distance).squareRoot()
            return min(middle, corner.center.x - chord)
        }
        let first = min(half, Int(ends.min() ?? middle))
        let last = min(half, Int((ends.max() ?? middle).rounded(.up)))
        // Of each column: the lines that begin in it, and what they do not cover of it.
        var counts = [Double](repeating: 0, count: last - first + 1)
        var uncovered = counts
        for end in ends {
            let column = min(Int(end), last)
            counts[column - first] += 1
            uncovered[column - first] += end - Double(column)
        }
        var begun = 0.0
        let coverage = (first..<last).map { column -> UInt8 in
            begun += counts[column - first]
            var part = (begun - uncovered[column - first]) / Double(linesPerRow)
            // The right ends of the lines are in the middle column of an odd width too.
            if 2 * column + 1 == size.width { part = 2 * part - 1 }
            return UInt8((min(max(part, 0), 1) * 255).rounded())
        }
        return Row(first: first, coverage: coverage)
    }

    /// Multiplies the alpha of a row of pixels by the part of them that is inside: (alpha × coverage + 127) / 255.
    ///
    /// - Parameters:
    ///   - y: the row.
    ///   - isPremultiplied: whether colours are multiplied too. Pixels that are outside become transparent black.
    package func apply(toRow y: Int, _ pixels: UnsafeMutablePointer<UInt32>, isPremultiplied: Bool) {
        let row = rows[min(y, size.height - 1 - y)]
        let last = size.width - 1
        pixels.update(repeating: 0, count: row.first)
        (pixels + size.width - row.first).update(repeating: 0, count: row.first)
        for (index, coverage) in row.coverage.enumerated() {
            let column = row.first + index
            pixels[column] = Self.covered(pixels[column], coverage, isPremultiplied)
            if column != last - column {
                pixels[last - column] = Self.covered(pixels[last - column], coverage, isPremultiplied)
            }
        }
    }

    private static func covered(_ pixel: UInt32, _ coverage: UInt8, _ isPremultiplied: Bool) -> UInt32 {
        func scaled(_ shift: UInt32) -> UInt32 { (((pixel >> shift & 255) * UInt32(coverage) + 127) / 255) << shift }
        guard isPremultiplied else { return scaled(24) | pixel & 0xFF_FFFF }
        return scaled(24) | scaled(16) | scaled(8) | scaled(0)
    }
}
