/// Lays out lines of text, each character in the first font that has it.
///
/// Characters are placed from left to right without shaping, so Arabic, Devanagari and similar scripts are not rendered
/// correctly. Distances between them are not rounded to pixels.
package final class TextFont {
    /// The height of a line in pixels.
    package let lineHeight: Int
    /// The distance from the top of a line to its baseline, in pixels.
    package let ascent: Int

    private let library: FontLibrary
    private let size: Int
    private var faces: [FontFace]
    /// Fallback fonts that have not been opened yet, in order.
    private var others: ArraySlice<FontFile>
    private var appearances: [Unicode.Scalar: Appearance] = [:]
    private var bitmaps = GlyphCache()
    private var stroker: (radius: Int, stroker: GlyphStroker?)?

    /// Opens a font and finds its fallbacks.
    ///
    /// - Parameters:
    ///   - name: A font file or a family; `nil` for the system's sans-serif font.
    ///   - size: The size of the em square in pixels.
    /// - Throws: `noFonts`, `unusableFont`, `unknownFamily`.
    package init(_ name: String?, size: Int) throws(TextError) {
        guard let library = FontLibrary() else { throw .noFonts }
        let isFile = name?.contains("/") == true || name.map(Self.looksLikeFile) == true
        if !isFile, let name, !FontFinder.hasFamily(name) { throw .unknownFamily(name) }
        var files = FontFinder.fonts(for: isFile ? nil : name)
        if isFile, let name { files.insert(FontFile(path: name, index: 0), at: 0) }
        var first: FontFace?
        while first == nil, let file = files.first {
            files.removeFirst()
            first = FontFace(file, size: size, in: library)
            if first == nil, isFile { throw .unusableFont(file.path) }
        }
        guard let first else { throw .noFonts }
        self.library = library
        self.size = size
        faces = [first]
        others = files[...]
        ascent = first.ascent
        lineHeight = first.ascent + first.descent
    }

    private static func looksLikeFile(_ name: String) -> Bool {
        [".ttf", ".otf", ".ttc", ".otc", ".woff", ".woff2", ".pfb"].contains { name.lowercased().hasSuffix($0) }
    }

    // MARK: Lines

    /// Lays out a line. Invisible characters are left out, and control characters are drawn as U+FFFD.
    package func line(_ text: Substring) -> GlyphLine {
        var line = GlyphLine()
        for scalar in text.unicodeScalars {
            if let glyph = add(scalar, to: &line.extent) { line.glyphs.append(glyph) }
        }
        return line
    }

    /// Returns the width of a line in pixels, rounded up.
    package func width(of text: Substring) -> Int {
        var extent = LineExtent()
        add(text, to: &extent)
        return extent.pixelWidth
    }

    /// Adds the width of more characters to a line.
    func add(_ text: some StringProtocol, to extent: inout LineExtent) {
        for scalar in text.unicodeScalars { _ = add(scalar, to: &extent) }
    }

    /// Adds a character to a line and returns its glyph; `nil` if the character is invisible.
    private func add(_ scalar: Unicode.Scalar, to extent: inout LineExtent) -> GlyphLine.Glyph? {
        guard case .visible(let face, let index, let metrics) = appearance(of: scalar) else { return nil }
        if let last = extent.last, last.face == face { extent.pen += faces[face].kerning(last.index, index) }
        let glyph = GlyphLine.Glyph(face: face, index: index, pen: extent.pen)
        extent.add(metrics)
        extent.last = (face, index)
        return glyph
    }

    // MARK: Glyphs

    /// Calls `body` with the bitmap of each glyph of a line, and its place relative to the line's upper left corner.
    ///
    /// - Parameters:
    ///   - line: A line of this font.
    ///   - offset: A distance by which the line is moved to the right, in 64ths of a pixel.
    ///   - radius: Half the width of a line along the outlines, in 64ths of a pixel; `nil` fills the outlines.
    package func forEachGlyph(
        of line: GlyphLine, movedBy offset: Int = 0, stroked radius: Int? = nil,
        _ body: (GlyphBitmap, _ x: Int, _ y: Int) -> Void
    ) {
        for glyph in line.glyphs {
            let pen = Self.pen(of: glyph, in: line, movedBy: offset)
            let key = GlyphCache.Key(face: glyph.face, index: glyph.index, offset: pen & 63, radius: radius)
            let bitmap = bitmaps.bitmap(key) {
                faces[key.face].bitmap(of: key.index, offset: key.offset, stroker: radius.flatMap(stroker(radius:)))
            }
            body(bitmap, pen >> 6 + bitmap.left, ascent - bitmap.top)
        }
    }

    /// Calls `body` with points along the outlines of a line, in pixels relative to the line's upper left corner.
    ///
    /// - Parameters:
    ///   - line: A line of this font.
    ///   - offset: A distance by which the line is moved to the right, in 64ths of a pixel.
    ///   - spacing: The maximum distance between neighbouring points in pixels.
    func forEachOutlinePoint(
        of line: GlyphLine, movedBy offset: Int, spacing: Double, _ body: (_ x: Double, _ y: Double) -> Void
    ) {
        for glyph in line.glyphs {
            let pen = Double(Self.pen(of: glyph, in: line, movedBy: offset)) / 64
            for point in faces[glyph.face].outlinePoints(of: glyph.index, spacing: spacing) {
                body(pen + point.x, Double(ascent) - point.y)
            }
        }
    }

    /// Where a glyph begins, to the nearest quarter of a pixel, so that equal letters share few bitmaps.
    private static func pen(of glyph: GlyphLine.Glyph, in line: GlyphLine, movedBy offset: Int) -> Int {
        (glyph.pen - line.extent.left + offset + 8) & ~15
    }

    private func stroker(radius: Int) -> GlyphStroker? {
        if let stroker, stroker.radius == radius { return stroker.stroker }
        let made = GlyphStroker(radius: radius, in: library)
        stroker = (radius, made)
        return made
    }

    // MARK: Characters

    private enum Appearance {
        case invisible
        case visible(face: Int, index: UInt32, metrics: FontFace.Metrics)
    }

    private func appearance(of scalar: Unicode.Scalar) -> Appearance {
        if let appearance = appearances[scalar] { return appearance }
        let appearance = found(scalar)
        appearances[scalar] = appearance
        return appearance
    }

    private func found(_ scalar: Unicode.Scalar) -> Appearance {
        let drawn: Unicode.Scalar
        switch scalar.value {
        case 0...0x1F, 0x7F...0x9F: drawn = "\u{FFFD}"
        default:
            if scalar.properties.isDefaultIgnorableCodePoint { return .invisible }
            drawn = scalar
        }
        let face = face(for: drawn)
        let index = faces[face].index(of: drawn)
        return .visible(face: face, index: index, metrics: faces[face].metrics(of: index))
    }

    /// The first font that has a character; the main font if none has it.
    private func face(for scalar: Unicode.Scalar) -> Int {
        if let face = faces.firstIndex(where: { $0.index(of: scalar) != 0 }) { return face }
        while let file = others.popFirst() {
            guard let face = FontFace(file, size: size, in: library) else { continue }
            faces.append(face)
            if face.index(of: scalar) != 0 { return faces.count - 1 }
        }
        return 0
    }
}

/// Bitmaps of glyphs that have been rendered.
private struct GlyphCache {
    struct Key: Hashable {
        var face: Int
        var index: UInt32
        /// How far the pen is to the right of a whole pixel, in 64ths of a pixel.
        var offset: Int
        /// Half the width of the line along the outline, in 64ths of a pixel; `nil` for filled outlines.
        var radius: Int?
    }

    /// More bytes of coverage are not kept.
    private static let byteLimit = 4 << 20

    private var bitmaps: [Key: GlyphBitmap] = [:]
    private var byteCount = 0

    mutating func bitmap(_ key: Key, make: () -> GlyphBitmap) -> GlyphBitmap {
        if let bitmap = bitmaps[key] { return bitmap }
        let bitmap = make()
        if byteCount + bitmap.coverage.count > Self.byteLimit {
            bitmaps.removeAll()
            byteCount = 0
        }
        bitmaps[key] = bitmap
        byteCount += bitmap.coverage.count
        return bitmap
    }
}
