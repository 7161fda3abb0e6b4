/// The glyphs of a line of text, side by side.
package struct GlyphLine {
    struct Glyph {
        /// The number of the glyph's font.
        var face: Int
        var index: UInt32
        /// Where the glyph begins, in 64ths of a pixel.
        var pen: Int
    }

    var glyphs: [Glyph] = []
    var extent = LineExtent()

    /// The width in pixels, rounded up.
    package var width: Int { extent.pixelWidth }
}

/// The extent of a line of text, in 64ths of a pixel. The first glyph begins at 0.
struct LineExtent {
    /// Where the next glyph begins.
    var pen = 0
    /// The left edge: negative if a glyph extends to the left of the pen.
    private(set) var left = 0
    /// The right edge: that of the last glyph, or of an earlier one that extends beyond it.
    private(set) var right = 0
    /// The highest edge above the baseline, and the lowest below it; positive is up.
    private(set) var top = 0
    private(set) var bottom = 0
    /// The last glyph and its font, for kerning.
    var last: (face: Int, index: UInt32)?

    /// Adds a glyph at the pen.
    mutating func add(_ metrics: FontFace.Metrics) {
        left = min(left, pen + metrics.left)
        right = max(right, pen + metrics.right, pen + metrics.advance)
        top = max(top, metrics.top)
        bottom = min(bottom, metrics.bottom)
        pen += metrics.advance
    }

    var width: Int { right - left }

    /// The width in pixels, rounded up.
    var pixelWidth: Int { (width + 63) >> 6 }
}
