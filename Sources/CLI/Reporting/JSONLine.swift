import SystemPackage
import Texel

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Encodes a value as one line of JSON.
enum JSONLine {
    static func text(of value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Only non-finite numbers cannot be encoded, and reports contain none.
        guard let data = try? encoder.encode(value) else { return "{}" }
        return String(decoding: data, as: UTF8.self)
    }

    /// Rounded to microseconds.
    static func milliseconds(_ duration: Duration) -> Double { (duration / .microseconds(1)).rounded() / 1000 }
}

/// An optional value whose key is also written if it is `nil`, as `null`.
@propertyWrapper struct Nullable<Value: Encodable>: Encodable {
    var wrappedValue: Value?

    init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let wrappedValue { try container.encode(wrappedValue) } else { try container.encodeNil() }
    }
}

extension Nullable: Sendable where Value: Sendable {}

extension FilePath {
    /// The bytes of a name that is not valid UTF-8, which a JSON string cannot hold; `nil` for all other names.
    var base64UnlessText: String? {
        let bytes = bytes
        return String(validating: bytes, as: UTF8.self) == nil ? Data(bytes).base64EncodedString() : nil
    }
}
