import CFreeType
import TexelPixels

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

    /// A part of a glyph that has one colour.
    struct Layer {
        var glyph: UInt32
        var ink: GlyphBitmap.Ink
    }

    /// The extent of the font above the baseline, in pixels.
    let ascent: Int
    /// The extent of the font below the baseline, in pixels.
    let descent: Int
    /// The size of the em square in pixels.
    let size: Int
    /// Whether glyphs may have colours.
    let hasColor: Bool

    private let library: FontLibrary
    let handle: FT_Face
    private let hasKerning: Bool
    private let isScalable: Bool
    /// The bitmaps of a colour font that are closest to the size.
    private let strike: Strike?
    /// The colours of layers.
    private let palette: [PixelColor]
    private var knownMetrics: [UInt32: Metrics] = [:]

    /// Opens a font.
    ///
    /// - Parameters:
    ///   - file: The font file.
    ///   - size: The size of the em square in pixels.
    ///   - library: The FreeType instance.
    /// - Returns: `nil` if the file is not a font, or has neither outlines nor colour bitmaps.
    init?(_ file: FontFile, size: Int, in library: FontLibrary) {
        var face: FT_Face?
        guard FT_New_Face(library.handle, file.path, FT_Long(file.index), &face) == 0, let face else { return nil }
        let flags = face.pointee.face_flags
        hasColor = flags & FT_Long(FT_FACE_FLAG_COLOR) != 0
        isScalable = flags & FT_Long(FT_FACE_FLAG_SCALABLE) != 0
        hasKerning = flags & FT_Long(FT_FACE_FLAG_KERNING) != 0
        strike = hasColor ? Strike(of: face, for: size) : nil
        handle = face
        palette = hasColor ? Self.palette(of: face) : []
        self.library = library
        self.size = size
        let isUsable = isScalable ? FT_Set_Pixel_Sizes(face, 0, FT_UInt(size)) == 0 : strike?.select(in: face) == true
        guard isUsable, let metrics = face.pointee.size?.pointee.metrics else {
            (ascent, descent) = (0, 0)
            return nil
        }
        // 26.6 fixed point; positive is up.
        let factor = isScalable ? 1 : strike?.factor ?? 1
        func scaled(_ distance: FT_Pos) -> Int {
            factor == 1 ? Int(distance) : Int((Double(distance) * factor).rounded(.up))
        }
        ascent = (scaled(metrics.ascender) + 63) >> 6
        descent = (63 - scaled(metrics.descender)) >> 6
    }

    deinit { FT_Done_Face(handle) }

    // MARK: Characters

    /// Returns the index of a character's glyph, or 0, that of the box for missing glyphs.
    func index(of scalar: Unicode.Scalar) -> UInt32 { FT_Get_Char_Index(handle, FT_ULong(scalar.value)) }

    /// Returns whether a character can be drawn.
    ///
    /// Colour fonts have empty glyphs, for instance of the digits that begin the names of keys, and glyphs in forms
    /// that FreeType does not draw.
    func contains(_ scalar: Unicode.Scalar) -> Bool {
        let index = index(of: scalar)
        guard index != 0, hasColor, !scalar.properties.isWhitespace else { return index != 0 }
        return layers(of: index).contains { layer in
            switch loaded(layer.glyph) {
            case .bitmap: true
            case .outline(let slot): slot.pointee.outline.n_points > 0
            case nil: false
            }
        }
    }

    /// Returns the distance by which the font moves the second of two neighbours, in 64ths of a pixel.
    func kerning(_ first: UInt32, _ second: UInt32) -> Int {
        var distance = FT_Vector()
        guard hasKerning, FT_Get_Kerning(handle, first, second, FT_KERNING_UNFITTED.rawValue, &distance) == 0 else {
            return 0
        }
        return Int(distance.x)
    }

    // MARK: Loading

    /// A glyph in the face's slot.
    private enum Loaded {
        case outline(FT_GlyphSlot)
        /// A bitmap with colours, at the size of the strike.
        case bitmap(FT_GlyphSlot, Strike)
    }

    private func loaded(_ index: UInt32) -> Loaded? {
        if let strike, strike.select(in: handle), FT_Load_Glyph(handle, index, FT_Int32(FT_LOAD_COLOR)) == 0,
            let slot = handle.pointee.glyph, slot.pointee.format == FT_GLYPH_FORMAT_BITMAP,
            Int32(slot.pointee.bitmap.pixel_mode) == Int32(FT_PIXEL_MODE_BGRA.rawValue)
        {
            return .bitmap(slot, strike)
        }
        guard isScalable, strike == nil || FT_Set_Pixel_Sizes(handle, 0, FT_UInt(size)) == 0 else { return nil }
        // Light hinting aligns only vertically: the baseline is sharp and letter spacing is unchanged.
        let flags = FT_Int32(FT_LOAD_NO_BITMAP) | FT_Int32(FT_RENDER_MODE_LIGHT.rawValue & 15) << 16
        guard FT_Load_Glyph(handle, index, flags) == 0, let slot = handle.pointee.glyph else { return nil }
        return slot.pointee.format == FT_GLYPH_FORMAT_OUTLINE ? .outline(slot) : nil
    }

    /// The parts of a glyph with layers (COLR, version 0), from below; the glyph itself if it has none.
    private func layers(of index: UInt32) -> [Layer] {
        guard hasColor else { return [Layer(glyph: index, ink: .text)] }
        var layers: [Layer] = []
        var iterator = FT_LayerIterator()
        var (glyph, color) = (FT_UInt(0), FT_UInt(0))
        while FT_Get_Color_Glyph_Layer(handle, index, &glyph, &color, &iterator) != 0 {
            // The number 0xFFFF stands for the colour of the text.
            let isOwn = palette.indices.contains(Int(color))
            layers.append(Layer(glyph: glyph, ink: isOwn ? .color(palette[Int(color)]) : .foreground))
        }
        return layers.isEmpty ? [Layer(glyph: index, ink: .text)] : layers
    }

    private static func palette(of face: FT_Face) -> [PixelColor] {
        var data = FT_Palette_Data()
        var colors: UnsafeMutablePointer<FT_Color>?
        guard FT_Palette_Data_Get(face, &data) == 0, FT_Palette_Select(face, 0, &colors) == 0, let colors else {
            return []
        }
        return UnsafeBufferPointer(start: colors, count: Int(data.num_palette_entries)).map {
            PixelColor(red: $0.red, green: $0.green, blue: $0.blue, alpha: $0.alpha)
        }
    }

    // MARK: Glyphs

    /// Measures a glyph.
    func metrics(of index: UInt32) -> Metrics {
        if let metrics = knownMetrics[index] { return metrics }
        let metrics = measured(index)
        knownMetrics[index] = metrics
        return metrics
    }

    private func measured(_ index: UInt32) -> Metrics {
        var metrics = Metrics()
        guard let whole = loaded(index) else { return metrics }
        switch whole {
        case .outline(let slot):
            // From 16.16 to 26.6 fixed point.
            metrics.advance = (Int(slot.pointee.linearHoriAdvance) + 512) >> 10
        case .bitmap(let slot, let strike):
            metrics.advance = Int((Double(slot.pointee.metrics.horiAdvance) * strike.factor).rounded())
        }
        var isEmpty = true
        func enclose(left: Int, right: Int, top: Int, bottom: Int) {
            metrics.left = isEmpty ? left : min(metrics.left, left)
            metrics.right = isEmpty ? right : max(metrics.right, right)
            metrics.top = isEmpty ? top : max(metrics.top, top)
            metrics.bottom = isEmpty ? bottom : min(metrics.bottom, bottom)
            isEmpty = false
        }
        for layer in layers(of: index) {
            switch loaded(layer.glyph) {
            case .outline(let slot) where slot.pointee.outline.n_points > 0:
                var box = FT_BBox()
                FT_Outline_Get_CBox(&slot.pointee.outline, &box)
                enclose(left: Int(box.xMin), right: Int(box.xMax), top: Int(box.yMax), bottom: Int(box.yMin))
            case .bitmap(let slot, let strike):
                let place = strike.place(of: slot)
                enclose(
                    left: place.left << 6, right: (place.left + place.size.width) << 6, top: place.top << 6,
                    bottom: (place.top - place.size.height) << 6)
            case .outline, nil: break
            }
        }
        return metrics
    }

    /// Returns points along the outlines of a glyph.
    ///
    /// - Parameters:
    ///   - index: The glyph.
    ///   - spacing: The maximum distance between neighbouring points in pixels.
    func outlinePoints(of index: UInt32, spacing: Double) -> [SIMD2<Double>] {
        layers(of: index).flatMap { layer -> [SIMD2<Double>] in
            guard case .outline(let slot) = loaded(layer.glyph) else { return [] }
            return OutlinePoints(of: &slot.pointee.outline, spacing: spacing).points
        }
    }

    /// Renders the layers of a glyph, from below.
    ///
    /// - Parameters:
    ///   - index: The glyph.
    ///   - offset: How far the pen is to the right of a whole pixel, in 64ths of a pixel.
    ///   - stroker: Draws lines along the outlines; `nil` fills them. Bitmaps have no outlines.
    func bitmaps(of index: UInt32, offset: Int, stroker: GlyphStroker? = nil) -> [GlyphBitmap] {
        layers(of: index).compactMap { layer in
            switch loaded(layer.glyph) {
            case .outline(let slot):
                rendered(slot, offset: offset, stroker, ink: stroker == nil ? layer.ink : .text)
            case .bitmap(let slot, let strike): stroker == nil ? strike.bitmap(of: slot) : nil
            case nil: nil
            }
        }
    }

    private func rendered(
        _ slot: FT_GlyphSlot, offset: Int, _ stroker: GlyphStroker?, ink: GlyphBitmap.Ink
    ) -> GlyphBitmap? {
        var glyph: FT_Glyph?
        guard FT_Get_Glyph(slot, &glyph) == 0 else { return nil }
        // The calls below replace the glyph and free the one before, and leave it unchanged if they fail.
        defer { FT_Done_Glyph(glyph) }
        if let stroker, FT_Glyph_Stroke(&glyph, stroker.handle, 1) != 0 { return nil }
        var origin = FT_Vector(x: FT_Pos(offset), y: 0)
        guard FT_Glyph_To_Bitmap(&glyph, FT_RENDER_MODE_NORMAL, &origin, 1) == 0, let rendered = glyph else {
            return nil
        }
        // The result is a `FT_BitmapGlyphRec`, whose first field is the glyph.
        let record = UnsafeMutableRawPointer(rendered).assumingMemoryBound(to: FT_BitmapGlyphRec.self).pointee
        return GlyphBitmap(record.bitmap, left: Int(record.left), top: Int(record.top), ink: ink)
    }
}
