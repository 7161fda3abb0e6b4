/// How a grapheme cluster behaves at the end of a line: the classes of UAX #14 that matter without a dictionary.
///
/// Thai, Lao, Khmer and Burmese have no spaces and no marks between words; only dictionaries find their words. Such
/// text is broken at U+200B, and like a long word elsewhere.
enum LineBreakClass {
    /// A space, after which a line can end.
    case space
    /// A zero-width space (ZW).
    case opportunity
    /// A character that joins its neighbours (GL, WJ), or a quotation mark of unknown direction (QU).
    case glue
    /// An opening bracket or quotation mark (OP).
    case opening
    /// Punctuation that cannot begin a line, in scripts with spaces.
    case closing
    /// The same in scripts without spaces, and small kana (CL, EX, NS, CJ).
    case wideClosing
    /// A hyphen (HY, BA).
    case hyphen
    /// A dash between words (B2).
    case dash
    /// A character of a script without spaces, or an emoji (ID, EB, H2, H3).
    case ideograph
    /// A digit (NU).
    case digit
    /// Everything else (AL).
    case letter

    init(of cluster: [Unicode.Scalar]) {
        guard let first = cluster.first else {
            self = .letter
            return
        }
        switch first.value {
        case 0x20: self = .space
        case 0x200B: self = .opportunity
        case 0x22, 0x27, 0xA0, 0x2007, 0x2011, 0x202F, 0x2060, 0xFEFF: self = .glue
        case 0x2D, 0x2010, 0x2012, 0x2013: self = .hyphen
        case 0x2014: self = .dash
        // Iteration and length marks, small kana.
        case 0x3005, 0x301C, 0x303B, 0x309B...0x309E, 0x30A0, 0x30FB...0x30FE, 0xFF70, 0xFF9E, 0xFF9F,
            0x3041, 0x3043, 0x3045, 0x3047, 0x3049, 0x3063, 0x3083, 0x3085, 0x3087, 0x308E, 0x3095, 0x3096,
            0x30A1, 0x30A3, 0x30A5, 0x30A7, 0x30A9, 0x30C3, 0x30E3, 0x30E5, 0x30E7, 0x30EE, 0x30F5, 0x30F6,
            0x31F0...0x31FF, 0xFF67...0xFF6F:
            self = .wideClosing
        case 0x3001, 0x3002, 0xFE50...0xFE52, 0xFE54...0xFE57, 0xFF01, 0xFF0C, 0xFF0E, 0xFF1A, 0xFF1B, 0xFF1F, 0xFF61,
            0xFF64:
            self = .wideClosing
        case 0x21, 0x2C, 0x2E, 0x2F, 0x3A, 0x3B, 0x3F, 0x25, 0x2026: self = .closing
        default: self.init(ofOther: first)
        }
    }

    private init(ofOther scalar: Unicode.Scalar) {
        let isWide = Self.wide.contains { $0.contains(scalar.value) }
        switch scalar.properties.generalCategory {
        case .openPunctuation, .initialPunctuation: self = .opening
        case .closePunctuation, .finalPunctuation: self = isWide ? .wideClosing : .closing
        case .decimalNumber: self = isWide ? .ideograph : .digit
        default: self = isWide || scalar.properties.isEmojiPresentation ? .ideograph : .letter
        }
    }

    /// Han, kana, Bopomofo, Hangul syllables, Yi, full-width forms.
    private static let wide: [ClosedRange<UInt32>] = [
        0x2E80...0x303F, 0x3040...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
        0xFE30...0xFE4F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x1B000...0x1B16F, 0x1F200...0x1F2FF, 0x20000...0x3FFFD,
    ]

    /// Returns whether a line can begin with a cluster, which is not the first one.
    static func canBreak(before index: Int, of clusters: [LineBreakClass]) -> Bool {
        // A hyphen that begins a word stays with it.
        if clusters[index - 1] == .hyphen, clusters[index] != .space, index < 2 || clusters[index - 2] == .space {
            return false
        }
        return canBreak(between: clusters[index - 1], and: clusters[index])
    }

    private static func canBreak(between first: LineBreakClass, and second: LineBreakClass) -> Bool {
        switch (first, second) {
        case (_, .space), (_, .opportunity): false
        case (.space, _), (.opportunity, _): true
        case (.glue, _), (_, .glue), (.opening, _), (_, .closing), (_, .wideClosing): false
        case (.dash, .dash): false
        case (.dash, _), (_, .dash): true
        case (.hyphen, .hyphen), (.hyphen, .digit), (_, .hyphen): false
        case (.hyphen, _), (.ideograph, _), (.wideClosing, _), (_, .ideograph): true
        default: false
        }
    }
}
