/// The subset of TOML 1.0 (toml.io) that flags need: tables of keys with a string, a number, a boolean, or a list of
/// integers. Anything else is an error.
struct TOMLDocument {
    struct Entry: Equatable {
        /// Empty for keys above the first table.
        var table: String
        var key: String
        var value: OptionValue
        /// The line number, from 1.
        var line: Int
    }

    /// A syntax error and its line.
    struct Fault: Error, Equatable {
        var line: Int
        var message: String
    }

    let entries: [Entry]
    /// The tables with their line numbers.
    let tables: [String: Int]

    init(_ text: String) throws(Fault) {
        var entries: [Entry] = []
        var table = ""
        var tables: [String: Int] = [:]
        var keys: [String: Set<String>] = [:]
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        for (index, line) in lines.enumerated() {
            var scanner = TOMLLine(line, number: index + 1)
            switch try scanner.content() {
            case .nothing: break
            case .table(let name):
                if tables[name] != nil { throw scanner.fault("duplicate table [\(name)]") }
                tables[name] = index + 1
                table = name
            case .entry(let key, let value):
                guard keys[table, default: []].insert(key).inserted else {
                    throw scanner.fault("duplicate key \(key)")
                }
                entries.append(Entry(table: table, key: key, value: value, line: index + 1))
            }
        }
        self.entries = entries
        self.tables = tables
    }
}

/// Parses one line of a document.
private struct TOMLLine {
    enum Content {
        case nothing
        case table(String)
        case entry(String, OptionValue)
    }

    private var rest: Substring
    private let number: Int

    init(_ line: Substring, number: Int) {
        rest = line
        self.number = number
    }

    func fault(_ message: String) -> TOMLDocument.Fault { TOMLDocument.Fault(line: number, message: message) }

    mutating func content() throws(TOMLDocument.Fault) -> Content {
        skipSpace()
        guard let first = rest.first, first != "#" else { return .nothing }
        let content: Content
        if first == "[" {
            rest.removeFirst()
            content = .table(try key())
            try expect("]", after: "the table's name")
        } else {
            let key = try key()
            try expect("=", after: key)
            content = .entry(key, try value())
        }
        skipSpace()
        guard rest.isEmpty || rest.first == "#" else { throw fault("unexpected \"\(rest.prefix(20))\"") }
        return content
    }

    private mutating func skipSpace() { rest = rest.drop { $0 == " " || $0 == "\t" } }

    private mutating func expect(_ character: Character, after what: String) throws(TOMLDocument.Fault) {
        skipSpace()
        guard rest.first == character else { throw fault("expected \(character) after \(what)") }
        rest.removeFirst()
    }

    private mutating func key() throws(TOMLDocument.Fault) -> String {
        skipSpace()
        if rest.first == "\"" || rest.first == "'" { return try text() }
        let key = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
        guard !key.isEmpty else { throw fault("\"\(rest.prefix(20))\" is not a valid key") }
        rest = rest[key.endIndex...]
        return String(key)
    }

    private mutating func value() throws(TOMLDocument.Fault) -> OptionValue {
        skipSpace()
        switch rest.first {
        case "\"", "'": return .text(try text())
        case "[": return .integers(try list())
        default: break
        }
        let word = rest.prefix { !" \t#,]".contains($0) }
        rest = rest[word.endIndex...]
        switch word {
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        default: break
        }
        guard let number = Self.decimal(word) else {
            throw fault("\"\(word.prefix(20))\" is not a quoted string, number, boolean or list of integers")
        }
        return number
    }

    private mutating func list() throws(TOMLDocument.Fault) -> [Int] {
        rest.removeFirst()
        var numbers: [Int] = []
        while true {
            skipSpace()
            if rest.first == "]" { break }
            guard case .integer(let number) = try value() else {
                throw fault("a list must contain integers only and end on the same line")
            }
            numbers.append(number)
            skipSpace()
            guard rest.first == "," else { break }
            rest.removeFirst()
        }
        try expect("]", after: "the list")
        return numbers
    }

    /// Parses a basic string with escapes, or a literal string without.
    private mutating func text() throws(TOMLDocument.Fault) -> String {
        let quote = rest.removeFirst()
        var text = ""
        while let character = rest.popFirst() {
            if character == quote { return text }
            guard character == "\\", quote == "\"" else {
                text.append(character)
                continue
            }
            text.append(try escaped())
        }
        throw fault("unterminated string")
    }

    private mutating func escaped() throws(TOMLDocument.Fault) -> Character {
        let escapes: [Character: Character] = [
            "b": "\u{8}", "t": "\t", "n": "\n", "f": "\u{C}", "r": "\r", "\"": "\"", "\\": "\\",
        ]
        let letter = rest.popFirst() ?? "\\"
        if let character = escapes[letter] { return character }
        let digits = rest.prefix(letter == "u" ? 4 : letter == "U" ? 8 : 0)
        guard !digits.isEmpty, digits.allSatisfy(\.isHexDigit), let code = UInt32(digits, radix: 16),
            let scalar = Unicode.Scalar(code)
        else { throw fault("unknown escape \\\(letter)") }
        rest = rest[digits.endIndex...]
        return Character(scalar)
    }

    /// Parses a decimal integer or number. Returns `nil` if the word is neither.
    private static func decimal(_ word: Substring) -> OptionValue? {
        var rest = word
        if let sign = rest.first, "+-".contains(sign) { rest.removeFirst() }
        guard let whole = digits(&rest), whole == "0" || whole.first != "0" else { return nil }
        let text = word.filter { $0 != "_" }
        if rest.isEmpty, let integer = Int(text) { return .integer(integer) }
        if rest.first == "." {
            rest.removeFirst()
            guard digits(&rest) != nil else { return nil }
        }
        if let exponent = rest.first, "eE".contains(exponent) {
            rest.removeFirst()
            if let sign = rest.first, "+-".contains(sign) { rest.removeFirst() }
            guard digits(&rest) != nil else { return nil }
        }
        guard rest.isEmpty, let number = Double(text), number.isFinite else { return nil }
        return .number(number)
    }

    /// Removes digits, with single underscores between them. Returns `nil` if there are none.
    private static func digits(_ rest: inout Substring) -> Substring? {
        let digits = rest.prefix { $0 == "_" || "0"..."9" ~= $0 }
        guard let first = digits.first, first != "_", digits.last != "_", !digits.contains("__") else { return nil }
        rest = rest[digits.endIndex...]
        return digits
    }
}
