package import TexelCore

/// Lays out lines of text, each character in the first font that has it.
///
/// Distances between glyphs are not rounded to pixels.
package final class TextFont {
    /// The height of a line in pixels.
    package let lineHeight: Int
    /// The distance from the top of a line to its baseline, in pixels.
    package let ascent: Int

    private let fonts: FontStack
    private let shaper: any TextShaper
    private var bitmaps = GlyphCache()
    private var stroker: (radius: Int, stroker: GlyphStroker?)?
    /// Characters that no font has, in the order of the text.
    private var missing: [Unicode.Scalar] = []
    private var needsShaping = false

    /// Opens a font and finds its fallbacks.
    ///
    /// - Parameters:
    ///   - name: A font file or a family; `nil` for the system's sans-serif font.
    ///   - size: The size of the em square in pixels.
    /// - Throws: `noFonts`, `unusableFont`, `unknownFamily`.
    package convenience init(_ name: String?, size: Int) throws(TexelError) {
        try self.init(name, size: size, TextShaping.shaper())
    }

    init(_ name: String?, size: Int, _ shaper: any TextShaper) throws(TexelError) {
        fonts = try FontStack(name, size: size)
        self.shaper = shaper
        let main = fonts[FontStack.main]
        ascent = main.ascent
        lineHeight = main.ascent + main.descent
    }

    /// The faults in all lines drawn so far or since `forgetWarnings`.
    package var warnings: [TextWarning] {
        var warnings: [TextWarning] = []
        if !missing.isEmpty { warnings.append(.missingCharacters(missing)) }
        if needsShaping, let reason = shaper.limitation { warnings.append(.unshaped(reason: reason)) }
        return warnings
    }

    package func forgetWarnings() { (missing, needsShaping) = ([], false) }

    // MARK: Lines

    /// Lays out a line. Invisible characters are left out, and control characters are drawn as U+FFFD.
    package func line(_ text: Substring) -> GlyphLine {
        let paragraph = paragraph(text)
        return line(paragraph.characters.indices, of: paragraph)
    }

    /// Returns the width of a line in pixels, rounded up.
    package func width(of text: Substring) -> Int { line(text).width }

    /// Finds the fonts, scripts and directions of a text without line breaks.
    func paragraph(_ text: Substring) -> Paragraph { Paragraph(text, shaper, fonts: fonts(of:)) }

    /// Lays out a part of a paragraph.
    ///
    /// - Parameters:
    ///   - characters: The indices of the characters of the line.
    ///   - paragraph: A paragraph of this font.
    func line(_ characters: Range<Int>, of paragraph: Paragraph) -> GlyphLine {
        var line = GlyphLine()
        line.isRightToLeft = paragraph.isRightToLeft
        for run in paragraph.runs(of: characters) {
            let face = fonts[run.font]
            for glyph in shaper.glyphs(of: run, in: paragraph.characters, face) {
                line.append(glyph, font: run.font, face.metrics(of: glyph.index))
            }
        }
        return line
    }

    /// Returns the advance of each character of a paragraph on an endless line, in 64ths of a pixel. The advance of a
    /// ligature belongs to its first character.
    func advances(of paragraph: Paragraph) -> [Int] {
        var advances = [Int](repeating: 0, count: paragraph.characters.count)
        for run in paragraph.runs(of: paragraph.characters.indices) {
            for glyph in shaper.glyphs(of: run, in: paragraph.characters, fonts[run.font]) {
                advances[glyph.character] += glyph.advance
            }
        }
        return advances
    }

    // MARK: Glyphs

    /// Calls `body` with the bitmaps of each glyph of a line, and their places relative to its upper left corner.
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
            let key = GlyphCache.Key(font: glyph.font, index: glyph.index, offset: pen & 63, radius: radius)
            let layers = bitmaps.bitmaps(key) {
                fonts[key.font].bitmaps(of: key.index, offset: key.offset, stroker: radius.flatMap(stroker(radius:)))
            }
            for bitmap in layers { body(bitmap, pen >> 6 + bitmap.left, ascent - Self.rise(of: glyph) - bitmap.top) }
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
            for point in fonts[glyph.font].outlinePoints(of: glyph.index, spacing: spacing) {
                body(pen + point.x, Double(ascent - Self.rise(of: glyph)) - point.y)
            }
        }
    }

    /// Where a glyph begins, to the nearest quarter of a pixel, so that equal letters share few bitmaps.
    private static func pen(of glyph: GlyphLine.Glyph, in line: GlyphLine, movedBy offset: Int) -> Int {
        (glyph.x - line.extent.left + offset + 8) & ~15
    }

    /// The height of a glyph's baseline above that of the line, to the nearest pixel: horizontal edges stay sharp.
    private static func rise(of glyph: GlyphLine.Glyph) -> Int { (glyph.y + 32) >> 6 }

    private func stroker(radius: Int) -> GlyphStroker? {
        if let stroker, stroker.radius == radius { return stroker.stroker }
        let made = GlyphStroker(radius: radius, in: fonts.library)
        stroker = (radius, made)
        return made
    }

    // MARK: Characters

    /// Returns the font of each character of a grapheme cluster: the same for all, if one has them all. Invisible
    /// characters have none.
    private func fonts(of cluster: [Unicode.Scalar]) -> [Int?] {
        if shaper.limitation != nil, !needsShaping { needsShaping = cluster.contains(where: \.needsShaping) }
        let visible = cluster.filter { !$0.properties.isDefaultIgnorableCodePoint }
        guard let first = visible.first else { return cluster.map { _ in nil } }
        // The selectors of text and of colour.
        let prefersColor =
            cluster.contains("\u{FE0F}")
            ? first.properties.isEmoji : first.properties.isEmojiPresentation && !cluster.contains("\u{FE0E}")
        if let font = fonts.font(for: visible, prefersColor: prefersColor) { return cluster.map { _ in font } }
        return cluster.map { scalar in
            if scalar.properties.isDefaultIgnorableCodePoint { return nil }
            if let font = fonts.font(for: [scalar], prefersColor: prefersColor) { return font }
            if !scalar.properties.isWhitespace, !missing.contains(scalar) { missing.append(scalar) }
            return FontStack.main
        }
    }
}

