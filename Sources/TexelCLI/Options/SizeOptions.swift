import ArgumentParser
import Texel

/// How images are cropped and resized.
struct SizeOptions: ParsableArguments {
    @Option(
        name: [.customShort("w"), .long],
        help: "Pixels; alone it keeps the aspect. Several, as in 320,640,1280, make as many files of one decode.")
    var width: WidthsArgument?

    @Option(help: "Pixels; alone it keeps the aspect.")
    var height: Int?

    @Option(help: "How the picture fills the box of width and height: inside, outside, cover, contain or fill.")
    var fit = Fit.inside

    @Option(help: "A part of the size: 50%, 0.5 or 1/2.")
    var scale: ScaleArgument?

    @Option(help: "Shrink until this width is reached, as flutter_image_compress does.")
    var minWidth: Int?

    @Option(help: "Shrink until this height is reached, as flutter_image_compress does.")
    var minHeight: Int?

    @Flag(help: "Let pictures grow.")
    var enlarge = false

    @Option(help: "How pixels are mixed.")
    var filter = ResamplingFilter.lanczos3

    @Flag(help: "Mix light instead of bytes: fine patterns keep their brightness.")
    var linear = false

    @Option(help: "Cut out WIDTHxHEIGHT+X+Y first.")
    var crop: CropArgument?

    var asksForSomething: Bool { !targets.isEmpty || crop != nil }

    func check() throws {
        let widths = width?.pixels.map { ("width", Optional($0)) } ?? []
        let sides = widths + [("height", height), ("min-width", minWidth), ("min-height", minHeight)]
        for case (let name, let side?) in sides where !(1...Limits.maximumSide).contains(side) {
            throw ValidationError("--\(name) \(side) is not between 1 and \(Limits.maximumSide).")
        }
        if let scale, let number = scale.plainNumber, scale.numerator > scale.denominator, !enlarge {
            throw ValidationError(
                "--scale \(number) is \(number) times the size, which requires --enlarge; a part of the size is "
                    + "\(number)% or less than 1.")
        }
        let targets = [width?.pixels.first ?? height, minWidth ?? minHeight, scale.map { _ in 1 }].compactMap { $0 }
        if targets.count > 1 {
            throw ValidationError("Give one of --width/--height, --min-width/--min-height and --scale.")
        }
    }

    /// Whether each image has several results.
    var hasSeveralWidths: Bool { (width?.pixels.count ?? 0) > 1 }

    /// One target for each width.
    private var targets: [ResizeRule.Target] {
        if let scale { return [.scale(numerator: scale.numerator, denominator: scale.denominator)] }
        if minWidth != nil || minHeight != nil { return [.minimum(width: minWidth, height: minHeight)] }
        if let width { return width.pixels.map { .box(width: $0, height: height, fit: fit) } }
        return height.map { [.box(width: nil, height: $0, fit: fit)] } ?? []
    }

    /// Adds the operations of the flags to a recipe. Returns one recipe for each width, at least one.
    func applied(to recipe: Recipe) -> [Recipe] {
        var recipe = recipe
        if let crop { recipe.operations.append(.crop(crop.rectangle)) }
        let recipes = targets.map { target in
            var recipe = recipe
            let rule = ResizeRule(target, enlarges: enlarge)
            recipe.operations.append(.resize(ResizeOptions(rule, filter: filter, usesLinearLight: linear)))
            return recipe
        }
        return recipes.isEmpty ? [recipe] : recipes
    }
}

extension Limits {
    /// A sanity limit on sides given as arguments, in pixels.
    static let maximumSide = 1_000_000
}

extension Fit: ExpressibleByArgument {}
extension ResamplingFilter: ExpressibleByArgument {}
