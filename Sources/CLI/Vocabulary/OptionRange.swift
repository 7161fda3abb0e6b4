/// The allowed values of a numeric option.
struct OptionRange<Value: Sendable>: Sendable {
    private let expectation: String
    private let contains: @Sendable (Value) -> Bool
    private let shown: @Sendable (Value) -> OptionValue

    /// Returns the fault of a value: `0 is not at least 1`; `nil` if it is allowed.
    func complaint(_ value: Value) -> OptionComplaint? {
        contains(value) ? nil : OptionComplaint(shown(value), isNot: expectation)
    }
}

extension OptionRange<Int> {
    static func from(_ least: Int) -> OptionRange {
        OptionRange(expectation: "at least \(least)", contains: { $0 >= least }, shown: OptionValue.integer)
    }

    static func within(_ range: ClosedRange<Int>) -> OptionRange {
        OptionRange(
            expectation: "between \(range.lowerBound) and \(range.upperBound)", contains: range.contains,
            shown: OptionValue.integer)
    }

    static func oneOf(_ values: [Int]) -> OptionRange {
        OptionRange(
            expectation: values.map(String.init).list(joinedBy: "or"), contains: values.contains,
            shown: OptionValue.integer)
    }
}

extension OptionRange<Double> {
    static func within(_ range: ClosedRange<Double>) -> OptionRange {
        let bounds = [range.lowerBound, range.upperBound].map { bound in
            Int(exactly: bound).map(String.init) ?? "\(bound)"
        }
        return OptionRange(
            expectation: "between \(bounds[0]) and \(bounds[1])", contains: range.contains, shown: OptionValue.number)
    }

    static let finiteAngle = OptionRange(
        expectation: "a number of degrees", contains: \.isFinite, shown: OptionValue.number)
}
