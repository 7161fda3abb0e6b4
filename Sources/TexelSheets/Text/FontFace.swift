import CFreeType

/// A FreeType instance. It is not thread-safe: the library and its faces must be used by one thread at a time.
final class FontLibrary {
    fileprivate let handle: FT_Library

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
    /// The coverage bitmap of a glyph and its metrics.
    struct Glyph {
        /// Coverage 0…255, row by row.
        var coverage: [UInt8] = []
        var width = 0
        var height = 0
        /// The distance from the pen to the left column, in pixels.
        var left = 0
        /// The distance from the baseline up to the top row, in pixels.
        var top = 0
        /// The distance to the next glyph's pen position, in pixels.
        var advance = 0
    }

    /// The extent of the font above the baseline, in pixels.
    let ascent: Int
    /// The extent of the font below the baseline, in pixels.
    let descent: Int

    private let library: FontLibrary
    private let face: FT_Face

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
        // 26.6 fixed point; positive is up.
        ascent = (Int(metrics.ascender) + 63) >> 6
        descent = (63 - Int(metrics.descender)) >> 6
    }

    deinit { FT_Done_Face(face) }

    func has(_ scalar: Unicode.Scalar) -> Bool { FT_Get_Char_Index(face, FT_ULong(scalar.value)) != 0 }

    /// Renders the glyph of a character, or the font's missing-glyph box.
    func glyph(_ scalar: Unicode.Scalar) -> Glyph {
        let index = FT_Get_Char_Index(face, FT_ULong(scalar.value))
        // Light hinting aligns only vertically: the baseline is sharp and letter spacing is unchanged.
        let flags = FT_Int32(FT_LOAD_RENDER) | FT_Int32(FT_RENDER_MODE_LIGHT.rawValue & 15) << 16
        guard FT_Load_Glyph(face, index, flags) == 0, let slot = face.pointee.glyph?.pointee else { return Glyph() }
        var glyph = Glyph(left: Int(slot.bitmap_left), top: Int(slot.bitmap_top))
        glyph.advance = (Int(slot.advance.x) + 32) >> 6
        let bitmap = slot.bitmap
        guard Int32(bitmap.pixel_mode) == Int32(FT_PIXEL_MODE_GRAY.rawValue), let buffer = bitmap.buffer else {
            return glyph
        }
        glyph.width = Int(bitmap.width)
        glyph.height = Int(bitmap.rows)
        glyph.coverage.reserveCapacity(glyph.width * glyph.height)
        for row in 0..<glyph.height {
            // The bitmap has `rows` rows of `width` bytes, `pitch` apart; with a negative pitch the bottom row comes
            // first.
            let pitch = Int(bitmap.pitch)
            let start = pitch >= 0 ? row * pitch : (glyph.height - 1 - row) * -pitch
            glyph.coverage += UnsafeBufferPointer(start: buffer + start, count: glyph.width)
        }
        return glyph
    }
}
