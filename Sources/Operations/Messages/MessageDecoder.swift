/// Decodes messages into values.
package enum MessageDecoder {
    package static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
        try unboxed(type, MessageValue(decoding: bytes))
    }
}

private func unboxed<Value: Decodable>(_ type: Value.Type, _ value: MessageValue) throws -> Value {
    if let plain = plain(type, value) { return plain }
    return try Value(from: ValueDecoder(value: value))
}

/// Converts a value of a type that messages support directly. Returns `nil` for all other types, or if the message
/// has another type.
private func plain<Value: Decodable>(_ type: Value.Type, _ value: MessageValue) -> Value? {
    switch value {
    case .flag(let flag): flag as? Value
    case .text(let text): text as? Value
    case .number(let number): number as? Value ?? Float(number) as? Value
    case .bytes(let bytes): bytes as? Value
    case .integer(let integer):
        if type == UInt64.self {
            UInt64(bitPattern: integer) as? Value
        } else if type == UInt.self {
            UInt(UInt64(bitPattern: integer)) as? Value
        } else {
            (type as? any FixedWidthInteger.Type).flatMap { exactly(integer, $0) as? Value }
        }
    case .none, .list, .fields: nil
    }
}

private func exactly<Number: FixedWidthInteger>(_ integer: Int64, _ type: Number.Type) -> Number? {
    Number(exactly: integer)
}

private struct ValueDecoder: Decoder {
    let value: MessageValue
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .fields(let fields) = value else { throw MessageError() }
        return KeyedDecodingContainer(Fields<Key>(fields: fields))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .list(let values) = value else { throw MessageError() }
        return Elements(values: values)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { Single(value: value) }
}

private struct Fields<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let fields: [String: MessageValue]
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { fields.keys.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { fields[key.stringValue] != nil }

    private func field(_ key: Key) throws -> MessageValue {
        guard let value = fields[key.stringValue] else { throw MessageError() }
        return value
    }

    func decodeNil(forKey key: Key) throws -> Bool { try field(key) == .none }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try unboxed(type, field(key))
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try ValueDecoder(value: field(key)).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try ValueDecoder(value: field(key)).unkeyedContainer()
    }

    func superDecoder() -> any Decoder { ValueDecoder(value: .fields(fields)) }
    func superDecoder(forKey key: Key) throws -> any Decoder { ValueDecoder(value: try field(key)) }
}

private struct Elements: UnkeyedDecodingContainer {
    let values: [MessageValue]
    var currentIndex = 0
    var codingPath: [any CodingKey] { [] }
    var count: Int? { values.count }
    var isAtEnd: Bool { currentIndex >= values.count }

    init(values: [MessageValue]) { self.values = values }

    private mutating func next() throws -> MessageValue {
        guard !isAtEnd else { throw MessageError() }
        defer { currentIndex += 1 }
        return values[currentIndex]
    }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd else { throw MessageError() }
        guard values[currentIndex] == .none else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try unboxed(type, next()) }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        try ValueDecoder(value: next()).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try ValueDecoder(value: next()).unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder { ValueDecoder(value: try next()) }
}

private struct Single: SingleValueDecodingContainer {
    let value: MessageValue
    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { value == .none }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        guard let plain = plain(type, value) else {
            // The `init(from:)` of a standard type calls this function again, so a mismatch would recurse without
            // end.
            if type is any ExpressibleByIntegerLiteral.Type || type == String.self || type == Bool.self {
                throw MessageError()
            }
            return try Value(from: ValueDecoder(value: value))
        }
        return plain
    }
}
