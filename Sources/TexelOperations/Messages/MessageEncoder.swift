/// Encodes values into messages; arrays of bytes are stored as bytes.
package enum MessageEncoder {
    package static func encode(_ value: some Encodable) throws -> [UInt8] { try boxed(value).encoded }

    fileprivate static func boxed(_ value: some Encodable, _ path: [any CodingKey] = []) throws -> MessageValue {
        if let bytes = value as? [UInt8] { return .bytes(bytes) }
        let encoder = ValueEncoder(codingPath: path)
        try value.encode(to: encoder)
        return encoder.value
    }
}

/// Collects the encoding of one value or nested container.
private final class ValueEncoder: Encoder {
    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any] = [:]
    private var own = MessageValue.none
    private var fields: [String: ValueEncoder] = [:]
    private var elements: [ValueEncoder]?

    init(codingPath: [any CodingKey]) { self.codingPath = codingPath }

    init(_ value: MessageValue) {
        codingPath = []
        own = value
    }

    var value: MessageValue {
        if let elements { return .list(elements.map(\.value)) }
        return hasFields ? .fields(fields.mapValues(\.value)) : own
    }

    private var hasFields = false

    func field(_ key: any CodingKey) -> ValueEncoder {
        let encoder = ValueEncoder(codingPath: codingPath + [key])
        set(encoder, for: key)
        return encoder
    }

    func set(_ encoder: ValueEncoder, for key: any CodingKey) { fields[key.stringValue] = encoder }

    func element() -> ValueEncoder {
        let encoder = ValueEncoder(codingPath: codingPath)
        append(encoder)
        return encoder
    }

    func append(_ encoder: ValueEncoder) { elements = (elements ?? []) + [encoder] }

    var elementCount: Int { elements?.count ?? 0 }

    func set(_ value: MessageValue) { own = value }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        hasFields = true
        return KeyedEncodingContainer(Fields(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        elements = []
        return Elements(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { Single(encoder: self) }
}

/// Converts a value of a type that messages support directly. Returns `nil` for all others.
private func plain(_ value: some Encodable) -> MessageValue? {
    switch value {
    case let flag as Bool: .flag(flag)
    case let text as String: .text(text)
    case let number as Double: .number(number)
    case let number as Float: .number(Double(number))
    // Unsigned words are stored by their bit patterns.
    case let integer as UInt64: .integer(Int64(bitPattern: integer))
    case let integer as UInt: .integer(Int64(bitPattern: UInt64(integer)))
    case let integer as any BinaryInteger: Int64(exactly: integer).map { .integer($0) }
    default: nil
    }
}

private func boxed(_ value: some Encodable) throws -> MessageValue { try plain(value) ?? MessageEncoder.boxed(value) }

private struct Fields<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: ValueEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    mutating func encodeNil(forKey key: Key) { encoder.set(ValueEncoder(.none), for: key) }

    mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        encoder.set(ValueEncoder(try boxed(value)), for: key)
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        encoder.field(key).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder.field(key).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { encoder }
    mutating func superEncoder(forKey key: Key) -> any Encoder { encoder.field(key) }
}

private struct Elements: UnkeyedEncodingContainer {
    let encoder: ValueEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { encoder.elementCount }

    mutating func encodeNil() { encoder.append(ValueEncoder(.none)) }
    mutating func encode(_ value: some Encodable) throws { encoder.append(ValueEncoder(try boxed(value))) }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        encoder.element().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder.element().unkeyedContainer() }
    mutating func superEncoder() -> any Encoder { encoder.element() }
}

private struct Single: SingleValueEncodingContainer {
    let encoder: ValueEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    mutating func encodeNil() { encoder.set(.none) }
    mutating func encode(_ value: some Encodable) throws { encoder.set(try boxed(value)) }
}
