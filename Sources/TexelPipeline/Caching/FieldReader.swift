import TexelOperations

/// Reads what a ``FieldWriter`` wrote. Each function returns `nil` if the bytes are invalid.
struct FieldReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Whether every byte has been read.
    var isAtEnd: Bool { position == bytes.count }

    mutating func unsigned() -> UInt64? {
        guard bytes.count - position >= 8 else { return nil }
        defer { position += 8 }
        return (0..<8).reduce(0) { $0 | UInt64(bytes[position + $1]) << ($1 * 8) }
    }

    mutating func integer() -> Int? {
        unsigned().flatMap { Int(exactly: Int64(bitPattern: $0)) }
    }

    /// Rejects negative zero, which is never written.
    mutating func double() -> Double? {
        unsigned().map { Double(bitPattern: $0) }.flatMap { $0 == 0 && $0.sign == .minus ? nil : $0 }
    }

    /// Reads an optional value. Returns the outer `nil` if the bytes are invalid.
    mutating func optional<Value>(_ value: (inout FieldReader) -> Value?) -> Value?? {
        guard let isThere = boolean() else { return nil }
        if !isThere { return .some(nil) }
        return value(&self).map { .some($0) }
    }

    mutating func boolean() -> Bool? {
        guard position < bytes.count, bytes[position] < 2 else { return nil }
        defer { position += 1 }
        return bytes[position] == 1
    }

    mutating func list() -> [UInt8]? {
        guard let count = integer(), count >= 0, count <= bytes.count - position else { return nil }
        defer { position += count }
        return Array(bytes[position..<(position + count)])
    }

    mutating func text() -> String? {
        list().flatMap { String(validating: $0, as: UTF8.self) }
    }

    mutating func value<Value: RawRepresentable<String>>(_ type: Value.Type) -> Value? {
        text().flatMap(Value.init(rawValue:))
    }
}
