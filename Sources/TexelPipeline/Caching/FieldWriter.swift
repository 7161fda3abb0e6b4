/// Writes values one behind the other, so that the bytes tell every list of values from all others: numbers have eight
/// bytes, texts and lists begin with their length. ``FieldReader`` reads them in the same order.
struct FieldWriter {
    private(set) var bytes: [UInt8] = []

    mutating func append(_ value: UInt64) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func append(_ value: Int) { append(UInt64(bitPattern: Int64(value))) }

    mutating func append(_ value: Bool) { bytes.append(value ? 1 : 0) }

    /// Both zeros are the same number, and so they are here.
    mutating func append(_ value: Double) { append(value == 0 ? 0 : value.bitPattern) }

    mutating func append(_ text: String) { append(Array(text.utf8)) }

    mutating func append(_ list: [UInt8]) {
        append(list.count)
        bytes.append(contentsOf: list)
    }

    mutating func append(_ value: some RawRepresentable<String>) { append(value.rawValue) }

    /// Bytes that need no length, because all of their kind have the same.
    mutating func append(fixed list: some Sequence<UInt8>) { bytes.append(contentsOf: list) }

    /// Whether there is a value, and the value.
    mutating func append<Value>(_ value: Value?, _ append: (inout FieldWriter, Value) -> Void) {
        self.append(value != nil)
        if let value { append(&self, value) }
    }
}

/// Reads what a ``FieldWriter`` wrote; whatever the bytes are, it finds values or `nil`.
struct FieldReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Whether every byte was read.
    var isAtEnd: Bool { position == bytes.count }

    mutating func unsigned() -> UInt64? {
        guard bytes.count - position >= 8 else { return nil }
        defer { position += 8 }
        return (0..<8).reduce(0) { $0 | UInt64(bytes[position + $1]) << ($1 * 8) }
    }

    mutating func integer() -> Int? {
        unsigned().flatMap { Int(exactly: Int64(bitPattern: $0)) }
    }

    /// Of both zeros only one is ever written.
    mutating func double() -> Double? {
        unsigned().map { Double(bitPattern: $0) }.flatMap { $0 == 0 && $0.sign == .minus ? nil : $0 }
    }

    /// A value that may be missing; `nil` where even that cannot be read.
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
