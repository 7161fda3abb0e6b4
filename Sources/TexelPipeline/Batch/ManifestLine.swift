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
            = \(String(entry.settings, radix: 16)) \(key.number) \(entry.input.byteCount) \(entry.input.nanoseconds) \
            \(entry.output.byteCount) \(entry.output.nanoseconds)\t\(key.input)\t\(entry.outputName)
            """
        }
    }

    /// - Returns: `nil` for what no manifest says.
    init?(_ line: some Collection<UInt8>) {
        let columns = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
        guard let first = columns.first?.first, columns.dropFirst().allSatisfy({ !$0.isEmpty }) else { return nil }
        switch (first, columns.count) {
        case (UInt8(ascii: ">"), 2) where columns[0].count == 1:
            self = .begun(output: String(decoding: columns[1], as: UTF8.self))
        case (UInt8(ascii: "="), 3):
            let fields = columns[0].split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
            guard fields.count == 7, fields[0].count == 1, let settings = Self.number(fields[1], radix: 16) else {
                return nil
            }
            let numbers = fields[2...].compactMap { Self.number($0, radix: 10).flatMap { Int(exactly: $0) } }
            guard numbers.count == 5 else { return nil }
            self = .done(
                ManifestKey(input: String(decoding: columns[1], as: UTF8.self), number: numbers[0]),
                ManifestEntry(
                    settings: settings, input: FileStamp(byteCount: numbers[1], nanoseconds: numbers[2]),
                    output: FileStamp(byteCount: numbers[3], nanoseconds: numbers[4]),
                    outputName: String(decoding: columns[2], as: UTF8.self)))
        default: return nil
        }
    }

    /// Digits alone; the standard library's way takes a sign, and is many times slower.
    private static func number(_ digits: some Collection<UInt8>, radix: UInt64) -> UInt64? {
        guard !digits.isEmpty else { return nil }
        var number: UInt64 = 0
        for digit in digits {
            let value: UInt8
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f") where radix == 16: value = digit - UInt8(ascii: "a") + 10
            default: return nil
            }
            let (product, isTooLarge) = number.multipliedReportingOverflow(by: radix)
            let (sum, overflows) = product.addingReportingOverflow(UInt64(value))
            guard !isTooLarge, !overflows else { return nil }
            number = sum
        }
        return number
    }

    /// A path as it stands in a line: whatever would end a column is written as a percent sign and two digits.
    static func name(_ path: String) -> String {
        guard path.utf8.contains(where: needsEscape) else { return path }
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in path.utf8 {
            if needsEscape(byte) {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The path that a line names.
    static func path(of name: String) -> String {
        guard name.utf8.contains(UInt8(ascii: "%")) else { return name }
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
        return String(decoding: bytes, as: UTF8.self)
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
