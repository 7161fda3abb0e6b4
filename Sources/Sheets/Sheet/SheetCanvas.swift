import TexelPixels
import TexelText

/// A page on which images and captions are drawn.
struct SheetCanvas {
    /// The pixels; opaque or premultiplied.
    private var pixels: PixelBuffer

    /// Creates a page filled with a colour.
    ///
    /// - Throws: `outOfMemory`, `invalidSize`.
    init(_ size: PixelSize, background: PixelColor) throws(PixelBufferError) {
        pixels = try PixelBuffer(
            width: size.width, height: size.height, filledWith: background.premultipliedPixel,
            alphaMode: background.alpha == 255 ? .opaque : .premultiplied)
    }

    /// Returns the page with straight alpha, as encoders require. Moves the buffer instead of copying it, since a page
    /// may be as large as memory allows.
    consuming func image() -> PixelBuffer {
        pixels.unpremultiply()
        return pixels
    }

    // MARK: Drawing

    /// Composites a colour onto a rectangle, clipped to the page.
    mutating func fill(_ rectangle: PixelRectangle, _ color: PixelColor) {
        let source = color.premultipliedPixel
        onRows(rectangle) { row, _ in
            for index in row.indices { row[index] = Self.laid(source, on: row[index]) }
        }
    }

    /// Draws a border around a rectangle.
    mutating func stroke(_ inner: PixelRectangle, _ frame: SheetStyle.Frame) {
        let width = frame.width
        let (x, y) = (inner.x - width, inner.y - width)
        let length = inner.width + 2 * width
        fill(PixelRectangle(x: x, y: y, width: length, height: width), frame.color)
        fill(PixelRectangle(x: x, y: inner.y + inner.height, width: length, height: width), frame.color)
        fill(PixelRectangle(x: x, y: inner.y, width: width, height: inner.height), frame.color)
        fill(PixelRectangle(x: inner.x + inner.width, y: inner.y, width: width, height: inner.height), frame.color)
    }

    /// Draws an image at the centre of a box and returns its rectangle.
    ///
    /// - Throws: `unusableColorProfile`, `outOfMemory`.
    mutating func draw(_ image: PixelBuffer, in box: PixelRectangle) throws(PixelBufferError) -> PixelRectangle {
        let source = try image.convertedToSRGB().premultiplied()
        let place = PixelRectangle(
            x: box.x + (box.width - source.width) / 2, y: box.y + (box.height - source.height) / 2,
            width: source.width, height: source.height)
        onRows(place) { row, offset in
            let line = source.row(offset.y)
            for index in row.indices {
                row[index] = Self.laid(line[offset.x + index - row.startIndex], on: row[index])
            }
        }
        return place
    }

    /// Draws a line of text, centred in `width` pixels and shortened if it is too long.
    mutating func draw(_ text: String, x: Int, y: Int, width: Int, _ font: TextFont, _ color: PixelColor) {
        let line = font.line(font.shortened(text, to: width)[...])
        let left = x + (width - line.width) / 2
        font.forEachGlyph(of: line) { glyph, glyphX, glyphY in
            let place = PixelRectangle(x: left + glyphX, y: y + glyphY, width: glyph.width, height: glyph.height)
            onRows(place) { row, offset in
                for index in row.indices {
                    let pixel = offset.y * glyph.width + offset.x + index - row.startIndex
                    row[index] = Self.laid(glyph.premultipliedPixel(pixel, in: color), on: row[index])
                }
            }
        }
    }

    /// Calls `body` with each row of a rectangle, clipped to the page, and the clipped row's offset in the rectangle.
    private mutating func onRows(
        _ rectangle: PixelRectangle, _ body: (inout Slice<UnsafeMutableBufferPointer<UInt32>>, (x: Int, y: Int)) -> Void
    ) {
        let columns = (rectangle.x..<rectangle.x + rectangle.width).clamped(to: 0..<pixels.width)
        let rows = (rectangle.y..<rectangle.y + rectangle.height).clamped(to: 0..<pixels.height)
        if columns.isEmpty { return }
        let pixelsPerRow = pixels.pixelsPerRow
        pixels.withUnsafeMutablePixels { page in
            for y in rows {
                // In bounds: rows and columns are clamped to the page.
                var row = page[(y * pixelsPerRow + columns.lowerBound)..<(y * pixelsPerRow + columns.upperBound)]
                body(&row, (columns.lowerBound - rectangle.x, y - rectangle.y))
            }
        }
    }

    /// Composites one premultiplied pixel onto another ("over" in Porter and Duff, 1984).
    private static func laid(_ source: UInt32, on below: UInt32) -> UInt32 {
        let rest = 255 - source >> 24
        if rest == 0 { return source }
        // Scales two channels at once; with p = v × rest + 128, (p + (p >> 8)) >> 8 is v × rest / 255, rounded.
        func scaled(_ pair: UInt32) -> UInt32 {
            let product = pair * rest + 0x0080_0080
            let carried = product + ((product >> 8) & 0x00FF_00FF)
            return (carried >> 8) & 0x00FF_00FF
        }
        let (even, odd) = (scaled(below & 0x00FF_00FF), scaled((below >> 8) & 0x00FF_00FF))
        return source + (even | odd << 8)
    }
}
