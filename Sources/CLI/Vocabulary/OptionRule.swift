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
