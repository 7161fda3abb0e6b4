import ArgumentParser
import Texel

/// How images are trimmed, cropped and resized.
struct SizeOptions: ParsableArguments {
    @Option(
        name: [.customShort("w"), .long],
        help: "Width in pixels; alone, keeps the aspect ratio. A list such as 320,640,1280 makes one file per width.")
    var width: WidthsArgument?

    @Option(help: "Height in pixels; alone, keeps the aspect ratio.")
    var height: Int?

    @Option(
        help:
            "How the image fits the box of width and height: inside, outside, cover, contain or fill (default: inside)."
    )
    var fit: Fit?

    @Option(help: "A fraction of the size: 50%, 0.5 or 1/2.")
    var scale: ScaleArgument?

    @Option(help: "Shrink until this width is reached, as flutter_image_compress does.")
    var minWidth: Int?

    @Option(help: "Shrink until this height is reached, as flutter_image_compress does.")
    var minHeight: Int?

    @Flag(help: "Enlarge smaller images.")
    var enlarge = false

    @Option(help: "Resampling filter (default: lanczos3).")
    var filter: ResamplingFilter?

    @Flag(
        help: "Resize, --blur, --overlay and --text in linear light, which preserves the brightness of fine patterns.")
    var linear = false

    @Flag(help: "First cut off borders of one colour.")
    var trim = false

    @Option(help: "How far a border's colours may differ from the background, 0 to 255 (default: 10).")
    var trimTolerance: Int?

    @Option(help: "The colour of the borders to trim, a CSS colour (default: that of the pixel at the top left).")
    var trimBackground: PixelColor?

    @Option(help: "Crop to WIDTHxHEIGHT+X+Y first, or to WIDTHxHEIGHT where --gravity says.")
    var crop: CropArgument?

    @Option(help: "Crop to this ratio of width to height, such as 16:9, after --crop.")
    var aspect: AspectRatio?

    @Option(
        help: ArgumentHelp(
            "What --fit cover, --crop WIDTHxHEIGHT and --aspect keep (default: center).",
            discussion: "A side or a corner such as northwest; attention, the part that draws the eye; or entropy."))
    var gravity: CropAnchor?

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
