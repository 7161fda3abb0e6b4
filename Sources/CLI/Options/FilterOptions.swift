import Texel

/// How images are blurred, sharpened and cleaned of noise, and the options of operations of others.
struct FilterOptions: ParameterGroup {
    var parameters = ParameterValues()

    private static let filters = declared(in: .filters)

    static let options: [Option<Self>] = filters.map(Option.parameter)

    static let rules = OptionRule.rules(of: filters)

    var asksForSomething: Bool { !parameters.isEmpty }

    /// The operations of the flags, in a fixed order: what removes noise and details first.
    ///
    /// - Parameter usesLinearLight: whether a Gaussian blurs light instead of stored values.
    func operations(usesLinearLight: Bool) -> [PixelOperation] {
        if parameters.isEmpty { return [] }
        var values = parameters
        values[.linear] = usesLinearLight
        return OperationRegistry.shared.operations(values, in: .filters)
    }
}
