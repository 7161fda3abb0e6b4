import SystemPackage

/// What a manifest says of one result.
///
/// A line of it is `=`, the digest of the recipe, the number of the result among those of its input, then the size and
/// the time of the input and of the output, and after a tab each their names. A line of `>` and a tab names an output
/// that is about to be written.
enum ManifestLine: Sendable, Hashable {
    case begun(output: String)
    case done(ManifestKey, ManifestEntry)

    static let header = "texel-manifest 1"

    /// Without the line's end.
    var text: String {
        switch self {
        case .begun(let output): ">\t\(output)"
        case .done(let key, let entry):
            """
            = \(String(entry.settings, radix: 16)) \(key.number) \
            \(entry.input.byteCount) \(UInt(bitPattern: entry.input.nanoseconds)) \
            \(entry.output.byteCount) \(UInt(bitPattern: entry.output.nanoseconds))\t\(key.input)\t\(entry.outputName)
            """
        }
    }

    /// - Returns: `nil` for what no manifest says.
    init?(_ line: ArraySlice<UInt8>) {
        var reader = ManifestLineReader(line)
        if reader.skip(">") {
            guard reader.skip("\t"), let output = reader.name(), reader.isAtEnd else { return nil }
            self = .begun(output: output)
            return
        }
        guard reader.skip("="), reader.skip(" "), let settings = reader.number(radix: 16) else { return nil }
        func next() -> Int? { reader.skip(" ") ? reader.number(radix: 10).flatMap { Int(exactly: $0) } : nil }
        // Clocks may stand before 1970.
        func nextTime() -> Int? {
            reader.skip(" ") ? reader.number(radix: 10).map { Int(truncatingIfNeeded: $0) } : nil
        }
        guard let number = next(), let inputBytes = next(), let inputTime = nextTime(), let outputBytes = next(),
            let outputTime = nextTime(), reader.skip("\t"), let input = reader.name(), reader.skip("\t"),
            let output = reader.name(), reader.isAtEnd
        else { return nil }
        self = .done(
            ManifestKey(input: input, number: number),
            ManifestEntry(
                settings: settings, input: FileStamp(byteCount: inputBytes, nanoseconds: inputTime),
                output: FileStamp(byteCount: outputBytes, nanoseconds: outputTime), outputName: output))
    }

    /// A path as it stands in a line: whatever would end a column is written as a percent sign and two digits.
    static func name(_ path: String) -> String {
        path.utf8.contains(where: needsEscape) ? name(bytes: Array(path.utf8)) : path
    }

    /// The same of a path that need not be text.
    static func name(bytes: [UInt8]) -> String {
        let isText = String(validating: bytes, as: UTF8.self) != nil
        let digits = Array("0123456789ABCDEF".utf8)
        var escaped: [UInt8] = []
        for byte in bytes {
            if needsEscape(byte) || !isText && byte >= 0x80 {
                escaped += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            } else {
                escaped.append(byte)
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }

    /// The path that a line names.
    static func path(of name: String) -> FilePath {
        guard name.utf8.contains(UInt8(ascii: "%")) else { return FilePath(name) }
        var bytes: [UInt8] = []
        var rest = Array(name.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"),
                let escaped = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(escaped)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return FilePath(bytes: bytes)
    }

    private static func needsEscape(_ byte: UInt8) -> Bool { byte < 0x20 || byte == UInt8(ascii: "%") || byte == 0x7F }
}

/// One of the results of an input.
struct ManifestKey: Sendable, Hashable {
    /// The input's path, as a line names it.
    var input: String
    var number: Int
}

struct ManifestEntry: Sendable, Hashable {
    /// The beginning of the digest of all that decides what the result is.
    var settings: UInt64
    var input: FileStamp
    var output: FileStamp
    /// The output's path, as a line names it.
    var outputName: String
}

/// Reads a line from its beginning to its end. There may be hundreds of thousands.
private struct ManifestLineReader {
    private let bytes: ArraySlice<UInt8>
    private var position: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    var isAtEnd: Bool { position == bytes.endIndex }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.endIndex, bytes[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    /// Digits alone; the standard library's way takes a sign, and is many times slower.
    mutating func number(radix: UInt64) -> UInt64? {
        let start = position
        var number: UInt64 = 0
        while position < bytes.endIndex {
            let value: UInt8
            switch bytes[position] {
            case let digit where (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit):
                value = digit - UInt8(ascii: "0")
            case let digit where radix == 16 && (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(digit):
                value = digit - UInt8(ascii: "a") + 10
            default: return position > start ? number : nil
            }
            let (product, isTooLarge) = number.multipliedReportingOverflow(by: radix)
            let (sum, overflows) = product.addingReportingOverflow(UInt64(value))
            guard !isTooLarge, !overflows else { return nil }
            number = sum
            position += 1
        }
        return position > start ? number : nil
    }

    /// Up to the next tab.
    mutating func name() -> String? {
        let start = position
        while position < bytes.endIndex, bytes[position] != UInt8(ascii: "\t") { position += 1 }
        return position > start ? String(decoding: bytes[start..<position], as: UTF8.self) : nil
    }
}
