import TexelPixels

/// The contents of a message, between `Codable` types and bytes: what is sent to another process, stored with a cached
/// result, or digested as the key of one.
///
/// Bytes from the other process are not trusted: invalid ones throw, and nesting and memory are limited.
package enum MessageValue: Equatable {
    case none
    case flag(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    case bytes([UInt8])
    case list([MessageValue])
    case fields([String: MessageValue])
}

/// The bytes are not a valid message.
package struct MessageError: Error {
    package init() {}
}

extension MessageValue {
    fileprivate enum Tag: UInt8 {
        case none, no, yes, integer, number, text, bytes, list, fields
    }

    // MARK: Writing

    package var encoded: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return bytes
    }

    private func append(to bytes: inout [UInt8]) {
        func begin(_ tag: Tag, _ word: UInt64? = nil) {
            bytes.append(tag.rawValue)
            if let word { withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) } }
        }
        switch self {
        case .none: begin(.none)
        case .flag(let flag): begin(flag ? .yes : .no)
        case .integer(let value): begin(.integer, UInt64(bitPattern: value))
        // Negative zero is written as zero, because they are equal.
        case .number(let value): begin(.number, value == 0 ? 0 : value.bitPattern)
        case .text(let text):
            begin(.text, UInt64(text.utf8.count))
            bytes.append(contentsOf: text.utf8)
        case .bytes(let content):
            begin(.bytes, UInt64(content.count))
            bytes.append(contentsOf: content)
        case .list(let values):
            begin(.list, UInt64(values.count))
            for value in values { value.append(to: &bytes) }
        case .fields(let fields):
            begin(.fields, UInt64(fields.count))
            // Sorted, so that equal values have equal bytes.
            for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
                Self.text(name).append(to: &bytes)
                value.append(to: &bytes)
            }
        }
    }

    // MARK: Reading

    package init(decoding bytes: [UInt8]) throws(MessageError) {
        var reader = MessageReader(bytes)
        self = try reader.value(depth: 0)
        guard reader.isAtEnd else { throw MessageError() }
    }
}

private struct MessageReader {
    private static let depthLimit = 32
    private var rest: ArraySlice<UInt8>
    /// Limits the number of values, because one takes much more memory than its single byte in a message.
    private var valuesLeft = 1 << 20

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func value(depth: Int) throws(MessageError) -> MessageValue {
        valuesLeft -= 1
        guard depth < Self.depthLimit, valuesLeft >= 0, let tag = rest.popFirst().flatMap(MessageValue.Tag.init) else {
            throw MessageError()
        }
        switch tag {
        case .none: return .none
        case .no: return .flag(false)
        case .yes: return .flag(true)
        case .integer: return .integer(Int64(bitPattern: try word()))
        case .number: return .number(Double(bitPattern: try word()))
        case .text: return .text(String(decoding: try bytes(), as: UTF8.self))
        case .bytes: return .bytes(Array(try bytes()))
        case .list:
            var values: [MessageValue] = []
            for _ in 0..<(try count()) { values.append(try value(depth: depth + 1)) }
            return .list(values)
        case .fields:
            var fields: [String: MessageValue] = [:]
            for _ in 0..<(try count()) {
                guard case .text(let name) = try value(depth: depth + 1) else { throw MessageError() }
                fields[name] = try value(depth: depth + 1)
            }
            return .fields(fields)
        }
    }

    private mutating func word() throws(MessageError) -> UInt64 {
        guard rest.count >= 8 else { throw MessageError() }
        let word = UInt64(truncatingIfNeeded: rest.littleEndian(8, at: rest.startIndex))
        rest = rest.dropFirst(8)
        return word
    }

    /// Reads the number of elements that take at least one byte each.
    private mutating func count() throws(MessageError) -> Int {
        guard let count = Int(exactly: try word()), count <= rest.count else { throw MessageError() }
        return count
    }

    private mutating func bytes() throws(MessageError) -> ArraySlice<UInt8> {
        let count = try count()
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }
}
