import TexelCodecs
import TexelCore

/// Reads the text of a header byte by byte.
struct PNMHeaderText {
    private let bytes: InputBytes
    private let stop: StopToken?
    private let limits: Limits
    private let start: Int
    private(set) var position: Int
    /// The comments so far, without "#" and the space that usually follows it.
    private(set) var comments: [[UInt8]] = []

    /// - Parameter limits: of these, ``Limits/metadataBytes`` for the whole header and ``Limits/chunks`` for the
    ///   comments.
    init(_ bytes: InputBytes, at position: Int, limits: Limits, stop: StopToken?) {
        (self.bytes, self.limits, self.stop) = (bytes, limits, stop)
        (start, self.position) = (position, position)
    }

    /// Returns the next byte.
    ///
    /// - Throws: `truncated` at the end of the file, `limitExceeded`, `stopped`.
    mutating func next() throws(TexelError) -> UInt8 {
        guard position - start < limits.metadataBytes else {
            throw .limitExceeded(.metadataBytes, value: position - start + 1, allowed: limits.metadataBytes)
        }
        guard try bytes.has(position + 1, stop) else { throw .truncated(rowsRead: 0, rows: 0) }
        position += 1
        return bytes[position - 1]
    }

    /// Returns the last byte, so that it is read again.
    mutating func back() { position -= 1 }

    /// Reads a decimal number with white space and comments before it, and one byte of white space after it.
    ///
    /// A comment after the number counts as white space, with the end of its line, as Netpbm's own programs read it.
    mutating func number(_ name: String) throws(TexelError) -> Int {
        var byte = try nextOutsideComments()
        while byte.isSpace { byte = try nextOutsideComments() }
        var value: Int?
        while byte.isDigit {
            value = Self.number(value ?? 0, followedBy: byte)
            byte = try nextOutsideComments()
        }
        guard byte.isSpace, let value else { throw .ppm(.corrupt("the \(name) is not a number")) }
        return value
    }

    /// Returns the next byte, or the end of the line if a comment begins here.
    private mutating func nextOutsideComments() throws(TexelError) -> UInt8 {
        let byte = try next()
        guard byte == UInt8(ascii: "#") else { return byte }
        return try comment()
    }

    /// Reads the rest of a comment; returns the byte that ends it.
    private mutating func comment() throws(TexelError) -> UInt8 {
        var text: [UInt8] = []
        while true {
            let byte = try next()
            if byte.endsLine {
                if text.first == UInt8(ascii: " ") { text.removeFirst() }
                if !text.isEmpty { comments.append(text) }
                // The memory of a comment is many times that of a short text.
                guard comments.count <= limits.chunks else {
                    throw .limitExceeded(.chunks, value: comments.count, allowed: limits.chunks)
                }
                return byte
            }
            text.append(byte)
        }
    }

    /// Returns the next line of a PAM's header that is not a comment; `nil` for its last line, ENDHDR.
    mutating func line() throws(TexelError) -> [UInt8]? {
        while true {
            var line: [UInt8] = []
            var byte = try next()
            if byte == UInt8(ascii: "#") {
                // A carriage return does not end a line here.
                while try comment() != UInt8(ascii: "\n") {}
                continue
            }
            while byte != UInt8(ascii: "\n") {
                line.append(byte)
                byte = try next()
            }
            return line.trimmed.elementsEqual("ENDHDR".utf8) ? nil : line
        }
    }

    /// Larger than every valid number; takes the place of all larger ones.
    private static let largestNumber = 999_999_999_999

    /// Returns a decimal number; `nil` if there are other characters.
    static func number(_ digits: some Collection<UInt8>) -> Int? {
        guard !digits.isEmpty, digits.allSatisfy(\.isDigit) else { return nil }
        return digits.reduce(0) { number($0, followedBy: $1) }
    }

    /// Appends a digit to a number of at most ``largestNumber``, so that nothing overflows.
    private static func number(_ number: Int, followedBy digit: UInt8) -> Int {
        min(number * 10 + Int(digit - UInt8(ascii: "0")), largestNumber)
    }
}

extension UInt8 {
    /// White space in the sense of these formats: space, TAB, LF, VT, FF, CR.
    var isSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }

    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    var endsLine: Bool { self == UInt8(ascii: "\n") || self == UInt8(ascii: "\r") }
}

extension Collection where Element == UInt8 {
    /// The bytes without white space at both ends.
    var trimmed: [UInt8] {
        Array(drop(while: \.isSpace).reversed().drop(while: \.isSpace).reversed())
    }
}
