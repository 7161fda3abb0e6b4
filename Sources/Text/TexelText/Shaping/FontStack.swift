import TexelCore

/// The fonts of a text: the chosen one, and those from which characters are taken that it lacks.
final class FontStack {
    /// The number of the chosen font.
    static let main = 0

    private enum Candidate {
        case closed(FontFile)
        case open(Int)
        case unusable
    }

    let library: FontLibrary
    private let size: Int
    private var faces: [FontFace] = []
    /// All fonts, in the order in which they are tried.
    private var candidates: [Candidate]
    /// The fonts of the requested characters.
    private var known: [Key: Int?] = [:]

    private struct Key: Hashable {
        var characters: [Unicode.Scalar]
        var prefersColor: Bool
    }

    /// Opens a font and finds its fallbacks.
    ///
    /// - Parameters:
    ///   - name: A font file or a family; `nil` for the system's sans-serif font.
    ///   - size: The size of the em square in pixels.
    /// - Throws: `noFonts`, `unusableFont`, `unknownFamily`.
    init(_ name: String?, size: Int) throws(TexelError) {
        guard let library = FontLibrary() else { throw .noFonts }
        let isFile = name?.contains("/") == true || name.map(Self.looksLikeFile) == true
        if !isFile, let name, !FontFinder.hasFamily(name) { throw .unknownFontFamily(name) }
        var files = FontFinder.fonts(for: isFile ? nil : name)
        if isFile, let name { files.insert(FontFile(path: name), at: 0) }
        var main: FontFace?
        var rest = files[...]
        while main == nil, let file = rest.popFirst() {
            main = FontFace(file, size: size, in: library)
            if main == nil, isFile { throw .unusableFont(file.path) }
        }
        guard let main else { throw .noFonts }
        self.library = library
        self.size = size
        faces = [main]
        candidates = [.open(Self.main)] + rest.map { .closed($0) }
    }

    private static func looksLikeFile(_ name: String) -> Bool {
        [".ttf", ".otf", ".ttc", ".otc", ".woff", ".woff2", ".pfb"].contains { name.lowercased().hasSuffix($0) }
    }

    subscript(number: Int) -> FontFace { faces[number] }

    /// Returns the number of the first font that has all of some characters; `nil` if none has.
    ///
    /// - Parameters:
    ///   - characters: The visible characters of a grapheme cluster.
    ///   - prefersColor: Whether fonts with colours come first. Otherwise only the chosen font is tried before fonts
    ///     without colours.
    func font(for characters: [Unicode.Scalar], prefersColor: Bool) -> Int? {
        let key = Key(characters: characters, prefersColor: prefersColor)
        if let font = known[key] { return font }
        var font = prefersColor ? first(with: characters, hasColor: true) : nil
        if font == nil, characters.allSatisfy(faces[Self.main].contains) { font = Self.main }
        font = font ?? first(with: characters, hasColor: false) ?? first(with: characters, hasColor: true)
        known[key] = .some(font)
        return font
    }

    private func first(with characters: [Unicode.Scalar], hasColor: Bool) -> Int? {
        for index in candidates.indices {
            if case .closed(let file) = candidates[index] {
                if let color = file.hasColor, color != hasColor { continue }
                if let known = file.characters, !characters.allSatisfy(known.contains) { continue }
            }
            guard let number = opened(index), faces[number].hasColor == hasColor else { continue }
            if characters.allSatisfy(faces[number].contains) { return number }
        }
        return nil
    }

    /// Opens a candidate.
    ///
    /// - Returns: The number of the font; `nil` if it is unusable.
    private func opened(_ index: Int) -> Int? {
        switch candidates[index] {
        case .open(let number): return number
        case .unusable: return nil
        case .closed(let file):
            guard let face = FontFace(file, size: size, in: library) else {
                candidates[index] = .unusable
                return nil
            }
            faces.append(face)
            candidates[index] = .open(faces.count - 1)
            return faces.count - 1
        }
    }
}
