import CFreeType
import TexelFilters
package import TexelPixels

/// A rendered glyph, or a layer of one, and its place relative to the pen.
package struct GlyphBitmap {
    /// The colours that a bitmap is drawn with.
    package enum Ink: Hashable {
        /// The colour of the text, which is the same for all letters.
        case text
        /// The colour of the text, in a glyph that has other colours above or below.
        case foreground
        /// A colour of the font.
        case color(PixelColor)
        /// The bitmap's own pixels.
        case pixels
    }

    package let ink: Ink
    /// Coverage 0…255, row by row; empty if the bitmap has pixels.
    private(set) var coverage: [UInt8] = []
    /// Premultiplied pixels, row by row; empty if the bitmap has coverage.
    private var pixels: [UInt32] = []
    /// The width in pixels.
    package private(set) var width = 0
    /// The height in pixels.
    package private(set) var height = 0
    /// The distance from the pen to the left column, in pixels.
    let left: Int
    /// The distance from the baseline up to the top row, in pixels.
    let top: Int

    /// The size in memory.
    var byteCount: Int { coverage.count + 4 * pixels.count }

    /// Copies a bitmap of coverage.
    ///
    /// - Parameters:
    ///   - bitmap: The bitmap, of 8 bits per pixel.
    ///   - left: The distance from the pen to the left column, in pixels.
    ///   - top: The distance from the baseline up to the top row, in pixels.
    ///   - ink: The colour of the glyph.
    init(_ bitmap: FT_Bitmap, left: Int, top: Int, ink: Ink) {
        (self.left, self.top, self.ink) = (left, top, ink)
        guard Int32(bitmap.pixel_mode) == Int32(FT_PIXEL_MODE_GRAY.rawValue), let buffer = bitmap.buffer else { return }
        width = Int(bitmap.width)
        height = Int(bitmap.rows)
        coverage.reserveCapacity(width * height)
        for row in 0..<height {
            // The bitmap has `rows` rows of `width` bytes, `pitch` apart; with a negative pitch the bottom row comes
            // first.
            let pitch = Int(bitmap.pitch)
            let start = pitch >= 0 ? row * pitch : (height - 1 - row) * -pitch
            coverage += UnsafeBufferPointer(start: buffer + start, count: width)
        }
    }

    /// Takes the pixels of an image, which are premultiplied.
    init(_ image: PixelBuffer, left: Int, top: Int) {
        (self.left, self.top, ink) = (left, top, .pixels)
        (width, height) = (image.width, image.height)
        pixels = image.pixels
    }

    /// Returns a premultiplied pixel of the glyph, drawn in a text of a colour.
    ///
    /// - Parameters:
    ///   - index: The number of the pixel, row by row.
    ///   - color: The colour of the text; its alpha is a factor of the colours of the font too.
    package func premultipliedPixel(_ index: Int, in color: PixelColor) -> UInt32 {
        var paint = color
        switch ink {
        case .text, .foreground: break
        case .color(var own):
            own.alpha = Self.scaled(own.alpha, by: color.alpha)
            paint = own
        case .pixels:
            let pixel = pixels[index]
            if color.alpha == 255 { return pixel }
            return [24, 16, 8, 0].reduce(0) { result, shift in
                result | UInt32(Self.scaled(UInt8(truncatingIfNeeded: pixel >> shift), by: color.alpha)) << shift
            }
        }
        paint.alpha = Self.scaled(paint.alpha, by: coverage[index])
        return paint.premultipliedPixel
    }

    private static func scaled(_ value: UInt8, by factor: UInt8) -> UInt8 {
        UInt8((Int(value) * Int(factor) + 127) / 255)
    }

    /// Composites the glyph onto an image, clipped to it. The image keeps its alpha mode.
    ///
    /// - Parameters:
    ///   - image: The image.
    ///   - left: The column of the glyph's left edge.
    ///   - top: The row of its upper edge.
    ///   - color: The colour of the text.
    package func paint(on image: inout PixelBuffer, x left: Int, y top: Int, _ color: PixelColor) {
        let columns = (left..<left + width).clamped(to: 0..<image.width)
        let rows = (top..<top + height).clamped(to: 0..<image.height)
        if columns.isEmpty { return }
        let blend = RowBlend(.normal, backdrop: image.alphaMode, source: .premultiplied)
        let pixelsPerRow = image.pixelsPerRow
        image.withUnsafeMutablePixels { image in
            guard let base = image.baseAddress else { return }
            for row in rows {
                let source = columns.map { premultipliedPixel((row - top) * width + $0 - left, in: color) }
                // In bounds: rows and columns are clamped to the image.
                source.withUnsafeBufferPointer {
                    guard let source = $0.baseAddress else { return }
                    blend.run(source, onto: base + row * pixelsPerRow + columns.lowerBound, width: columns.count)
                }
            }
        }
    }
}
