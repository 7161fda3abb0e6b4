/// A relation between options.
enum OptionRule: Sendable {
    /// Options of different groups exclude each other.
    case alternatives([[OptionName]])
    /// An option excludes several others.
    ///
    /// - Parameter reason: what it does, as in "keeps a JPEG's coefficients".
    case excludes(OptionName, [OptionName], reason: String? = nil)
    /// An option requires one of several others.
    case requires(OptionName, oneOf: [OptionName])

    /// Checks the rule.
    ///
    /// - Parameter given: the options that are set.
    func check(_ given: Set<OptionName>) throws(OptionError) {
        switch self {
        case .alternatives(let groups):
            guard groups.count(where: { !given.isDisjoint(with: $0) }) > 1 else { return }
            if groups.count == 2 { throw OptionError("Use either \(optionGroups: groups, "or"), not both") }
            throw OptionError("Use only one of \(optionGroups: groups, "and")")
        case .excludes(let name, let others, let reason):
            guard given.contains(name), !given.isDisjoint(with: others) else { return }
            guard let reason else {
                throw OptionError("\(option: name) cannot be combined with \(options: others, "or")")
            }
            throw OptionError("\(option: name) \(reason); leave out \(options: others, "and")")
        case .requires(let name, let others):
            guard given.contains(name), given.isDisjoint(with: others) else { return }
            throw OptionError("\(option: name) requires \(options: others, "or")")
        }
    }

    /// The options that would break the rule, or be replaced, if these are set.
    func overridden(by given: Set<OptionName>) -> Set<OptionName> {
        switch self {
        case .alternatives(let groups):
            let all = Set(groups.joined())
            return given.isDisjoint(with: all) ? [] : all
        case .excludes(let name, let others, _):
            if given.contains(name) { return Set(others) }
            return given.isDisjoint(with: others) ? [] : [name]
        case .requires: return []
        }
    }
}

/// Options whose vocabulary is described by keys and rules.
protocol DescribedOptions {
    static var keys: [OptionKey<Self>] { get }
    static var rules: [OptionRule] { get }

    /// Checks what depends on more than ranges and rules.
    func checkMeaning() throws(OptionError)
}

extension DescribedOptions {
    static var rules: [OptionRule] { [] }

    func checkMeaning() throws(OptionError) {}

    /// The names of the options that have a value other than the default.
    var given: Set<OptionName> { Set(Self.keys.filter { $0.isSet(self) }.map(\.name)) }

    /// Checks the range of each option, and the relations between them.
    func check() throws(OptionError) {
        for key in Self.keys { try key.check(self) }
        let given = given
        for rule in Self.rules { try rule.check(given) }
        try checkMeaning()
    }
}

extension OptionKey {
    /// Checks that no two options set the same property.
    ///
    /// - Parameter keys: the options that are given, in the order in which an error names them.
    static func checkProperties(of keys: [OptionKey]) throws(OptionError) {
        var names: [AnyKeyPath: OptionName] = [:]
        for key in keys {
            if let other = names.updateValue(key.name, forKey: key.property) {
                throw OptionError("\(option: other) and \(option: key.name) exclude each other")
            }
        }
    }
}
