/// A fault in the drawing of a text.
public enum TextWarning: Sendable, Hashable {
    /// No installed font has these characters; the box for missing glyphs was drawn.
    case missingCharacters([Unicode.Scalar])
    /// The libraries that shape text could not be loaded, so joined letters, marks and directions are wrong.
    case unshaped(reason: String)
}

extension TextWarning: CustomStringConvertible {
    /// How many characters are named.
    private static let namedCharacterCount = 8

    public var description: String {
        switch self {
        case .missingCharacters(let characters):
            let names = characters.prefix(Self.namedCharacterCount).map(Self.name).joined(separator: ", ")
            let rest = characters.count - Self.namedCharacterCount
            return "no installed font has \(names)\(rest > 0 ? " and \(rest) more" : ""); boxes were drawn instead"
        case .unshaped(let reason):
            return "the text was drawn letter by letter, which is wrong in its script: \(reason)"
        }
    }

    /// The character with its number, such as "U+1F600 (😀)"; the number only if there is nothing to see.
    private static func name(_ character: Unicode.Scalar) -> String {
        let digits = String(character.value, radix: 16, uppercase: true)
        let number = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        return switch character.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .nonspacingMark, .enclosingMark, .spacingMark,
            .spaceSeparator, .lineSeparator, .paragraphSeparator:
            number
        default: "\(number) (\(character))"
        }
    }
}
