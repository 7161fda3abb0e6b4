import Texel

/// The options that describe how an image is made: those of the commands, of jobs and of recipe files.
struct RecipeOptions: Sendable {
    var encoding: EncodingOptions
    var size: SizeOptions
    var turning: TurningOptions
    var changes: ChangeOptions
    var work: WorkOptions

    init(
        _ encoding: EncodingOptions, _ size: SizeOptions, _ turning: TurningOptions, _ changes: ChangeOptions,
        _ work: WorkOptions
    ) {
        self.encoding = encoding
        self.size = size
        self.turning = turning
        self.changes = changes
        self.work = work
    }

    /// Makes the default options.
    init(_ work: WorkOptions) {
        self.init(EncodingOptions(), SizeOptions(), TurningOptions(), ChangeOptions(), work)
    }
}

extension RecipeOptions {
    static let options: [Option<RecipeOptions>] =
        EncodingOptions.options(at: \.encoding) + SizeOptions.options(at: \.size)
        + TurningOptions.options(at: \.turning) + ChangeOptions.options(at: \.changes)
        + LimitOptions.options(at: \.work.limits).filter { !LimitOptions.ofTheMachine.contains($0.name) }
        + StrictnessOptions.options(at: \.work.strictness)

    private static let rules = EncodingOptions.rules + SizeOptions.rules + ChangeOptions.rules + rulesOfSeveralGroups

    private static let rulesOfSeveralGroups: [OptionRule] = ["perfect", "trim-blocks"].map { partialBlocks in
        .excludes(partialBlocks, ["quality", "target-score", "max-bytes"], reason: "keeps a JPEG's coefficients")
    }

    /// The names of the options that have a value other than the default.
    var given: Set<OptionName> { Set(Self.options.filter { $0.isSet(self) }.map(\.name)) }

    /// Checks the ranges of the options, and the relations between them.
    func check() throws(OptionError) {
        try encoding.check()
        try size.check()
        try turning.check()
        try changes.check()
        try work.limits.check()
        let given = given
        for rule in Self.rulesOfSeveralGroups { try rule.check(given) }
    }

    /// Whether an image is to change in more than its encoding: its pixels, or the density that it declares.
    var asksForSomething: Bool {
        size.asksForSomething || turning.asksForSomething || changes.asksForSomething || encoding.density != nil
            || encoding.colorProfile != nil
    }

    /// Sets what these options leave open to the values of a recipe file.
    ///
    /// - Parameters:
    ///   - settings: the file's. Those that these options contradict are left out, with those that require them.
    ///   - isInPlace: whether the outputs keep the formats of the inputs.
    mutating func complete(with settings: [OptionSetting<RecipeOptions>], isInPlace: Bool = false) {
        let givenOptions = Self.options.filter { $0.isSet(self) }
        let given = Set(givenOptions.map(\.name))
        let properties = Set<AnyKeyPath>(givenOptions.map(\.property))
        var overridden = Self.overridden(by: given)
        if let format = encoding.format?.format, !format.capabilities.hasPalettes { overridden.insert("colors") }
        if encoding.colors != nil || isInPlace { overridden.insert("format") }
        let kept = settings.filter {
            !properties.contains($0.option.property) && !overridden.contains($0.option.name)
        }
        let left = given.union(kept.map(\.option.name))
        let lost = Set(settings.map(\.option.name)).subtracting(left)
        for setting in kept
        where !Self.requirements(of: setting.option.name).contains(where: { needed in
            left.isDisjoint(with: needed) && !lost.isDisjoint(with: needed)
        }) {
            setting.apply(to: &self)
        }
    }

    /// The options that are replaced, or contradicted, if these are set.
    static func overridden(by given: Set<OptionName>) -> Set<OptionName> {
        Set(rules.flatMap { $0.overridden(by: given) })
    }

    /// Returns sets of options. The named option requires one of each set.
    private static func requirements(of name: OptionName) -> [Set<OptionName>] {
        rules.compactMap { rule in
            guard case .requires(name, let others) = rule else { return nil }
            return Set(others)
        }
    }
}
