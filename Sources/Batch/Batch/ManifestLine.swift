import SystemPackage
import TexelPipeline

/// A line of a manifest, about one result.
///
/// A finished result has a line of `=`, the hash of the settings, the index of the recipe, the size and modification
/// time of the input and those of the output, and then both names, each after a tab. A line of `>` and both names is
/// about an output that is about to be written.
enum ManifestLine: Sendable, Hashable {
    case begun(input: String, output: String)
    case done(ManifestKey, ManifestEntry)

    static let header = "texel-manifest 1"

    /// The line without its newline.
    var text: String {
        switch self {
        case .begun(let input, let output): ">\t\(input)\t\(output)"
        case .done(let key, let entry):
            """
            = \(String(entry.settings, radix: 16)) \(key.number) \
            \(entry.input.byteCount) \(UInt(bitPattern: entry.input.nanoseconds)) \
            \(entry.output.byteCount) \(UInt(bitPattern: entry.output.nanoseconds))\t\(key.input)\t\(entry.outputName)
            """
        }
    }

    /// - Returns: `nil` if the line is invalid.
    init?(_ line: ArraySlice<UInt8>) {
        var reader = ManifestLineReader(line)
        if reader.skip(">") {
            guard reader.skip("\t"), let input = reader.name(), reader.skip("\t"), let output = reader.name(),
                reader.isAtEnd
            else { return nil }
            self = .begun(input: input, output: output)
            return
        }
        guard reader.skip("="), reader.skip(" "), let settings = reader.number(radix: 16) else { return nil }
        func next() -> Int? { reader.skip(" ") ? reader.number(radix: 10).flatMap { Int(exactly: $0) } : nil }
        // Times before 1970 are negative; they were written as unsigned numbers.
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

    /// Writes a path for a line. Bytes that would end a column are percent-encoded.
    static func name(_ path: String) -> String {
        path.utf8.contains(where: needsEscape) ? name(bytes: Array(path.utf8)) : path
    }

    /// Writes the bytes of a path for a line; they need not be valid text.
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

    /// The path of a name in a line.
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

/// Identifies a result of an input.
struct ManifestKey: Sendable, Hashable {
    /// The input's path as written in a line.
    var input: String
    var number: Int
}

struct ManifestEntry: Sendable, Hashable {
    /// The first bytes of the hash of everything that determines the result.
    var settings: UInt64
    var input: FileStamp
    var output: FileStamp
    /// The output's path as written in a line.
    var outputName: String
}

/// Parses a line from left to right; fast, because a manifest may have hundreds of thousands of lines.
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

    /// Parses digits only; the standard library also accepts signs and is many times slower.
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

    /// Reads up to the next tab.
    mutating func name() -> String? {
        let start = position
        while position < bytes.endIndex, bytes[position] != UInt8(ascii: "\t") { position += 1 }
        return position > start ? String(decoding: bytes[start..<position], as: UTF8.self) : nil
    }
}
