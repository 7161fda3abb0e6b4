/// Writes values one after the other in an unambiguous form: numbers take eight bytes little-endian, texts and lists
/// begin with their length.
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
