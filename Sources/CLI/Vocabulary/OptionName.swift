/// The name of an option: that of its long flag, `max-bytes`.
struct OptionName: Hashable, Sendable, ExpressibleByStringLiteral {
    /// Words in lower case, joined by hyphens.
    let words: String

    init(_ words: String) { self.words = words }

    init(stringLiteral words: String) { self.init(words) }

    /// The name as it is written in a place.
    func spelled(in spelling: OptionSpelling) -> String {
        switch spelling {
        case .commandLine: "--\(words)"
        case .job: field
        case .recipeFile: words
        }
    }

    /// The name in camelCase: `maxBytes`.
    var field: String {
        let parts = words.split(separator: "-")
        return parts.dropFirst().reduce(String(parts.first ?? "")) {
            $0 + $1.prefix(1).uppercased() + $1.dropFirst()
        }
    }
}

/// The places where options are set; each has its own spelling of their names.
enum OptionSpelling: Sendable {
    /// `--max-bytes`.
    case commandLine
    /// A worker's job: `maxBytes`.
    case job
    /// A recipe file: `max-bytes`.
    case recipeFile
}
