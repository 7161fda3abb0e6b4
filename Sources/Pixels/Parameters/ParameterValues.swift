/// Values of parameters, by their names.
///
///     recipe.output.parameters[.toyDepth] = 4
public struct ParameterValues: Sendable, Hashable {
    private var values: [String: ParameterValue] = [:]

    /// Creates an empty collection.
    public init() {}

    /// The value of a parameter; `nil` if it has none, or one of another type.
    public subscript<Value>(key: ParameterKey<Value>) -> Value? {
        get { values[key.name].flatMap { Value($0) } }
        set { values[key.name] = newValue?.parameterValue }
    }

    /// Whether no parameter has a value.
    package var isEmpty: Bool { values.isEmpty }

    /// Whether one of some parameters has a value.
    package func contains(anyOf parameters: [Parameter]) -> Bool {
        !values.isEmpty && parameters.contains { values[$0.name] != nil }
    }
}

/// As an object with the names of the parameters.
extension ParameterValues: Codable {
    public init(from decoder: any Decoder) throws {
        values = try decoder.singleValueContainer().decode([String: ParameterValue].self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(values)
    }
}

/// A value of a parameter. Integers are numbers, so that a value has one form in keys and files.
public enum ParameterValue: Sendable, Hashable {
    /// On or off.
    case flag(Bool)
    /// An integer or a number.
    case number(Double)
    /// A name.
    case text(String)
}

extension ParameterValue: Codable {
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let isOn = try? value.decode(Bool.self) {
            self = .flag(isOn)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else {
            self = .text(try value.decode(String.self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .flag(let isOn): try container.encode(isOn)
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        }
    }
}
