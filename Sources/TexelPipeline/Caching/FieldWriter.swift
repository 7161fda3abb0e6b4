/// Writes values one after the other in an unambiguous form: numbers take eight bytes little-endian, texts and lists
/// begin with their length. ``FieldReader`` reads them in the same order.
package struct FieldWriter {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func append(_ value: UInt64) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    package mutating func append(_ value: Int) { append(UInt64(bitPattern: Int64(value))) }

    package mutating func append(_ value: Bool) { bytes.append(value ? 1 : 0) }

    /// Writes positive and negative zero alike, because they are equal.
    package mutating func append(_ value: Double) { append(value == 0 ? 0 : value.bitPattern) }

    package mutating func append(_ text: String) { append(Array(text.utf8)) }

    package mutating func append(_ list: [UInt8]) {
        append(list.count)
        bytes.append(contentsOf: list)
    }

    package mutating func append(_ value: some RawRepresentable<String>) { append(value.rawValue) }

    /// Writes bytes without their length, for fields of a fixed size.
    package mutating func append(fixed list: some Sequence<UInt8>) { bytes.append(contentsOf: list) }

    /// Writes whether there is a value, then the value.
    package mutating func append<Value>(_ value: Value?, _ append: (inout FieldWriter, Value) -> Void) {
        self.append(value != nil)
        if let value { append(&self, value) }
    }
}

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
