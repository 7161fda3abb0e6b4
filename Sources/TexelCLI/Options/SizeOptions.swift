import ArgumentParser
import Texel

/// What is cut off, and to what size the rest is resized.
struct SizeOptions: ParsableArguments {
    @Option(help: "Pixels; alone it keeps the aspect.")
    var width: Int?

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

    var asksForSomething: Bool { target != nil || crop != nil }

    func check() throws {
        let sides = [("width", width), ("height", height), ("min-width", minWidth), ("min-height", minHeight)]
        for case (let name, let side?) in sides where !(1...Limits.maximumSide).contains(side) {
            throw ValidationError("--\(name) \(side) is not between 1 and \(Limits.maximumSide).")
        }
        let targets = [width ?? height, minWidth ?? minHeight, scale.map { _ in 1 }].compactMap { $0 }
        if targets.count > 1 {
            throw ValidationError("Give one of --width/--height, --min-width/--min-height and --scale.")
        }
    }

    private var target: ResizeRule.Target? {
        if let scale { return .scale(numerator: scale.numerator, denominator: scale.denominator) }
        if minWidth != nil || minHeight != nil { return .minimum(width: minWidth, height: minHeight) }
        if width != nil || height != nil { return .box(width: width, height: height, fit: fit) }
        return nil
    }

    func apply(to recipe: inout Recipe) {
        if let crop { recipe.operations.append(.crop(crop.rectangle)) }
        if let target {
            let rule = ResizeRule(target, enlarges: enlarge)
            recipe.operations.append(.resize(ResizeOptions(rule, filter: filter, usesLinearLight: linear)))
        }
    }
}

extension Limits {
    /// What formats and sense allow for a side that is asked for.
    static let maximumSide = 1_000_000
}

extension Fit: ExpressibleByArgument {}
extension ResamplingFilter: ExpressibleByArgument {}
