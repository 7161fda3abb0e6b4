/// The declaration of a parameter, beside the code that uses it.
///
/// The command line, recipe files, jobs, help, completions and the reference of options are made from it.
public struct Parameter: Sendable {
    /// The values of a parameter.
    public enum Values: Sendable {
        /// On or off.
        case flag
        /// The integers of a range.
        case integers(ClosedRange<Int>)
        /// Some integers.
        case someIntegers([Int])
        /// The numbers of a range.
        case numbers(ClosedRange<Double>)
        /// Finite numbers of degrees.
        case angles
        /// One of several names.
        case names([String])
        /// Text in a form of its own.
        ///
        /// - Parameters:
        ///   - form: a description of the form, for errors: `points such as "0,0 255,255"`.
        ///   - accepts: whether a text has the form.
        case text(form: String, accepts: @Sendable (String) -> Bool)
    }

    /// The name, in lower case with hyphens between words: "toy-depth".
    public let name: String
    /// The values that are allowed.
    public let values: Values
    /// One sentence that says what the parameter does, with its unit.
    public let help: String
    /// What holds without a value, for help; empty if the sentence says it.
    public var defaultValue = ""
    /// Whether text may begin with a dash and a letter, so that it looks like an option.
    public var mayBeginWithDash = false
    /// The name of an option that this one excludes, together with all other alternatives to it; `nil` for none.
    public var alternative: String?
    /// The names of options that cannot be combined with this one.
    public var excluded: [String] = []
    /// The names of options of which this one requires at least one; empty if it requires none.
    public var required: [String] = []

    /// Declares a flag.
    public init(_ key: ParameterKey<Bool>, help: String) { self.init(name: key.name, values: .flag, help: help) }

    /// Declares an integer.
    public init(_ key: ParameterKey<Int>, in range: ClosedRange<Int>, help: String) {
        self.init(name: key.name, values: .integers(range), help: help)
    }

    /// Declares an integer that has few values.
    public init(_ key: ParameterKey<Int>, oneOf values: [Int], help: String) {
        self.init(name: key.name, values: .someIntegers(values), help: help)
    }

    /// Declares a number.
    public init(_ key: ParameterKey<Double>, in range: ClosedRange<Double>, help: String) {
        self.init(name: key.name, values: .numbers(range), help: help)
        mayBeginWithDash = range.lowerBound < 0
    }

    /// Declares an angle in degrees.
    public init(angle key: ParameterKey<Double>, help: String) {
        self.init(name: key.name, values: .angles, help: help)
        mayBeginWithDash = true
    }

    /// Declares a choice of names.
    public init(_ key: ParameterKey<String>, oneOf names: [String], help: String) {
        self.init(name: key.name, values: .names(names), help: help)
    }

    /// Declares text in a form of its own.
    ///
    /// - Parameters:
    ///   - key: the name, and the type of the values.
    ///   - form: a description of the form, for errors.
    ///   - help: one sentence that says what the parameter does.
    ///   - accepts: whether a text has the form.
    public init(
        _ key: ParameterKey<String>, form: String, help: String, accepts: @escaping @Sendable (String) -> Bool
    ) {
        self.init(name: key.name, values: .text(form: form, accepts: accepts), help: help)
    }

    private init(name: String, values: Values, help: String) {
        self.name = name
        self.values = values
        self.help = help
    }

    /// Returns the parameter with a description of its default.
    public func defaulting(to text: String) -> Parameter { changing { $0.defaultValue = text } }

    /// Returns the parameter as an alternative to an option, and to all other alternatives to it.
    public func instead(of name: String) -> Parameter { changing { $0.alternative = name } }

    /// Returns the parameter as one that cannot be combined with some options.
    public func excluding(_ names: String...) -> Parameter { changing { $0.excluded += names } }

    /// Returns the parameter as one that requires at least one of some options.
    public func requiring(oneOf names: String...) -> Parameter { changing { $0.required += names } }

    private func changing(_ change: (inout Parameter) -> Void) -> Parameter {
        var parameter = self
        change(&parameter)
        return parameter
    }
}

/// The name of a parameter together with the type of its values.
///
/// A key is declared as a static property, beside the code that uses it:
///
///     extension ParameterKey<Int> {
///         static var toyDepth: Self { Self("toy-depth") }
///     }
public struct ParameterKey<Value: ParameterType>: Sendable, Hashable {
    /// The name, in lower case with hyphens between words.
    public let name: String

    /// Creates a key.
    public init(_ name: String) { self.name = name }
}

/// A type of values that parameters have: `Bool`, `Int`, `Double` or `String`.
public protocol ParameterType: Sendable, Hashable {
    /// Converts a stored value; `nil` if it is of another type.
    init?(_ value: ParameterValue)

    /// The value as it is stored.
    var parameterValue: ParameterValue { get }
}

extension Bool: ParameterType {
    public init?(_ value: ParameterValue) {
        guard case .flag(let isOn) = value else { return nil }
        self = isOn
    }

    public var parameterValue: ParameterValue { .flag(self) }
}

extension Int: ParameterType {
    public init?(_ value: ParameterValue) {
        guard case .number(let number) = value else { return nil }
        self.init(exactly: number)
    }

    public var parameterValue: ParameterValue { .number(Double(self)) }
}

extension Double: ParameterType {
    public init?(_ value: ParameterValue) {
        guard case .number(let number) = value else { return nil }
        self = number
    }

    public var parameterValue: ParameterValue { .number(self) }
}

extension String: ParameterType {
    public init?(_ value: ParameterValue) {
        guard case .text(let text) = value else { return nil }
        self = text
    }

    public var parameterValue: ParameterValue { .text(self) }
}
