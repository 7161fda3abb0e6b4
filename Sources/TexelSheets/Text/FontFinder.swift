import CFontconfig

/// A font of the machine.
struct FontFile: Sendable, Hashable {
    var path: String
    /// Which of the fonts in the file.
    var index: Int
}

/// Which fonts there are, as fontconfig knows them.
enum FontFinder {
    /// The font that comes nearest to a family, then those that have letters which it and those before it lack.
    ///
    /// - Parameter family: `nil` is the machine's sans.
    /// - Returns: empty where no font is installed.
    static func fonts(for family: String?) -> [FontFile] {
        guard let configuration = FcInitLoadConfigAndFonts() else { return [] }
        defer { FcConfigDestroy(configuration) }
        guard let pattern = FcPatternCreate() else { return [] }
        defer { FcPatternDestroy(pattern) }
        // A name of its own, not a pattern of fontconfig's: it may have colons in it.
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

    /// The families for which every machine has a font of its own choice.
    private static let genericFamilies: Set = [
        "sans", "sans-serif", "serif", "mono", "monospace", "cursive", "fantasy", "system-ui", "emoji", "math",
    ]

    /// Whether a font of a family is installed; of others fontconfig takes one that is near.
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
        // The string is the pattern's; the copy is ours.
        return FontFile(path: String(cString: path), index: Int(index))
    }
}
