import ArgumentParser
import Texel

/// How images are turned.
struct TurningOptions: ParsableArguments {
    @Option(help: "Mirror horizontally (h) or vertically (v), before rotating.")
    var flip: FlipArgument?

    // `.unconditional`, because an argument that begins with a minus sign is an angle here, not a flag.
    @Option(parsing: .unconditional, help: "Degrees, clockwise.")
    var angle: Double?

    @Option(parsing: .unconditional, help: "Degrees about the vertical axis; positive turns the right side away.")
    var yaw: Double?

    @Option(parsing: .unconditional, help: "Degrees about the horizontal axis; positive tilts the top away.")
    var pitch: Double?

    @Option(parsing: .unconditional, help: "Degrees about the viewing axis, clockwise.")
    var roll: Double?

    @Option(
        parsing: .unconditional,
        help: """
            Map the point (x, y) to (Ax + By, Cx + Dy): A,B,C,D. With offsets, A,B,C,D,E,F, the result keeps the \
            size of the image.
            """)
    var affine: AffineArgument?

    @Option(
        parsing: .unconditional,
        help: """
            Make a rectangle of four corners of the input, clockwise from the top left: '10,12 620,30 600,440 5,410'; \
            before all other changes.
            """)
    var perspective: Quadrilateral?

    @Flag(help: "Refuse to encode a JPEG again, or cut off partial blocks (default: encode again).")
    var partialBlocks: PartialBlocksFlag?

    var asksForSomething: Bool {
        flip != nil || angle != nil || attitude != nil || affine != nil || perspective != nil
    }

    private var attitude: Attitude? {
        guard yaw != nil || pitch != nil || roll != nil else { return nil }
        return Attitude(yaw: yaw ?? 0, pitch: pitch ?? 0, roll: roll ?? 0)
    }

    /// Adds what is done before an image is cropped and resized, because it is measured in pixels of the input.
    func applyFirst(to recipe: inout Recipe, filter: ResamplingFilter) {
        if let perspective { recipe.operations.append(.perspective(perspective, filter: filter)) }
    }

    /// Adds what is done afterwards.
    func apply(to recipe: inout Recipe, filter: ResamplingFilter) {
        if let flip { recipe.operations.append(.flip(flip.axis)) }
        if let angle { recipe.operations.append(.rotate(degrees: angle, filter: filter)) }
        if let attitude { recipe.operations.append(.turn(attitude, filter: filter)) }
        if let affine { recipe.operations.append(affine.operation(filter)) }
        switch partialBlocks {
        case .perfect: recipe.output.isLossless = true
        case .trimBlocks: recipe.output.trimsPartialBlocks = true
        case nil: break
        }
    }
}

/// What to do with the partial blocks of a JPEG, as jpegtran's `-perfect` and `-trim`.
enum PartialBlocksFlag: String, EnumerableFlag {
    case perfect
    case trimBlocks = "trim-blocks"

    var name: OptionName { OptionName(stringLiteral: rawValue) }
}
