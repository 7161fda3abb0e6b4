public import TexelCore

extension ColorLUT {
    /// Reads the text of a `.cube` file (Adobe, Cube LUT Specification 1.0).
    ///
    /// The keywords are TITLE, DOMAIN_MIN, DOMAIN_MAX, LUT_1D_SIZE and LUT_3D_SIZE, and those with which DaVinci
    /// Resolve gives the same domain to all channels: LUT_1D_INPUT_RANGE and LUT_3D_INPUT_RANGE. Lines that begin with
    /// `#` are comments.
    ///
    /// - Throws: an error with its line if the text does not follow the specification, or has tables of both kinds.
    public init(cubeText text: String) throws(TexelError) {
        var reader = CubeTextReader()
        var line = 0
        // Some editors begin a file with a byte order mark.
        let content = text.first == "\u{FEFF}" ? text.dropFirst() : Substring(text)
        // A line ends with LF, or with CR and LF; CR is white space.
        for bytes in content.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            line += 1
            do { try reader.read(line: bytes) } catch { throw error.error(inLine: line) }
        }
        do { self = try reader.finish() } catch { throw error.error(inLine: line) }
    }
}

/// A fault in the text of a `.cube` file.
enum CubeTextFault: Error {
    /// A line begins with a word that is not a keyword of the format.
    case unknownKeyword(String)
    /// A keyword occurs a second time.
    case repeatedKeyword(String)
    /// A keyword follows entries of the table.
    case keywordAfterEntries(String)
    /// A value is not a finite number, or not a whole one where the format requires it.
    case notANumber(String)
    /// A line has another number of values than its keyword, or an entry, requires.
    case valueCount(expected: Int, actual: Int)
    /// The number of entries on an axis is not allowed; the largest one is given.
    case invalidSize(Int, largest: Int)
    /// The upper end of the domain is not above the lower one.
    case invalidDomain
    /// There is no size, or an entry precedes it.
    case missingSize
    /// The number of entries does not fit the size.
    case entryCount(expected: Int, actual: Int)

    /// - Parameter line: from 1; that of the end if something is missing.
    func error(inLine line: Int) -> TexelError { TexelError(.damaged, "line \(line): \(description)") }

    private var description: String {
        switch self {
        case .unknownKeyword(let word): "“\(word)” is not a keyword"
        case .repeatedKeyword(let word): "\(word) occurs twice"
        case .keywordAfterEntries(let word): "\(word) must precede the entries"
        case .notANumber(let text): "“\(text)” is not a valid number"
        case .valueCount(let expected, let actual): "expected \(expected) values, found \(actual)"
        case .invalidSize(let size, let largest): "the size cannot be \(size); it must be from 2 to \(largest)"
        case .invalidDomain: "the maximum of the domain must be more than its minimum"
        case .missingSize: "LUT_1D_SIZE or LUT_3D_SIZE must precede the entries"
        case .entryCount(let expected, let actual): "the table has \(actual) entries; its size requires \(expected)"
        }
    }
}

/// Collects the lines of a `.cube` file.
private struct CubeTextReader {
    private var title: String?
    private var table: (shape: ColorLUT.Shape, size: Int)?
    private var domain = ColorLUT.Domain()
    private var keywords: Set<String> = []
    private var values: [Float] = []

    private var expectedCount: Int { table.map { 3 * ColorLUT.entryCount($0.shape, $0.size) } ?? 0 }

    mutating func read(line: Substring.UTF8View) throws(CubeTextFault) {
        let words = line.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\r") }
        guard let first = words.first, let letter = first.first, letter != UInt8(ascii: "#") else { return }
        switch letter {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."):
            try readEntry(words)
        default: try read(keyword: String(Substring(first)), words.dropFirst(), of: line)
        }
    }

