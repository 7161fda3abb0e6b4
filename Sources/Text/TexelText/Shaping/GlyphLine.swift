/// The glyphs of a line of text, side by side.
package struct GlyphLine {
    struct Glyph {
        /// The number of the glyph's font.
        var font: Int
        var index: UInt32
        /// Where the glyph begins, in 64ths of a pixel.
        var x: Int
        /// The height of the glyph's baseline above that of the line, in 64ths of a pixel.
        var y: Int
    }

    var glyphs: [Glyph] = []
    var extent = LineExtent()
    /// Whether the line belongs to a paragraph that runs from right to left.
    var isRightToLeft = false

    /// The width in pixels, rounded up.
    package var width: Int { extent.pixelWidth }

    /// Adds a glyph at the pen.
    mutating func append(_ glyph: ShapedGlyph, font: Int, _ metrics: FontFace.Metrics) {
        glyphs.append(Glyph(font: font, index: glyph.index, x: extent.pen + glyph.x, y: glyph.y))
        extent.add(glyph, metrics)
    }
}

/// The extent of a line of text, in 64ths of a pixel. The first glyph begins at 0.
struct LineExtent {
    /// Where the next glyph begins.
    private(set) var pen = 0
    /// The left edge: negative if a glyph extends to the left of the pen.
    private(set) var left = 0
    /// The right edge: that of the last glyph, or of an earlier one that extends beyond it.
    private(set) var right = 0
    /// The highest edge above the baseline, and the lowest below it; positive is up.
    private(set) var top = 0
    private(set) var bottom = 0

    /// Adds a glyph at the pen.
    fileprivate mutating func add(_ glyph: ShapedGlyph, _ metrics: FontFace.Metrics) {
        left = min(left, pen + glyph.x + metrics.left)
        right = max(right, pen + glyph.x + metrics.right, pen + glyph.advance)
        top = max(top, glyph.y + metrics.top)
        bottom = min(bottom, glyph.y + metrics.bottom)
        pen += glyph.advance
    }

    var width: Int { right - left }

    /// The width in pixels, rounded up.
    var pixelWidth: Int { (width + 63) >> 6 }
}
