import CFontconfig

/// A font that can be opened.
struct FontFile {
    var path: String
    /// The index of the font in its file; the bits from 16 on select a named instance of a variable font.
    var index = 0
    /// Whether glyphs have colours; `nil` if that is not known before the font is opened.
    var hasColor: Bool?
    /// The characters of an installed font; `nil` if they are not known before the font is opened.
    var characters: FontCharacters?
}

/// The characters that an installed font has, as fontconfig knows them.
final class FontCharacters {
    private let handle: OpaquePointer

    fileprivate init?(_ pattern: OpaquePointer) {
        var handle: OpaquePointer?
        guard FcPatternGetCharSet(pattern, FC_CHARSET, 0, &handle) == FcResultMatch, let handle,
            // The pattern owns its set, so add a reference.
            let copy = FcCharSetCopy(handle)
        else { return nil }
        self.handle = copy
    }

    deinit { FcCharSetDestroy(handle) }

    func contains(_ scalar: Unicode.Scalar) -> Bool { FcCharSetHasChar(handle, scalar.value) != 0 }
}

/// Finds installed fonts through fontconfig.
enum FontFinder {
    /// Returns the fonts that best match a family, followed by all others as fallbacks.
    ///
    /// - Parameter family: The family; `nil` for the system's sans-serif font.
    /// - Returns: An empty array if no font is installed.
    static func fonts(for family: String?) -> [FontFile] {
        guard let configuration = FcInitLoadConfigAndFonts() else { return [] }
        defer { FcConfigDestroy(configuration) }
        guard let pattern = FcPatternCreate() else { return [] }
        defer { FcPatternDestroy(pattern) }
        // Add the family as a string instead of parsing a pattern: names may contain colons.
        FcPatternAddString(pattern, FC_FAMILY, Array((family ?? "sans-serif").utf8) + [0])
        FcConfigSubstitute(configuration, pattern, FcMatchPattern)
        FcDefaultSubstitute(pattern)
        var result = FcResultMatch
        guard let found = FcFontSort(configuration, pattern, FcBool(0), nil, &result) else { return [] }
        defer { FcFontSetDestroy(found) }
        return (0..<Int(found.pointee.nfont)).compactMap { index in
            found.pointee.fonts[index].flatMap { fontFile($0) }
        }
    }

    /// Generic families, for which every system chooses a font.
    private static let genericFamilies: Set = [
        "sans", "sans-serif", "serif", "mono", "monospace", "cursive", "fantasy", "system-ui", "emoji", "math",
    ]

    /// Whether a font of this family is installed. fontconfig would substitute a similar one otherwise.
    static func hasFamily(_ family: String) -> Bool {
        if genericFamilies.contains(family.lowercased()) { return true }
        guard let configuration = FcInitLoadConfigAndFonts() else { return false }
        defer { FcConfigDestroy(configuration) }
        guard let pattern = FcPatternCreate() else { return false }
        defer { FcPatternDestroy(pattern) }
        FcPatternAddString(pattern, FC_FAMILY, Array(family.utf8) + [0])
        guard let objects = FcObjectSetCreate() else { return false }
        defer { FcObjectSetDestroy(objects) }
        FcObjectSetAdd(objects, FC_FAMILY)
        guard let found = FcFontList(configuration, pattern, objects) else { return false }
        defer { FcFontSetDestroy(found) }
        return found.pointee.nfont > 0
    }

    private static func fontFile(_ pattern: OpaquePointer) -> FontFile? {
        var path: UnsafeMutablePointer<FcChar8>?
        var index: Int32 = 0
        guard FcPatternGetString(pattern, FC_FILE, 0, &path) == FcResultMatch, let path else { return nil }
        _ = FcPatternGetInteger(pattern, FC_INDEX, 0, &index)
        var hasColor = FcBool(0)
        _ = FcPatternGetBool(pattern, FC_COLOR, 0, &hasColor)
        // The pattern owns the string, so copy it.
        return FontFile(
            path: String(cString: path), index: Int(index), hasColor: hasColor != 0, characters: FontCharacters(pattern)
        )
    }
}
