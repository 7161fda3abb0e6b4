public import TexelPixels

/// The options that make an operation, declared beside it: their parameters, and the operations that values make.
///
/// The program's flags, keys, help and completions are made from the parameters.
public struct OperationOptions: Sendable {
    /// The parameters, in the order of help.
    public let parameters: [Parameter]
    /// Makes the operations of allowed values; none if no parameter has a value.
    package let operations: @Sendable (ParameterValues) -> [PixelOperation]

    /// Declares options.
    ///
    /// - Parameters:
    ///   - parameters: in the order of help.
    ///   - operations: makes operations of allowed values; none if no parameter has a value.
    public init(_ parameters: [Parameter], operations: @escaping @Sendable (ParameterValues) -> [PixelOperation]) {
        self.parameters = parameters
        self.operations = operations
    }

    /// The options of an operation that has none.
    public static var none: OperationOptions { OperationOptions([]) { _ in [] } }

    /// Declares a flag.
    public static func flag(
        _ name: String, help: String, operation: @escaping @Sendable () -> PixelOperation
    ) -> OperationOptions {
        one(ParameterKey<Bool>(name), { Parameter($0, help: help) }) { $0 ? [operation()] : [] }
    }

    /// Declares an integer.
    public static func integer(
        _ name: String, in range: ClosedRange<Int>, help: String,
        operation: @escaping @Sendable (Int) -> PixelOperation
    ) -> OperationOptions {
        one(ParameterKey<Int>(name), { Parameter($0, in: range, help: help) }) { [operation($0)] }
    }

    /// Declares a number.
    public static func number(
        _ name: String, in range: ClosedRange<Double>, help: String,
        operation: @escaping @Sendable (Double) -> PixelOperation
    ) -> OperationOptions {
        one(ParameterKey<Double>(name), { Parameter($0, in: range, help: help) }) { [operation($0)] }
    }

    /// Declares text in a form of its own.
    ///
    /// - Parameters:
    ///   - name: the name, in lower case with hyphens between words.
    ///   - form: a description of the form, for errors: `points such as "0,0 255,255"`.
    ///   - help: one sentence that says what the operation does.
    ///   - operations: makes operations of a text; `nil` if it does not have the form.
    public static func text(
        _ name: String, form: String, help: String,
        operations: @escaping @Sendable (String) -> [PixelOperation]?
    ) -> OperationOptions {
        one(ParameterKey<String>(name), { Parameter($0, form: form, help: help) { operations($0) != nil } }) {
            operations($0) ?? []
        }
    }

    static func one<Value>(
        _ key: ParameterKey<Value>, _ parameter: (ParameterKey<Value>) -> Parameter,
        _ operations: @escaping @Sendable (Value) -> [PixelOperation]
    ) -> OperationOptions {
        OperationOptions([parameter(key)]) { values in values[key].map(operations) ?? [] }
    }
}

/// The groups of operations that have options, in the order in which they run.
package enum OperationSection: Sendable {
    /// Light and colours.
    case tone
    /// What replaces colours.
    case replacement
    /// What depends on the neighbours of a pixel, and operations of others.
    case filters
}

extension ParameterKey<Bool> {
    /// Whether operations that mix pixels work on light instead of stored values.
    package static var linear: Self { Self("linear") }
}
