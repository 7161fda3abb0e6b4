/// Draws lines of text, each character with the first font that has it.
///
/// Characters stand one after the other from left to right, accents of their own above the one before. What wants to be
/// shaped or runs from right to left (Arabic, Devanagari) is recognisable at best.
final class CaptionFont {
    let lineHeight: Int
    /// From the top of a line to its base line.
    let ascent: Int

    private let library: FontLibrary
    private let size: Int
    private var faces: [FontFace]
    /// Fonts that nothing has needed yet, in their order.
    private var others: ArraySlice<FontFile>
    private var glyphs: [Unicode.Scalar: FontFace.Glyph] = [:]

    /// - Parameters:
    ///   - name: a file, or a family; `nil` is the machine's sans.
    ///   - size: pixels of the em square.
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

    /// What is drawn of a text: nothing that is only a hint for shaping, and a sign for control characters.
    private static func visible(_ text: Substring) -> [Unicode.Scalar] {
        text.unicodeScalars.compactMap { scalar in
            switch scalar.value {
            case 0...0x1F, 0x7F...0x9F: "\u{FFFD}"
            default: scalar.properties.isDefaultIgnorableCodePoint ? nil : scalar
            }
        }
    }

    /// Pixels.
    func width(of text: Substring) -> Int { Self.visible(text).reduce(0) { $0 + glyph($1).advance } }

    /// The text, or as much of both of its ends as fits into a width. The end of a file's name stays whole as long as
    /// anything else can go.
    func shortened(_ text: String, to width: Int) -> String {
        if self.width(of: text[...]) <= width { return text }
        let count = text.count
        let fileExtension = text.lastIndex(of: ".").map { text.distance(from: $0, to: text.endIndex) } ?? 0
        func shortened(keeping kept: Int) -> String {
            let tail = min(kept, max(kept / 2, fileExtension <= 8 ? fileExtension + 2 : 0))
            return "\(text.prefix(kept - tail))…\(text.suffix(tail))"
        }
        // How many characters fit.
        var (fitting, tooMany) = (0, count)
        while tooMany - fitting > 1 {
            let middle = (fitting + tooMany) / 2
            if self.width(of: shortened(keeping: middle)[...]) <= width { fitting = middle } else { tooMany = middle }
        }
        return fitting > 0 ? shortened(keeping: fitting) : ""
    }

    /// Calls `body` with each glyph of a line and where its left top corner lies, from the line's own.
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

    /// The first font that has a character, else the first.
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
