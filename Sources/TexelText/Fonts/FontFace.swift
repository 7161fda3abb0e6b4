import CFreeType

/// A FreeType instance. It is not thread-safe: the library and its faces must be used by one thread at a time.
final class FontLibrary {
    let handle: FT_Library

    /// Initialises FreeType; `nil` if memory is short.
    init?() {
        var handle: FT_Library?
        guard FT_Init_FreeType(&handle) == 0, let handle else { return nil }
        self.handle = handle
    }

    deinit { FT_Done_FreeType(handle) }
}

/// A font at one size.
final class FontFace {
    /// The place that a glyph takes, in 64ths of a pixel, relative to the pen on the baseline.
    struct Metrics {
        /// The distance to the next glyph's pen.
        var advance = 0
        /// The left edge of the outline; negative if it is to the left of the pen.
        var left = 0
        /// The right edge of the outline.
        var right = 0
        /// The upper edge of the outline; positive if it is above the baseline.
        var top = 0
        /// The lower edge of the outline; negative if it is below the baseline.
        var bottom = 0
    }

    /// The extent of the font above the baseline, in pixels.
    let ascent: Int
    /// The extent of the font below the baseline, in pixels.
    let descent: Int

    private let library: FontLibrary
    private let face: FT_Face
    private let hasKerning: Bool

    /// Opens a font.
    ///
    /// - Parameters:
    ///   - file: The font file.
    ///   - size: The size of the em square in pixels.
    ///   - library: The FreeType instance.
    /// - Returns: `nil` if the file is not a font or has only bitmaps of fixed sizes.
    init?(_ file: FontFile, size: Int, in library: FontLibrary) {
        var face: FT_Face?
        guard FT_New_Face(library.handle, file.path, FT_Long(file.index), &face) == 0, let face else { return nil }
        let isScalable = face.pointee.face_flags & FT_Long(FT_FACE_FLAG_SCALABLE) != 0
        guard isScalable, FT_Set_Pixel_Sizes(face, 0, FT_UInt(size)) == 0,
            let metrics = face.pointee.size?.pointee.metrics
        else {
            FT_Done_Face(face)
            return nil
        }
        self.library = library
        self.face = face
        hasKerning = face.pointee.face_flags & FT_Long(FT_FACE_FLAG_KERNING) != 0
        // 26.6 fixed point; positive is up.
        ascent = (Int(metrics.ascender) + 63) >> 6
        descent = (63 - Int(metrics.descender)) >> 6
    }

    deinit { FT_Done_Face(face) }

    /// Returns the index of a character's glyph, or 0, that of the box for missing glyphs.
    func index(of scalar: Unicode.Scalar) -> UInt32 { FT_Get_Char_Index(face, FT_ULong(scalar.value)) }

    /// Returns the distance by which the font moves the second of two neighbours, in 64ths of a pixel.
    func kerning(_ first: UInt32, _ second: UInt32) -> Int {
        var distance = FT_Vector()
        guard hasKerning, FT_Get_Kerning(face, first, second, FT_KERNING_UNFITTED.rawValue, &distance) == 0 else {
            return 0
        }
        return Int(distance.x)
    }

    /// Loads the outline of a glyph into the face's slot.
    private func load(_ index: UInt32) -> FT_GlyphSlot? {
        // Light hinting aligns only vertically: the baseline is sharp and letter spacing is unchanged.
        let flags = FT_Int32(FT_LOAD_NO_BITMAP) | FT_Int32(FT_RENDER_MODE_LIGHT.rawValue & 15) << 16
        guard FT_Load_Glyph(face, index, flags) == 0, let slot = face.pointee.glyph else { return nil }
        return slot
    }

    /// Measures a glyph.
    func metrics(of index: UInt32) -> Metrics {
        guard let slot = load(index) else { return Metrics() }
        // From 16.16 to 26.6 fixed point.
        var metrics = Metrics(advance: (Int(slot.pointee.linearHoriAdvance) + 512) >> 10)
        guard slot.pointee.format == FT_GLYPH_FORMAT_OUTLINE, slot.pointee.outline.n_points > 0 else { return metrics }
        var box = FT_BBox()
        FT_Outline_Get_CBox(&slot.pointee.outline, &box)
        (metrics.left, metrics.right) = (Int(box.xMin), Int(box.xMax))
        (metrics.top, metrics.bottom) = (Int(box.yMax), Int(box.yMin))
        return metrics
    }

    /// Returns points along the outline of a glyph.
    ///
    /// - Parameters:
    ///   - index: The glyph.
    ///   - spacing: The maximum distance between neighbouring points in pixels.
    func outlinePoints(of index: UInt32, spacing: Double) -> [SIMD2<Double>] {
        guard let slot = load(index), slot.pointee.format == FT_GLYPH_FORMAT_OUTLINE else { return [] }
        return OutlinePoints(of: &slot.pointee.outline, spacing: spacing).points
    }

    /// Renders a glyph.
    ///
    /// - Parameters:
    ///   - index: The glyph.
    ///   - offset: How far the pen is to the right of a whole pixel, in 64ths of a pixel.
    ///   - stroker: Draws a line along the outline; `nil` fills the outline.
    func bitmap(of index: UInt32, offset: Int, stroker: GlyphStroker? = nil) -> GlyphBitmap {
        var glyph: FT_Glyph?
        guard let slot = load(index), slot.pointee.format == FT_GLYPH_FORMAT_OUTLINE, FT_Get_Glyph(slot, &glyph) == 0
        else { return GlyphBitmap() }
        // The calls below replace the glyph and free the one before, and leave it unchanged if they fail.
        defer { FT_Done_Glyph(glyph) }
        if let stroker, FT_Glyph_Stroke(&glyph, stroker.handle, 1) != 0 { return GlyphBitmap() }
        var origin = FT_Vector(x: FT_Pos(offset), y: 0)
        guard FT_Glyph_To_Bitmap(&glyph, FT_RENDER_MODE_NORMAL, &origin, 1) == 0, let rendered = glyph else {
            return GlyphBitmap()
        }
        // The result is a `FT_BitmapGlyphRec`, whose first field is the glyph.
        let record = UnsafeMutableRawPointer(rendered).assumingMemoryBound(to: FT_BitmapGlyphRec.self).pointee
        return GlyphBitmap(record.bitmap, left: Int(record.left), top: Int(record.top))
    }
}
