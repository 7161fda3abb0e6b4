import Texel

/// How images are turned.
struct TurningOptions: OptionGroup {
    var flip: FlipArgument?
    var angle: Double?
    var yaw: Double?
    var pitch: Double?
    var roll: Double?
    var affine: AffineArgument?
    var perspective: Quadrilateral?
    var partialBlocks: PartialBlocksFlag?

    static let options: [Option<Self>] = [
        .argument("flip", \.flip, help: "Mirror horizontally (h) or vertically (v), before rotating."),
        .number("angle", \.angle, .finiteAngle, help: "Degrees, clockwise.").takingDashes,
        .number(
            "yaw", \.yaw, .finiteAngle, help: "Degrees about the vertical axis; positive turns the right side away."
        ).takingDashes,
        .number("pitch", \.pitch, .finiteAngle, help: "Degrees about the horizontal axis; positive tilts the top away.")
            .takingDashes,
        .number("roll", \.roll, .finiteAngle, help: "Degrees about the viewing axis, clockwise.").takingDashes,
        .argument(
            "affine", \.affine, "4 or 6 numbers A,B,C,D[,E,F] such as \"1,0.2,0,1\"",
            help: """
                Map the point (x, y) to (Ax + By, Cx + Dy): A,B,C,D. With offsets, A,B,C,D,E,F, the result keeps the \
                size of the image.
                """
        ).takingDashes,
        .argument(
            "perspective", \.perspective,
            "four corners of a convex quadrilateral such as \"10,12 620,30 600,440 5,410\"",
            help: """
                Make a rectangle of four corners of the input, clockwise from the top left: '10,12 620,30 600,440 \
                5,410'; before all other changes.
                """
        ).takingDashes,
        .choice("perfect", .perfect, \.partialBlocks, help: "Refuse to encode a JPEG again, or cut off partial blocks.")
            .defaulting(to: "encode again"),
        .choice("trim-blocks", .trimBlocks, \.partialBlocks),
    ]

    var asksForSomething: Bool {
        flip != nil || angle != nil || rotation != nil || affine != nil || perspective != nil
    }

    private var rotation: Rotation3D? {
        guard yaw != nil || pitch != nil || roll != nil else { return nil }
        return Rotation3D(yaw: yaw ?? 0, pitch: pitch ?? 0, roll: roll ?? 0)
    }

    /// Adds what is done before an image is cropped and resized, because it is measured in pixels of the input.
    func applyFirst(to recipe: inout Recipe, filter: ResamplingFilter) {
        if let perspective { recipe.operations.append(.perspective(perspective, filter: filter)) }
    }

    /// Adds what is done afterwards.
    func apply(to recipe: inout Recipe, filter: ResamplingFilter) {
        if let flip { recipe.operations.append(.flip(flip.axis)) }
        if let angle { recipe.operations.append(.rotate(degrees: angle, filter: filter)) }
        if let rotation { recipe.operations.append(.turn(rotation, filter: filter)) }
        if let affine { recipe.operations.append(affine.operation(filter)) }
        switch partialBlocks {
        case .perfect: recipe.output.isLossless = true
        case .trimBlocks: recipe.output.trimsPartialBlocks = true
        case nil: break
        }
    }
}

/// The treatment of a JPEG's partial blocks, as jpegtran's `-perfect` and `-trim`.
enum PartialBlocksFlag: String, Sendable {
    case perfect
    case trimBlocks = "trim-blocks"

    var name: OptionName { OptionName(stringLiteral: rawValue) }
}
