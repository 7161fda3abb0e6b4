import ArgumentParser
import Texel

/// How images are cropped and resized.
struct SizeOptions: ParsableArguments {
    @Option(
        name: [.customShort("w"), .long],
        help: "Width in pixels; alone, keeps the aspect ratio. A list such as 320,640,1280 makes one file per width.")
    var width: WidthsArgument?

    @Option(help: "Height in pixels; alone, keeps the aspect ratio.")
    var height: Int?

    @Option(help: "How the image fits the box of width and height: inside, outside, cover, contain or fill.")
    var fit = Fit.inside

    @Option(help: "A fraction of the size: 50%, 0.5 or 1/2.")
    var scale: ScaleArgument?

    @Option(help: "Shrink until this width is reached, as flutter_image_compress does.")
    var minWidth: Int?

    @Option(help: "Shrink until this height is reached, as flutter_image_compress does.")
    var minHeight: Int?

    @Flag(help: "Enlarge smaller images.")
    var enlarge = false

    @Option(help: "Resampling filter.")
    var filter = ResamplingFilter.lanczos3

    @Flag(help: "Filter in linear light, which preserves the brightness of fine patterns.")
    var linear = false

    @Option(help: "Crop to WIDTHxHEIGHT+X+Y first.")
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
                "--scale \(number) enlarges \(number) times and requires --enlarge; to shrink, use \(number)% "
                    + "or a number below 1.")
        }
        let targets = [width?.pixels.first ?? height, minWidth ?? minHeight, scale.map { _ in 1 }].compactMap { $0 }
        if targets.count > 1 {
            throw ValidationError("Use only one of --width/--height, --min-width/--min-height and --scale.")
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
