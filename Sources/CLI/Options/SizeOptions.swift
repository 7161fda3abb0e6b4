import Texel

/// How images are trimmed, cropped and resized.
struct SizeOptions: OptionGroup {
    var width: WidthsArgument?
    var height: Int?
    var fit: Fit?
    var scale: ScaleArgument?
    var minWidth: Int?
    var minHeight: Int?
    var enlarge = false
    var filter: ResamplingFilter?
    var linear = false
    var trim = false
    var trimTolerance: Int?
    var trimBackground: PixelColor?
    var crop: CropArgument?
    var aspect: AspectRatio?
    var gravity: CropAnchor?

    static let options: [Option<Self>] = [
        .widths(
            "width", \.width, side,
            help:
                "Width in pixels; alone, keeps the aspect ratio. A list such as 320,640,1280 makes one file per width."
        ).short("w"),
        .integer("height", \.height, side, help: "Height in pixels; alone, keeps the aspect ratio."),
        .argument(
            "fit", \.fit,
            help: "How the image fits the box of width and height: inside, outside, cover, contain or fill."
        ).defaulting(to: "inside"),
        .argument(
            "scale", \.scale, "a fraction of the size such as \"50%\", 0.5 or \"1/2\"",
            help: "A fraction of the size: 50%, 0.5 or 1/2."),
        .integer(
            "min-width", \.minWidth, side, help: "Shrink until this width is reached, as flutter_image_compress does."),
        .integer(
            "min-height", \.minHeight, side,
            help: "Shrink until this height is reached, as flutter_image_compress does."),
        .flag("enlarge", \.enlarge, help: "Enlarge smaller images."),
        .argument("filter", \.filter, help: "Resampling filter.").defaulting(to: "lanczos3"),
        .flag(
            "linear", \.linear,
            help:
                "Resize, --blur, --overlay and --text in linear light, which preserves the brightness of fine patterns."
        ),
        .flag("trim", \.trim, help: "First cut off borders of one colour."),
        .integer(
            "trim-tolerance", \.trimTolerance, .within(0...255),
            help: "How far a border's colours may differ from the background, 0 to 255."
        ).defaulting(to: "10"),
        .argument(
            "trim-background", \.trimBackground, PixelColor.expectation,
            help: "The colour of the borders to trim, a CSS colour."
        ).defaulting(to: "that of the pixel at the top left"),
        .argument(
            "crop", \.crop, "a rectangle such as \"640x480+10+20\", or a size such as \"640x480\"",
            help: "Crop to WIDTHxHEIGHT+X+Y first, or to WIDTHxHEIGHT where --gravity says."),
        .argument(
            "aspect", \.aspect, "a ratio such as \"16:9\"",
            help: "Crop to this ratio of width to height, such as 16:9, after --crop."),
        .argument(
            "gravity", \.gravity,
            help: "Which part to keep when cropping with --fit cover, --crop WIDTHxHEIGHT or --aspect."
        ).defaulting(
            to: "center"
        ).note("A side or a corner such as northwest; attention, the part that draws the eye; or entropy."),
    ]

    /// A sanity limit on sides given as arguments, in pixels.
    private static let side = OptionRange<Int>.within(1...1_000_000)

    static let rules: [OptionRule] = [
        .alternatives([["width", "height"], ["min-width", "min-height"], ["scale"]]),
        .requires("trim-tolerance", oneOf: ["trim"]),
        .requires("trim-background", oneOf: ["trim"]),
    ]

    func checkMeaning() throws(OptionError) {
        if gravity != nil, fit != .cover, aspect == nil {
            guard case .size = crop else {
                throw OptionError(
                    """
                    \(option: "gravity") requires \(option: "crop") with a size, \(option: "aspect"), or cover as \
                    \(option: "fit")
                    """)
            }
        }
        guard let scale, let number = scale.plainNumber, scale.numerator > scale.denominator, !enlarge else { return }
        throw OptionError(
            """
            \(option: "scale") \(number) enlarges \(number) times and requires \(option: "enlarge"); to shrink, \
            use \(number)% or a number below 1
            """)
    }

    var asksForSomething: Bool { !targets.isEmpty || trim || crop != nil || aspect != nil }

    var resamplingFilter: ResamplingFilter { filter ?? .lanczos3 }

    /// Whether each image has several results.
    var hasSeveralWidths: Bool { (width?.pixels.count ?? 0) > 1 }

    /// One target for each width.
    private var targets: [ResizeRule.Target] {
        if let scale { return [.scale(numerator: scale.numerator, denominator: scale.denominator)] }
        if minWidth != nil || minHeight != nil { return [.minimum(width: minWidth, height: minHeight)] }
        if let width { return width.pixels.map { .box(width: $0, height: height, fit: fit ?? .inside) } }
        return height.map { [.box(width: nil, height: $0, fit: fit ?? .inside)] } ?? []
    }

    /// Adds the operations of the flags to a recipe. Returns one recipe for each width, at least one.
    func applied(to recipe: Recipe) -> [Recipe] {
        var recipe = recipe
        if trim {
            let tolerance = trimTolerance.map { UInt8(clamping: $0) } ?? PixelBuffer.defaultTrimTolerance
            recipe.operations.append(.trim(tolerance: tolerance, background: trimBackground))
        }
        let anchor = gravity ?? .center
        switch crop {
        case .rectangle(let rectangle): recipe.operations.append(.crop(rectangle))
        case .size(let size): recipe.operations.append(.crop(size: size, at: anchor))
        case nil: break
        }
        if let aspect { recipe.operations.append(.crop(aspect: aspect, at: anchor)) }
        let recipes = targets.map { target in
            var recipe = recipe
            let rule = ResizeRule(target, enlarges: enlarge)
            recipe.operations.append(
                .resize(
                    ResizeOptions(rule, filter: resamplingFilter, usesLinearLight: linear, anchor: anchor)))
            return recipe
        }
        return recipes.isEmpty ? [recipe] : recipes
    }
}

extension Fit: NamedArgument {}
extension ResamplingFilter: NamedArgument {}
