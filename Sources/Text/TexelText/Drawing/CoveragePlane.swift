import TexelFilters
import TexelPixels

/// How much of each pixel of an image a text covers.
struct CoveragePlane {
    private let width: Int
    private let height: Int
    /// Coverage 0…255, row by row.
    private var samples: [UInt8]

    /// Creates a plane without coverage.
    init(_ size: PixelSize) {
        width = size.width
        height = size.height
        samples = [UInt8](repeating: 0, count: width * height)
    }

    /// Adds a glyph, clipped to the plane. Where glyphs overlap, coverage is combined as if it was independent.
    ///
    /// - Parameters:
    ///   - glyph: The glyph.
    ///   - left: Its left column.
    ///   - top: Its upper row.
    mutating func add(_ glyph: GlyphBitmap, x left: Int, y top: Int) {
        let columns = (left..<left + glyph.width).clamped(to: 0..<width)
        let rows = (top..<top + glyph.height).clamped(to: 0..<height)
        if columns.isEmpty { return }
        samples.withUnsafeMutableBufferPointer { samples in
            glyph.coverage.withUnsafeBufferPointer { coverage in
                for y in rows {
                    // In bounds: rows and columns are clamped to the plane, and to the glyph by their definition.
                    let (to, from) = (y * width, (y - top) * glyph.width - left)
                    for x in columns {
                        let (old, new) = (UInt32(samples[to + x]), UInt32(coverage[from + x]))
                        samples[to + x] = UInt8(old + (new * (255 - old) + 127) / 255)
                    }
                }
            }
        }
    }

    /// Covers the pixels whose centres are in a circle.
    ///
    /// - Parameters:
    ///   - x: The column of its centre.
    ///   - y: The row of its centre.
    ///   - radius: Its radius in pixels.
    mutating func addDisc(x: Double, y: Double, radius: Double) {
        let (first, last) = (Int((y - radius - 0.5).rounded(.up)), Int((y + radius - 0.5).rounded(.down)))
        guard first <= last else { return }
        samples.withUnsafeMutableBufferPointer { samples in
            for row in (first..<last + 1).clamped(to: 0..<height) {
                let distance = Double(row) + 0.5 - y
                let half = max(0, radius * radius - distance * distance).squareRoot()
                let (left, right) = (Int((x - half - 0.5).rounded(.up)), Int((x + half - 0.5).rounded(.down)))
                guard left <= right else { continue }
                // In bounds: rows and columns are clamped to the plane.
                let columns = (left..<right + 1).clamped(to: 0..<width)
                samples[row * width + columns.lowerBound..<row * width + columns.upperBound].update(repeating: 255)
            }
        }
    }

    /// Paints a colour where the plane has coverage.
    ///
    /// - Parameters:
    ///   - color: The colour; coverage is a factor of its alpha.
    ///   - image: The image that is painted on: of the same size, with straight alpha.
    func paint(_ color: PixelColor, on image: inout PixelBuffer) {
        // The pixel of each coverage.
        let pixels = (0...255).map { coverage in
            PixelColor(
                red: color.red, green: color.green, blue: color.blue,
                alpha: UInt8((Int(color.alpha) * coverage + 127) / 255)
            ).pixel
        }
        let blend = RowBlend(.normal, backdrop: .straight, source: .straight)
        var source = [UInt32](repeating: 0, count: width)
        let pixelsPerRow = image.pixelsPerRow
        image.withUnsafeMutablePixels { image in
            guard let base = image.baseAddress else { return }
            for y in 0..<height {
                for x in 0..<width { source[x] = pixels[Int(samples[y * width + x])] }
                // In bounds: the image has as many rows and columns as the plane.
                source.withUnsafeBufferPointer {
                    if let source = $0.baseAddress { blend.run(source, onto: base + y * pixelsPerRow, width: width) }
                }
            }
        }
    }
}
