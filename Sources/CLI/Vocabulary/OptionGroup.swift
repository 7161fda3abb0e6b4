/// Options that are declared by a table.
protocol OptionGroup: Sendable {
    /// Makes the default options.
    init()

    static var options: [Option<Self>] { get }
    static var rules: [OptionRule] { get }

    /// Checks what depends on more than ranges and rules.
    func checkMeaning() throws(OptionError)
}

extension OptionGroup {
    static var rules: [OptionRule] { [] }

    func checkMeaning() throws(OptionError) {}

    /// The names of the options that have a value other than the default.
    var given: Set<OptionName> { Set(Self.options.filter { $0.isSet(self) }.map(\.name)) }

    /// Checks the range of each option, and the relations between them.
    func check() throws(OptionError) {
        for option in Self.options { try option.check(self) }
        let given = given
        for rule in Self.rules { try rule.check(given) }
        try checkMeaning()
    }

    /// The options as part of others.
    ///
    /// - Parameter section: the title above them in the help; `nil` keeps theirs.
    static func options<Whole>(
        at path: any WritableKeyPath<Whole, Self> & Sendable, section: String? = nil
    ) -> [Option<Whole>] {
        options.map { $0.within(path, section: section) }
    }
}

extension Option {
    /// Checks that no two options set the same property.
    ///
    /// - Parameter options: the options that are given, in the order in which an error names them.
    static func checkProperties(of options: [Option]) throws(OptionError) {
        var names: [AnyKeyPath: OptionName] = [:]
        for option in options {
            if let other = names.updateValue(option.name, forKey: option.property) {
                throw OptionError("\(option: other) and \(option: option.name) exclude each other")
            }
        }
    }
}
