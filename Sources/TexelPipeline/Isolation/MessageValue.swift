/// What a message consists of, between `Codable` types and bytes.
///
/// Bytes from the other process are not believed: what does not fit is an error, and nesting has an end.
enum MessageValue: Equatable {
    case none
    case flag(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    case bytes([UInt8])
    case list([MessageValue])
    case fields([String: MessageValue])
}

/// Why bytes are no message.
struct MessageError: Error {}

extension MessageValue {
    private enum Tag: UInt8 {
        case none, no, yes, integer, number, text, bytes, list, fields
    }

    private static let depthLimit = 32

    // MARK: Writing

    var encoded: [UInt8] {
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
        case .number(let value): begin(.number, value.bitPattern)
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
            for (name, value) in fields {
                Self.text(name).append(to: &bytes)
                value.append(to: &bytes)
            }
        }
    }

    // MARK: Reading

    init(decoding bytes: [UInt8]) throws(MessageError) {
        var rest = bytes[...]
        self = try Self.read(&rest, depth: 0)
        guard rest.isEmpty else { throw MessageError() }
    }

    private static func read(_ rest: inout ArraySlice<UInt8>, depth: Int) throws(MessageError) -> MessageValue {
        guard depth < depthLimit, let tag = rest.popFirst().flatMap(Tag.init) else { throw MessageError() }
        switch tag {
        case .none: return .none
        case .no: return .flag(false)
        case .yes: return .flag(true)
        case .integer: return .integer(Int64(bitPattern: try readWord(&rest)))
        case .number: return .number(Double(bitPattern: try readWord(&rest)))
        case .text: return .text(String(decoding: try readBytes(&rest), as: UTF8.self))
        case .bytes: return .bytes(Array(try readBytes(&rest)))
        case .list:
            var values: [MessageValue] = []
            for _ in 0..<(try readCount(&rest)) { values.append(try read(&rest, depth: depth + 1)) }
            return .list(values)
        case .fields:
            var fields: [String: MessageValue] = [:]
            for _ in 0..<(try readCount(&rest)) {
                guard case .text(let name) = try read(&rest, depth: depth + 1) else { throw MessageError() }
                fields[name] = try read(&rest, depth: depth + 1)
            }
            return .fields(fields)
        }
    }

    private static func readWord(_ rest: inout ArraySlice<UInt8>) throws(MessageError) -> UInt64 {
        guard rest.count >= 8 else { throw MessageError() }
        let word = rest.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        rest = rest.dropFirst(8)
        return word
    }

    /// Of things that take a byte each at least.
    private static func readCount(_ rest: inout ArraySlice<UInt8>) throws(MessageError) -> Int {
        guard let count = Int(exactly: try readWord(&rest)), count <= rest.count else { throw MessageError() }
        return count
    }

    private static func readBytes(_ rest: inout ArraySlice<UInt8>) throws(MessageError) -> ArraySlice<UInt8> {
        let count = try readCount(&rest)
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }
}