    private mutating func readEntry(_ words: [Substring.UTF8View]) throws(CubeTextFault) {
        guard table != nil else { throw .missingSize }
        guard words.count == 3 else { throw .valueCount(expected: 3, actual: words.count) }
        guard values.count < expectedCount else {
            throw .entryCount(expected: expectedCount / 3, actual: values.count / 3 + 1)
        }
        for word in words { values.append(try Self.number(word)) }
    }

    private mutating func read(
        keyword: String, _ words: ArraySlice<Substring.UTF8View>, of line: Substring.UTF8View
    ) throws(CubeTextFault) {
        guard values.isEmpty else {
            throw Self.keywords.contains(keyword) ? .keywordAfterEntries(keyword) : .unknownKeyword(keyword)
        }
        guard Self.keywords.contains(keyword) else { throw .unknownKeyword(keyword) }
        guard keywords.insert(keyword).inserted else { throw .repeatedKeyword(keyword) }
        func check(count: Int) throws(CubeTextFault) {
            guard words.count == count else { throw .valueCount(expected: count, actual: words.count) }
        }
        switch keyword {
        case "TITLE": title = Self.title(line)
        case "LUT_1D_SIZE", "LUT_3D_SIZE":
            try check(count: 1)
            let shape: ColorLUT.Shape = keyword == "LUT_1D_SIZE" ? .curves : .cube
            if table != nil { throw .repeatedKeyword("the size") }
            table = (shape, try Self.size(words, largest: shape.sizes.upperBound))
        case "DOMAIN_MIN", "DOMAIN_MAX":
            try check(count: 3)
            var numbers: [Float] = []
            for word in words { numbers.append(try Self.number(word)) }
            if keyword == "DOMAIN_MIN" { domain.lower = numbers } else { domain.upper = numbers }
        default:
            try check(count: 2)
            var numbers: [Float] = []
            for word in words { numbers.append(try Self.number(word)) }
            domain = ColorLUT.Domain(
                lower: [Float](repeating: numbers[0], count: 3), upper: [Float](repeating: numbers[1], count: 3))
        }
    }

    private static let keywords: Set = [
        "TITLE", "DOMAIN_MIN", "DOMAIN_MAX", "LUT_1D_SIZE", "LUT_3D_SIZE", "LUT_1D_INPUT_RANGE", "LUT_3D_INPUT_RANGE",
    ]

    /// The text after the keyword, without the quotation marks.
    private static func title(_ line: Substring.UTF8View) -> String? {
        let text = Substring(line).drop(while: \.isWhitespace).dropFirst("TITLE".count)
        var words = text.drop(while: \.isWhitespace)
        while words.last?.isWhitespace == true { words.removeLast() }
        if words.first == "\"" { words.removeFirst() }
        if words.last == "\"" { words.removeLast() }
        return words.isEmpty ? nil : String(words)
    }

    private static func size(
        _ words: ArraySlice<Substring.UTF8View>, largest: Int
    ) throws(CubeTextFault) -> Int {
        let text = words.first.map { String(Substring($0)) } ?? ""
        guard let size = Int(text) else { throw .notANumber(text) }
        guard (2...largest).contains(size) else { throw .invalidSize(size, largest: largest) }
        return size
    }

    private static func number(_ word: Substring.UTF8View) throws(CubeTextFault) -> Float {
        let text = Substring(word)
        let isDecimal = word.allSatisfy {
            switch $0 {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
                UInt8(ascii: "e"), UInt8(ascii: "E"):
                true
            default: false
            }
        }
        guard isDecimal, let number = Float(text), number.isFinite else { throw .notANumber(String(text)) }
        return number
    }

    consuming func finish() throws(CubeTextFault) -> ColorLUT {
        guard let table else { throw .missingSize }
        guard domain.isValid else { throw .invalidDomain }
        guard values.count == expectedCount else {
            throw .entryCount(expected: expectedCount / 3, actual: values.count / 3)
        }
        return ColorLUT(title: title, shape: table.shape, size: table.size, domain: domain, values: values)
    }
}
