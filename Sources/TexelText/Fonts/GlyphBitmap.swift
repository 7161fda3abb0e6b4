import CFreeType

/// The coverage bitmap of a glyph, and its place relative to the pen.
package struct GlyphBitmap {
    /// Coverage 0…255, row by row.
    package private(set) var coverage: [UInt8] = []
    /// The width in pixels.
    package private(set) var width = 0
    /// The height in pixels.
    package private(set) var height = 0
    /// The distance from the pen to the left column, in pixels.
    let left: Int
    /// The distance from the baseline up to the top row, in pixels.
    let top: Int

    /// Creates the empty bitmap of a glyph that cannot be drawn.
    init() { (left, top) = (0, 0) }

    /// Copies a bitmap.
    ///
    /// - Parameters:
    ///   - bitmap: The bitmap, of 8 bits per pixel.
    ///   - left: The distance from the pen to the left column, in pixels.
    ///   - top: The distance from the baseline up to the top row, in pixels.
    init(_ bitmap: FT_Bitmap, left: Int, top: Int) {
        (self.left, self.top) = (left, top)
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
}
