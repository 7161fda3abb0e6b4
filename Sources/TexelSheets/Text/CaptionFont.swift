/// Lays out lines of text, each character in the first font that has it.
///
/// Characters are placed from left to right without shaping, so Arabic, Devanagari and similar scripts are not rendered
/// correctly.
final class CaptionFont {
    let lineHeight: Int
    /// The distance from the top of a line to its baseline, in pixels.
    let ascent: Int

    private let library: FontLibrary
    private let size: Int
    private var faces: [FontFace]
    /// Fallback fonts that have not been opened yet, in order.
    private var others: ArraySlice<FontFile>
    private var glyphs: [Unicode.Scalar: FontFace.Glyph] = [:]

    /// Opens a font and finds its fallbacks.
    ///
    /// - Parameters:
    ///   - name: A font file or a family; `nil` for the system's sans-serif font.
    ///   - size: The size of the em square in pixels.
    /// - Throws: `noFonts`, `unusableFont`, `unknownFamily`.
    init(_ name: String?, size: Int) throws(SheetError) {
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

    // MARK: Text

    /// The characters to draw: without invisible ones, and with U+FFFD for control characters.
    private static func visible(_ text: Substring) -> [Unicode.Scalar] {
        text.unicodeScalars.compactMap { scalar in
            switch scalar.value {
            case 0...0x1F, 0x7F...0x9F: "\u{FFFD}"
            default: scalar.properties.isDefaultIgnorableCodePoint ? nil : scalar
            }
        }
    }

    /// The width of a line in pixels.
    func width(of text: Substring) -> Int { Self.visible(text).reduce(0) { $0 + glyph($1).advance } }

    /// Shortens a text in the middle until it fits a width in pixels. A file name extension is kept if possible.
    func shortened(_ text: String, to width: Int) -> String {
        if self.width(of: text[...]) <= width { return text }
        let count = text.count
        let fileExtension = text.lastIndex(of: ".").map { text.distance(from: $0, to: text.endIndex) } ?? 0
        func shortened(keeping kept: Int) -> String {
            let tail = min(kept, max(kept / 2, fileExtension <= 8 ? fileExtension + 2 : 0))
            return "\(text.prefix(kept - tail))…\(text.suffix(tail))"
        }
        // Binary search for the number of characters that fit.
        var (fitting, tooMany) = (0, count)
        while tooMany - fitting > 1 {
            let middle = (fitting + tooMany) / 2
            if self.width(of: shortened(keeping: middle)[...]) <= width { fitting = middle } else { tooMany = middle }
        }
        return fitting > 0 ? shortened(keeping: fitting) : ""
    }

    /// Calls `body` with each glyph and the position of its top left corner, relative to that of the line.
    func forEachGlyph(of text: String, _ body: (FontFace.Glyph, _ x: Int, _ y: Int) -> Void) {
        var pen = 0
        for scalar in Self.visible(text[...]) {
            let glyph = glyph(scalar)
            body(glyph, pen + glyph.left, ascent - glyph.top)
            pen += glyph.advance
        }
    }

    // MARK: Glyphs

    private func glyph(_ scalar: Unicode.Scalar) -> FontFace.Glyph {
        if let glyph = glyphs[scalar] { return glyph }
        let glyph = face(for: scalar).glyph(scalar)
        glyphs[scalar] = glyph
        return glyph
    }

    /// The first font that has a character; the main font if none has it.
    private func face(for scalar: Unicode.Scalar) -> FontFace {
        if let face = faces.first(where: { $0.has(scalar) }) { return face }
        while let file = others.popFirst() {
            guard let face = FontFace(file, size: size, in: library) else { continue }
            faces.append(face)
            if face.has(scalar) { return face }
        }
        return faces[0]
    }
}