extension Unicode.Scalar {
    /// Whether the character is drawn wrongly when glyphs are placed one after the other: combining marks, joining and
    /// reordering scripts, scripts that run from right to left, and emoji of several characters.
    fileprivate var needsShaping: Bool {
        switch value {
        case 0x300...0x36F, 0x590...0x109F, 0x1100...0x11FF, 0x135D...0x135F, 0x1700...0x1CFF, 0x1DC0...0x1DFF, 0x200D,
            0x20D0...0x20FF, 0x302A...0x302F, 0x3099, 0x309A, 0xA800...0xABFF, 0xD7B0...0xD7FF, 0xFB1D...0xFDFF,
            0xFE20...0xFE2F, 0xFE70...0xFEFC, 0x10800...0x11FFF, 0x16800...0x16FFF, 0x1E000...0x1EFFF,
            0x1F1E6...0x1F1FF, 0x1F3FB...0x1F3FF:
            true
        default: false
        }
    }
}

/// Bitmaps of glyphs that have been rendered.
private struct GlyphCache {
    struct Key: Hashable {
        var font: Int
        var index: UInt32
        /// How far the pen is to the right of a whole pixel, in 64ths of a pixel.
        var offset: Int
        /// Half the width of the line along the outline, in 64ths of a pixel; `nil` for filled outlines.
        var radius: Int?
    }

    /// More bytes are not kept.
    private static let byteLimit = 4 << 20

    private var glyphs: [Key: [GlyphBitmap]] = [:]
    private var byteCount = 0

    mutating func bitmaps(_ key: Key, make: () -> [GlyphBitmap]) -> [GlyphBitmap] {
        if let bitmaps = glyphs[key] { return bitmaps }
        let bitmaps = make()
        let count = bitmaps.reduce(0) { $0 + $1.byteCount }
        if byteCount + count > Self.byteLimit {
            glyphs.removeAll()
            byteCount = 0
        }
        glyphs[key] = bitmaps
        byteCount += count
        return bitmaps
    }
}
