import TexelCore
import TexelFilters
import TexelPixels
import TexelText

/// A page on which images and captions are drawn.
struct SheetCanvas {
    /// The pixels; opaque or premultiplied.
    private var pixels: PixelBuffer

    /// Creates a page filled with a colour.
    ///
    /// - Throws: `outOfMemory`, `invalidSize`.
    init(_ size: PixelSize, background: PixelColor) throws(TexelError) {
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
        lay(rectangle) { columns, _ in Array(repeating: color.premultipliedPixel, count: columns.count) }
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
    mutating func draw(_ image: PixelBuffer, in box: PixelRectangle) throws(TexelError) -> PixelRectangle {
        let source = try image.convertedToSRGB().premultiplied()
        let place = PixelRectangle(
            x: box.x + (box.width - source.width) / 2, y: box.y + (box.height - source.height) / 2,
            width: source.width, height: source.height)
        lay(place) { columns, y in
            let start = y * source.pixelsPerRow
            return source.withUnsafePixels { Array($0[start + columns.lowerBound..<start + columns.upperBound]) }
        }
        return place
    }

    /// Draws a line of text, centred in `width` pixels and shortened if it is too long.
    mutating func draw(_ text: String, x: Int, y: Int, width: Int, _ font: TextFont, _ color: PixelColor) {
        let line = font.line(font.shortened(text, to: width)[...])
        let left = x + (width - line.width) / 2
        font.forEachGlyph(of: line) { glyph, glyphX, glyphY in
            glyph.paint(on: &pixels, x: left + glyphX, y: y + glyphY, color)
        }
    }

    /// Composites premultiplied pixels onto a rectangle, clipped to the page.
    ///
    /// - Parameter source: returns the pixels of columns of the rectangle, in one of its rows.
    private mutating func lay(
        _ rectangle: PixelRectangle, _ source: (_ columns: Range<Int>, _ row: Int) -> [UInt32]
    ) {
        let columns = (rectangle.x..<rectangle.x + rectangle.width).clamped(to: 0..<pixels.width)
        let rows = (rectangle.y..<rectangle.y + rectangle.height).clamped(to: 0..<pixels.height)
        if columns.isEmpty { return }
        let blend = RowBlend(.normal, backdrop: pixels.alphaMode, source: .premultiplied)
        let pixelsPerRow = pixels.pixelsPerRow
        let visible = columns.lowerBound - rectangle.x..<columns.upperBound - rectangle.x
        pixels.withUnsafeMutablePixels { page in
            guard let base = page.baseAddress else { return }
            for y in rows {
                // In bounds: rows and columns are clamped to the page.
                source(visible, y - rectangle.y).withUnsafeBufferPointer {
                    guard let source = $0.baseAddress else { return }
                    blend.run(source, onto: base + y * pixelsPerRow + columns.lowerBound, width: columns.count)
                }
            }
        }
    }
}
