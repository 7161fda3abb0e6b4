import CFreeType

/// FreeType, which knows nothing of threads: whoever has it has its faces too.
final class FontLibrary {
    fileprivate let handle: FT_Library

    /// `nil` where there is no memory for it.
    init?() {
        var handle: FT_Library?
        guard FT_Init_FreeType(&handle) == 0, let handle else { return nil }
        self.handle = handle
    }

    deinit { FT_Done_FreeType(handle) }
}

/// A font at one size.
final class FontFace {
    /// What one letter covers of the pixels around it, and how far it moves the next one.
    struct Glyph {
        /// 0…255, row after row.
        var coverage: [UInt8] = []
        var width = 0
        var height = 0
        /// From the pen to the left column.
        var left = 0
        /// From the base line up to the top row.
        var top = 0
        /// Pixels.
        var advance = 0
    }

    /// Pixels above and below the base line.
    let ascent: Int
    let descent: Int

    private let library: FontLibrary
    private let face: FT_Face

    /// - Parameter size: pixels of the em square.
    /// - Returns: `nil` for what is no font, or one of pictures of fixed sizes.
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
        // 26.6 fixed point, upwards positive.
        ascent = (Int(metrics.ascender) + 63) >> 6
        descent = (63 - Int(metrics.descender)) >> 6
    }

    deinit { FT_Done_Face(face) }

    func has(_ scalar: Unicode.Scalar) -> Bool { FT_Get_Char_Index(face, FT_ULong(scalar.value)) != 0 }

    /// What a character looks like; without one of its own, as the font shows what it lacks.
    func glyph(_ scalar: Unicode.Scalar) -> Glyph {
        let index = FT_Get_Char_Index(face, FT_ULong(scalar.value))
        // Hinted only up and down: the base line is sharp, and the letters keep their distances.
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
            // FreeType's bitmap has `rows` rows of `width` bytes, `pitch` apart; a negative pitch begins at the bottom.
            let pitch = Int(bitmap.pitch)
            let start = pitch >= 0 ? row * pitch : (glyph.height - 1 - row) * -pitch
            glyph.coverage += UnsafeBufferPointer(start: buffer + start, count: glyph.width)
        }
        return glyph
    }
}
