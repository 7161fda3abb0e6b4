/// Encodes values into messages. Equal values have equal messages in every process; arrays of bytes are stored as
/// bytes.
package enum MessageEncoder {
    package static func encode(_ value: some Encodable) throws -> [UInt8] {
        try boxed(value, isForDigest: false).encoded
    }

    /// Encodes what identifies a value: as ``encode(_:)``, but ``ContentIdentified`` values by their identities.
    static func encodeIdentity(of value: some Encodable) throws -> [UInt8] {
        try boxed(value, isForDigest: true).encoded
    }
}

/// A value that a shorter one identifies, or only a part of which matters.
protocol ContentIdentified {
    associatedtype ContentIdentity: Encodable

    /// Is equal for equal values only.
    var contentIdentity: ContentIdentity { get }
}

private func boxed<Value: Encodable>(_ value: Value, isForDigest: Bool) throws -> MessageValue {
    if Value.self == [UInt8].self, let bytes = value as? [UInt8] { return .bytes(bytes) }
    if let plain = value as? any PlainValue { return plain.messageValue }
    if isForDigest, let value = value as? any ContentIdentified {
        return try boxed(value.contentIdentity, isForDigest: true)
    }
    let encoder = ValueEncoder(isForDigest: isForDigest)
    try value.encode(to: encoder)
    let encoded = encoder.value
    guard case .list(let elements) = encoded, let type = Value.self as? any UnorderedCollection.Type else {
        return encoded
    }
    return .list(sorted(elements, groupSize: type.valuesPerElement))
}

// MARK: Plain values

/// A value that messages support directly.
private protocol PlainValue {
    var messageValue: MessageValue { get }
}

extension Bool: PlainValue {
    fileprivate var messageValue: MessageValue { .flag(self) }
}

extension String: PlainValue {
    fileprivate var messageValue: MessageValue { .text(self) }
}

extension Double: PlainValue {
    fileprivate var messageValue: MessageValue { .number(self) }
}

extension Float: PlainValue {
    fileprivate var messageValue: MessageValue { .number(Double(self)) }
}

extension PlainValue where Self: FixedWidthInteger {
    /// Unsigned words are stored by their bit patterns.
    fileprivate var messageValue: MessageValue { .integer(Int64(truncatingIfNeeded: self)) }
}

extension Int: PlainValue {}
extension Int8: PlainValue {}
extension Int16: PlainValue {}
extension Int32: PlainValue {}
extension Int64: PlainValue {}
extension UInt: PlainValue {}
extension UInt8: PlainValue {}
extension UInt16: PlainValue {}
extension UInt32: PlainValue {}
extension UInt64: PlainValue {}

// MARK: Sets and dictionaries

/// A collection whose order differs between processes, so that its elements are sorted in messages.
private protocol UnorderedCollection {
    /// How many values of a list are an element.
    static var valuesPerElement: Int { get }
}

extension Set: UnorderedCollection {
    fileprivate static var valuesPerElement: Int { 1 }
}

/// Only dictionaries whose keys are not texts or integers are lists: of keys and values.
extension Dictionary: UnorderedCollection {
    fileprivate static var valuesPerElement: Int { 2 }
}

private func sorted(_ values: [MessageValue], groupSize: Int) -> [MessageValue] {
    stride(from: 0, to: values.count, by: groupSize)
        .map { (values[$0..<min($0 + groupSize, values.count)], values[$0].encoded) }
        .sorted { $0.1.lexicographicallyPrecedes($1.1) }
        .flatMap(\.0)
}

// MARK: Containers

/// Collects the encoding of one value or nested container.
private final class ValueEncoder: Encoder {
    /// A finished value, or a container that may still be filled.
    private enum Part {
        case value(MessageValue)
        case container(ValueEncoder)

        var value: MessageValue {
            switch self {
            case .value(let value): value
            case .container(let encoder): encoder.value
            }
        }
    }

    let isForDigest: Bool
    private var own = MessageValue.none
    private var fields: [String: Part]?
    private var elements: [Part]?

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(isForDigest: Bool) { self.isForDigest = isForDigest }

    var value: MessageValue {
        if let elements { return .list(elements.map(\.value)) }
        if let fields { return .fields(fields.mapValues(\.value)) }
        return own
    }

    var elementCount: Int { elements?.count ?? 0 }

    func set(_ value: MessageValue) { own = value }
    func set(_ value: MessageValue, for key: any CodingKey) { fields?[key.stringValue] = .value(value) }
    func append(_ value: MessageValue) { elements?.append(.value(value)) }

    func boxed(_ value: some Encodable) throws -> MessageValue {
        try TexelOperations.boxed(value, isForDigest: isForDigest)
    }

    /// Adds a container as a field.
    func field(_ key: any CodingKey) -> ValueEncoder {
        let encoder = ValueEncoder(isForDigest: isForDigest)
        fields?[key.stringValue] = .container(encoder)
        return encoder
    }

    /// Adds a container as an element.
    func element() -> ValueEncoder {
        let encoder = ValueEncoder(isForDigest: isForDigest)
        elements?.append(.container(encoder))
        return encoder
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        fields = fields ?? [:]
        return KeyedEncodingContainer(Fields(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        elements = elements ?? []
        return Elements(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { Single(encoder: self) }
}

private struct Fields<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: ValueEncoder
    var codingPath: [any CodingKey] { [] }

    mutating func encodeNil(forKey key: Key) { encoder.set(.none, for: key) }

    mutating func encode(_ value: some Encodable, forKey key: Key) throws {
        encoder.set(try encoder.boxed(value), for: key)
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
    var codingPath: [any CodingKey] { [] }
    var count: Int { encoder.elementCount }

    mutating func encodeNil() { encoder.append(.none) }
    mutating func encode(_ value: some Encodable) throws { encoder.append(try encoder.boxed(value)) }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        encoder.element().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder.element().unkeyedContainer() }
    mutating func superEncoder() -> any Encoder { encoder.element() }
}

private struct Single: SingleValueEncodingContainer {
    let encoder: ValueEncoder
    var codingPath: [any CodingKey] { [] }

    mutating func encodeNil() { encoder.set(.none) }
    mutating func encode(_ value: some Encodable) throws { encoder.set(try encoder.boxed(value)) }
}
