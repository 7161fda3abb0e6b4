import Texel

/// How the colours of images change: options that operations declare, and tables of colours.
struct ToneOptions: ParameterGroup {
    var parameters = ParameterValues()
    var lut: LUTArgument?

    private static let (tone, replacement) = (declared(in: .tone), declared(in: .replacement))

    static let options: [Option<Self>] =
        tone.map(Option.parameter) + [
            .argument(
                "lut", \.lut, "the path of a .cube file", help: "Replace colours through the table of a .cube file.")
        ] + replacement.map(Option.parameter)

    static let rules = OptionRule.rules(of: tone + replacement)

    func checkMeaning() throws(OptionError) {
        if case .failure(let fault)? = lut?.table { throw OptionError("\(option: "lut"): \(fault.message)") }
    }

    var asksForSomething: Bool { lut != nil || !parameters.isEmpty }

    /// The operations of the flags, in a fixed order: light first, colours next, then what replaces them.
    var operations: [PixelOperation] {
        // A file that cannot be read is refused by the check of the options.
        let table = try? lut?.table.get()
        return OperationRegistry.shared.operations(parameters, in: .tone) + (table.map { [.lut($0)] } ?? [])
            + OperationRegistry.shared.operations(parameters, in: .replacement)
    }
}
