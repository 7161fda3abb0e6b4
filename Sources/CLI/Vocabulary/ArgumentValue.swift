/// A value of an option that has a form of its own as text.
protocol ArgumentValue: Sendable {
    /// `nil` if the text is no value.
    init?(argument: String)

    /// The values, if there are only a few.
    static var names: [String] { get }
}

extension ArgumentValue {
    static var names: [String] { [] }
}

/// An argument with a fixed set of names.
protocol NamedArgument: ArgumentValue, CaseIterable, RawRepresentable where RawValue == String {}

extension NamedArgument {
    init?(argument: String) { self.init(rawValue: argument) }

    static var names: [String] { allCases.map(\.rawValue) }
}
