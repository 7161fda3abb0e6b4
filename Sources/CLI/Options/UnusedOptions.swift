import Texel

/// Finds options of a call that would have no effect on its results. They are refused, because the caller expects one.
///
/// Options are checked against each other and against the format of the result, but not against the image: whether it
/// has transparent pixels or 16 bits is known only later, and differs within a batch.
struct UnusedOptions: Sendable {
    private let recipe: Recipe
    /// The options that the caller gave. Those of a recipe file are shared by many calls, and are ignored if they do
    /// not apply.
    private let given: Set<OptionName>

    /// - Parameters:
    ///   - command: the command that the options belong to.
    ///   - given: the options that the caller gave.
    init(_ options: RecipeOptions, of command: RecipeCommand, given: Set<OptionName>) {
        recipe = command.recipes(options, CompositionImages())[0]
        self.given = given
    }

    // MARK: Operations

    /// Refuses options about resampling and mixing if no operation resamples or mixes.
    ///
    /// - Parameter given: the options that the caller gave.
    static func check(
        _ size: SizeOptions, _ turning: TurningOptions, _ changes: ChangeOptions, given: Set<OptionName>
    ) throws(OptionError) {
        let operations = OperationOrder.recipes(Recipe(), size, turning, changes, CompositionImages())[0].operations
        let resizes = operations.contains { $0.value is ResizeOptions }
        let changesShape = operations.contains { operation in
            switch operation.value {
            case is TurnOperation, is AffineOperation, is PerspectiveOperation: true
            case let rotation as RotateOperation: !rotation.isQuarterTurn
            default: false
            }
        }
        let mixes =
            operations.contains { $0.value is BlurOperation } || changes.composition.overlay != nil
            || changes.text.asksForSomething
        if given.contains("fit"), size.width == nil || size.height == nil {
            throw OptionError("\(option: "fit") has no effect without \(options: ["width", "height"], "and")")
        }
        if given.contains("enlarge"), !resizes {
            let sizes: [OptionName] = ["width", "height", "scale", "min-width", "min-height"]
            throw OptionError("\(option: "enlarge") has no effect without \(options: sizes, "or")")
        }
        if given.contains("linear"), !resizes, !mixes {
            let others: [OptionName] = ["blur", "overlay", "text"]
            throw OptionError("\(option: "linear") has no effect without a size, \(options: others, "or")")
        }
        if given.contains("filter"), !resizes, !changesShape {
            throw OptionError("\(option: "filter") has no effect without a size, an angle or a map")
        }
    }

    // MARK: Formats

    /// Refuses options that have no effect on any result's format. In a batch of several formats, each option applies
    /// to its own.
    ///
    /// - Parameter formats: the formats of all results; `nil` if they are not known yet.
    func check(formats: Set<ImageFormat>?) throws(OptionError) {
        guard let formats, let first = ImageFormat.all.first(where: formats.contains),
            let name = names(on: formats).min(by: { $0.words < $1.words }), let reason = reasons(on: first)[name]
        else { return }
        let writable = CodecRegistry.shared.writableFormats
        guard let other = writable.first(where: { reasons(on: $0)[name] == nil }) else {
            throw OptionError("\(option: name) \(reason)")
        }
        throw OptionError("\(option: name) \(reason); use \(option: "format") \(other.rawValue)")
    }

    /// Whether a format that is added to these could leave an option without an effect.
    func dependsOnMore(than formats: Set<ImageFormat>) -> Bool {
        formats.isEmpty ? ImageFormat.all.contains { !reasons(on: $0).isEmpty } : !names(on: formats).isEmpty
    }

    /// Makes a function that returns why a result of a format is refused, for an input whose format is known only
    /// later.
    ///
    /// - Parameter spelling: how options are written in the reason.
    func refusal(in spelling: OptionSpelling) -> @Sendable (ImageFormat) -> String? {
        var refusals: [ImageFormat: String] = [:]
        for format in ImageFormat.all {
            guard let (name, reason) = reasons(on: format).min(by: { $0.key.words < $1.key.words }) else { continue }
            refusals[format] = OptionError("\(option: name) \(reason)").text(in: spelling)
        }
        return { [refusals] in refusals[$0] }
    }

    /// The options that have no effect on any of some formats.
    private func names(on formats: Set<ImageFormat>) -> Set<OptionName> {
        guard let first = formats.first else { return [] }
        return formats.reduce(into: Set(reasons(on: first).keys)) { $0.formIntersection(reasons(on: $1).keys) }
    }

    /// The options that have no effect on a format, each with the words that follow its name.
    private func reasons(on format: ImageFormat) -> [OptionName: String] {
        let capabilities = format.capabilities
        let output = recipe.output
        let isLossy = output.target.isSet || format.encoding(output.settings)?.options.isLossy ?? false
        let storesColors = capabilities.storesCICP || capabilities.metadata.contains(.profile)
        let own = Set((format.codec?.parameters ?? []).map(\.name))
        let others = CodecRegistry.shared.parameters.filter { !own.contains($0.name) }
        let hasEffect: [OptionName: Bool] = [
            "quality": capabilities.isLossy || capabilities.hasPalettes,
            "colors": capabilities.hasPalettes,
            "effort": capabilities.hasEfforts,
            "min-gain": isLossy,
            "progressive": capabilities.hasProcesses,
            "baseline": capabilities.hasProcesses,
            "subsampling": capabilities.subsamplesChroma && isLossy || output.subsampling == .automatic,
            "trim-blocks": capabilities.reusesQuantization,
            "density": capabilities.metadata.contains(.density),
        ]
        var reasons: [OptionName: String] = [:]
        let playing = capabilities.writesAnimations ? [] : AnimationOptions.playing
        for name in hasEffect.filter({ !$0.value }).map(\.key) + others.map({ OptionName($0.name) }) + playing {
            reasons[name] = "has no effect on \(format.nameAsOne)"
        }
        if let background = output.background {
            if !capabilities.hasAlpha, background.alpha < 255 {
                reasons["background"] = "must be opaque for \(format.nameAsOne)"
            } else if capabilities.hasAlpha, !recipe.usesBackground {
                reasons["background"] = "has no effect on \(format.nameAsOne), which keeps transparent pixels"
            }
        }
        if !storesColors, ![nil, .sRGB].contains(output.colorSpace) {
            reasons["color-profile"] = "has no effect on \(format.nameAsOne), which stores no profile"
        }
        return reasons.filter { given.contains($0.key) }
    }
}

extension ImageFormat {
    /// The name with its article: "a PNG".
    fileprivate var nameAsOne: String {
        let article = "AEIO".contains(displayName.prefix(1)) ? "an" : "a"
        return "\(article) \(displayName)"
    }
}
