import CFontconfig

/// An installed font.
struct FontFile: Sendable, Hashable {
    var path: String
    /// The index of the font in its file.
    var index: Int
}

/// Finds installed fonts through fontconfig.
enum FontFinder {
    /// Returns the fonts that best match a family, followed by fallbacks that add missing characters.
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
        guard let found = FcFontSort(configuration, pattern, FcBool(1), nil, &result) else { return [] }
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
        // The pattern owns the string, so copy it.
        return FontFile(path: String(cString: path), index: Int(index))
    }
}
