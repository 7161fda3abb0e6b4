import TexelOperations

/// The values that differ from another one in one encoded property: those that the properties' types allow. New
/// properties are found without being listed here.
package struct EncodedChanges<Value: Codable & Equatable> {
    /// The changed values, by the path of the property.
    package private(set) var changed: [(path: String, value: Value)] = []
    /// The paths of the properties that no other content was found for.
    package private(set) var unchanged: [String] = []

    /// - Parameters:
    ///   - value: the value to change.
    ///   - others: values whose texts and bytes are tried as contents of texts and bytes.
    package init(of value: Value, others: [Value]) throws {
        let message = try Self.message(value)
        var spare: [MessageValue] = []
        for other in others { Self.collect(try Self.message(other), &spare) }
        for leaf in Self.leaves(message) {
            let candidates = Self.candidates(leaf.content, spare).lazy.compactMap { candidate -> Value? in
                let changed = Self.replacing(message, leaf.path[...], candidate)
                return try? MessageDecoder.decode(Value.self, from: changed.encoded)
            }
            let path = leaf.path.joined(separator: ".")
            if let other = candidates.first(where: { $0 != value }) {
                changed.append((path, other))
            } else {
                unchanged.append(path)
            }
        }
    }

    private static func message(_ value: Value) throws -> MessageValue {
        try MessageValue(decoding: MessageEncoder.encode(value))
    }

    private static func candidates(_ content: MessageValue, _ spare: [MessageValue]) -> [MessageValue] {
        switch content {
        case .flag(let flag): [.flag(!flag)]
        case .integer(let number): [1, -1, 2, -2, 3, 12].map { .integer(number + $0) }
        case .number(let number): [0.25, -0.25, 1, 20].map { .number(number + $0) }
        case .bytes(let bytes): [.bytes(bytes.dropLast() + [(bytes.last ?? 0) ^ 1])] + spare
        case .text: spare
        case .none, .list, .fields: []
        }
    }

    private static func leaves(_ value: MessageValue) -> [(path: [String], content: MessageValue)] {
        let parts: [(String, MessageValue)] =
            switch value {
            case .fields(let fields): fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
            case .list(let values): values.enumerated().map { ("\($0.offset)", $0.element) }
            default: []
            }
        if parts.isEmpty, value != .fields([:]), value != .list([]) { return [([], value)] }
        return parts.flatMap { name, part in leaves(part).map { ([name] + $0.path, $0.content) } }
    }

    private static func replacing(
        _ value: MessageValue, _ path: ArraySlice<String>, _ content: MessageValue
    ) -> MessageValue {
        guard let name = path.first else { return content }
        switch value {
        case .fields(var fields):
            fields[name] = fields[name].map { replacing($0, path.dropFirst(), content) }
            return .fields(fields)
        case .list(let values):
            return .list(
                values.enumerated().map { index, value in
                    "\(index)" == name ? replacing(value, path.dropFirst(), content) : value
                })
        default: return value
        }
    }

    private static func collect(_ value: MessageValue, _ spare: inout [MessageValue]) {
        for leaf in leaves(value) where !spare.contains(leaf.content) {
            switch leaf.content {
            case .text, .bytes: spare.append(leaf.content)
            default: break
            }
        }
    }
}

/// Returns the optional properties of the structures in some values that are `nil` in all of them, as `Type.property`.
package func propertiesWithoutValue(_ values: [some Any]) -> [String] {
    var isSet: [String: Bool] = [:]
    func visit(_ value: Any) {
        let mirror = Mirror(reflecting: value)
        for child in mirror.children {
            let content = Mirror(reflecting: child.value)
            if let label = child.label, mirror.displayStyle == .struct, content.displayStyle == .optional {
                isSet["\(mirror.subjectType).\(label)", default: false] =
                    isSet["\(mirror.subjectType).\(label)", default: false] || !content.children.isEmpty
            }
            visit(child.value)
        }
    }
    for value in values { visit(value) }
    return isSet.filter { !$0.value }.keys.sorted()
}
