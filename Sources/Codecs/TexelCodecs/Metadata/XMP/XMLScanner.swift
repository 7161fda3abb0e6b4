/// Scans the markup of an XML document byte by byte. The document need not be well-formed.
///
/// Supports the part of XML that XMP packets use (XMP specification part 1, annex C). A document type declaration is
/// refused, because it could redefine entities.
struct XMLScanner {
    struct Attribute {
        let name: Range<Int>
        /// The bytes between the quotes.
        let value: Range<Int>
        /// From the white space before the name to the closing quote.
        let extent: Range<Int>
    }

    enum Markup {
        case start(name: Range<Int>, attributes: [Attribute], extent: Range<Int>, isEmpty: Bool)
        case end(name: Range<Int>, extent: Range<Int>)
        /// A comment, a processing instruction or a CDATA section.
        case other
    }

    /// The document is malformed; scanning cannot continue.
    struct Malformed: Error {}

    let bytes: [UInt8]
    private var position: Int

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        self.position = 0
    }

    /// Returns the next piece of markup, or `nil` at the end. Text between markup is skipped.
    mutating func next() throws(Malformed) -> Markup? {
        guard let start = bytes[position...].firstIndex(of: UInt8(ascii: "<")) else { return nil }
        position = start + 1
        switch byte {
        case UInt8(ascii: "/"):
            position += 1
            let name = try name()
            skipSpace()
            try expect(">")
            return .end(name: name, extent: start..<position)
        case UInt8(ascii: "?"):
            try skip(past: "?>")
            return .other
        case UInt8(ascii: "!"):
            if hasPrefix("!--") {
                position += 3
                try skip(past: "-->")
            } else if hasPrefix("![CDATA[") {
                try skip(past: "]]>")
            } else {
                throw Malformed()
            }
            return .other
        default:
            return try startTag(from: start)
        }
    }

    private mutating func startTag(from start: Int) throws(Malformed) -> Markup {
        let name = try name()
        var attributes: [Attribute] = []
        while true {
            let spaceStart = position
            skipSpace()
            switch byte {
            case UInt8(ascii: ">"):
                position += 1
                return .start(name: name, attributes: attributes, extent: start..<position, isEmpty: false)
            case UInt8(ascii: "/"):
                position += 1
                try expect(">")
                return .start(name: name, attributes: attributes, extent: start..<position, isEmpty: true)
            default:
                guard position > spaceStart else { throw Malformed() }
                attributes.append(try attribute(from: spaceStart))
            }
        }
    }

    private mutating func attribute(from start: Int) throws(Malformed) -> Attribute {
        let name = try name()
        skipSpace()
        try expect("=")
        skipSpace()
        guard let quote = byte, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
            let end = bytes[(position + 1)...].firstIndex(of: quote)
        else { throw Malformed() }
        let value = (position + 1)..<end
        position = end + 1
        return Attribute(name: name, value: value, extent: start..<position)
    }

    // MARK: Bytes

    private var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Everything up to white space or a delimiter.
    private mutating func name() throws(Malformed) -> Range<Int> {
        let start = position
        while let byte, !Self.isSpace(byte), !"/>=<\"'".utf8.contains(byte) { position += 1 }
        guard position > start else { throw Malformed() }
        return start..<position
    }

    private mutating func skipSpace() {
        while let byte, Self.isSpace(byte) { position += 1 }
    }

    private mutating func expect(_ character: Unicode.Scalar) throws(Malformed) {
        guard byte == UInt8(ascii: character) else { throw Malformed() }
        position += 1
    }

    private func hasPrefix(_ prefix: String) -> Bool { bytes[position...].starts(with: prefix.utf8) }

    private mutating func skip(past end: String) throws(Malformed) {
        while position < bytes.count {
            if hasPrefix(end) {
                position += end.utf8.count
                return
            }
            position += 1
        }
        throw Malformed()
    }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
}
