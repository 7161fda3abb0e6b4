import ArgumentParser
import Texel

/// What is laid over images, and what surrounds them.
struct CompositionOptions: ParsableArguments {
    @Option(help: "Lay this image over the result, such as a watermark.", completion: .file())
    var overlay: String?

    @Option(help: "Where the overlay is: center, a side or a corner such as southeast (default: center).")
    var overlayGravity: Gravity?

    @Option(parsing: .unconditional, help: "Distance of the overlay from that place: X,Y in pixels, inwards.")
    var overlayOffset: OffsetArgument?

    @Option(help: "Opacity of the overlay, from 0 to 1.")
    var overlayOpacity: Double?

    @Option(help: "How colours are mixed: normal, multiply, screen, soft-light and the others of CSS.")
    var overlayBlend: BlendMode?

    @Option(help: "Width of the overlay as a fraction of the image's: 20%, 0.2 or 1/5 (default: its own size).")
    var overlayScale: ScaleArgument?

    @Flag(help: "Cover the whole image with copies of the overlay.")
    var overlayTile = false

    @Option(help: "Pixels between the copies.")
    var overlaySpacing: Int?

    @Option(
        help: "Multiply the image's alpha by that of this image, or by its lightness if it is opaque.",
        completion: .file())
    var mask: String?

    @Option(help: "Add a border: WIDTH[,COLOR] (default: black).")
    var border: BorderArgument?

    @Option(help: "Round the corners: a radius in pixels, a percentage of the shorter side, or circle.")
    var round: RoundArgument?

    @Option(help: "Draw a drop shadow: SIGMA[,X,Y] in pixels.")
    var shadow: ShadowArgument?

    @Option(help: "Colour of the shadow (default: black at half opacity).")
    var shadowColor: PixelColor?

    @Option(help: "Add pixels around the image: ALL, VERTICAL,HORIZONTAL or TOP,RIGHT,BOTTOM,LEFT.")
    var extend: EdgesArgument?

    @Option(help: "What --extend shows: a colour, edge, mirror, wrap or blur[,SIGMA] (default: white).")
    var extendWith: ExtendFillArgument?

    var asksForSomething: Bool {
        overlay != nil || mask != nil || border != nil || round != nil || shadow != nil || extend != nil
    }

    /// What is laid over the image.
    ///
    /// - Parameters:
    ///   - images: the images that the flags name.
    ///   - usesLinearLight: whether light is mixed instead of stored values.
    func overlays(_ images: CompositionImages, usesLinearLight: Bool) -> [PixelOperation] {
        guard let image = images.overlay else { return [] }
        var options = overlayOptions(image)
        options.usesLinearLight = usesLinearLight
        return [.overlay(options)]
    }

    /// The mask, and what surrounds the image, in a fixed order.
    ///
    /// - Parameter images: the images that the flags name.
    func surroundings(_ images: CompositionImages) -> [PixelOperation] {
        var operations: [PixelOperation] = []
        if let image = images.mask { operations.append(.mask(image)) }
        if let border { operations.append(.border(width: border.width, color: border.color)) }
        if let round { operations.append(round.operation) }
        if let shadow { operations.append(.shadow(options(of: shadow))) }
        if let extend {
            operations.append(
                .extend(
                    ExtendOptions(
                        top: extend.top, left: extend.left, bottom: extend.bottom, right: extend.right,
                        fill: extendWith?.fill ?? .color(.white))))
        }
        return operations
    }

    private func overlayOptions(_ image: OverlayImage) -> OverlayOptions {
        var options = OverlayOptions(image)
        options.gravity = overlayGravity ?? options.gravity
        options.offsetX = overlayOffset?.x ?? 0
        options.offsetY = overlayOffset?.y ?? 0
        options.opacity = overlayOpacity ?? 1
        options.blendMode = overlayBlend ?? .normal
        if let overlayScale {
            options.scale = .fractionOfWidth(Double(overlayScale.numerator) / Double(overlayScale.denominator))
        }
        if overlayTile { options.tileSpacing = overlaySpacing ?? 0 }
        return options
    }

    private func options(of shadow: ShadowArgument) -> ShadowOptions {
        ShadowOptions(
            sigma: shadow.sigma, offsetX: shadow.x, offsetY: shadow.y,
            color: shadowColor ?? PixelColor(red: 0, green: 0, blue: 0, alpha: 128))
    }
}

/// The images that flags name, decoded.
struct CompositionImages: Sendable {
    var overlay: OverlayImage?
    var mask: OverlayImage?
    /// What of their files is not used, one sentence each.
    var warnings: [String] = []
}
