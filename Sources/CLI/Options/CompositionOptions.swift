import Texel
import TexelFilters

/// Overlays, masks, borders and shadows.
struct CompositionOptions: OptionGroup {
    var overlay: String?
    var overlayGravity: Gravity?
    var overlayOffset: OffsetArgument?
    var overlayOpacity: Double?
    var overlayBlend: BlendMode?
    var overlayScale: ScaleArgument?
    var overlayTile = false
    var overlaySpacing: Int?
    var mask: String?
    var border: BorderArgument?
    var round: RoundArgument?
    var shadow: ShadowArgument?
    var shadowColor: PixelColor?
    var extend: EdgesArgument?
    var extendWith: ExtendFillArgument?

    static let options: [Option<Self>] = [
        .text("overlay", \.overlay, help: "Lay this image over the result, such as a watermark.").completed(
            with: .file),
        .argument(
            "overlay-gravity", \.overlayGravity,
            help: "Where the overlay is: center, a side or a corner such as southeast."
        ).defaulting(to: "center"),
        .argument(
            "overlay-offset", \.overlayOffset, "X,Y in pixels such as \"10,20\"",
            help: "Inset of the overlay from its anchor, as X,Y in pixels."
        ).takingDashes,
        .number("overlay-opacity", \.overlayOpacity, .within(0...1), help: "Opacity of the overlay, from 0 to 1."),
        .argument(
            "overlay-blend", \.overlayBlend,
            help: "How colours are mixed: normal, multiply, screen, soft-light and the others of CSS."),
        .argument(
            "overlay-scale", \.overlayScale, "a fraction of the width such as \"20%\", 0.2 or \"1/5\"",
            help: "Width of the overlay as a fraction of the image's: 20%, 0.2 or 1/5."
        ).defaulting(to: "its own size"),
        .flag("overlay-tile", \.overlayTile, help: "Cover the whole image with copies of the overlay."),
        .integer("overlay-spacing", \.overlaySpacing, .within(0...1_000_000), help: "Pixels between the copies."),
        .text(
            "mask", \.mask,
            help: "Multiply the image's alpha by that of this image, or by its lightness if it is opaque."
        ).completed(with: .file),
        .argument(
            "border", \.border, "WIDTH[,COLOR] such as \"10\" or \"10,white\"", help: "Add a border: WIDTH[,COLOR]."
        ).defaulting(to: "black"),
        .argument(
            "round", \.round, "a radius in pixels, a percentage up to \"50%\", or \"circle\"",
            help: "Round the corners: a radius in pixels, a percentage of the shorter side, or circle."),
        .argument(
            "shadow", \.shadow, "SIGMA[,X,Y] such as \"8\" or \"8,0,4\"",
            help: "Draw a drop shadow: SIGMA[,X,Y] in pixels."),
        .argument(
            "shadow-color", \.shadowColor, "a CSS colour such as \"black\" or \"#00000080\"",
            help: "Colour of the shadow."
        ).defaulting(to: "black at half opacity"),
        .argument(
            "extend", \.extend, "pixels such as \"20\", \"10,20\" or \"0,20,40,20\"",
            help: "Add pixels around the image: ALL, VERTICAL,HORIZONTAL or TOP,RIGHT,BOTTOM,LEFT."),
        .argument(
            "extend-with", \.extendWith, "a CSS colour, edge, mirror, wrap or blur[,SIGMA]",
            help: "What --extend shows: a colour, edge, mirror, wrap or blur[,SIGMA]."
        ).defaulting(to: "white"),
    ]

    static let rules: [OptionRule] =
        ["gravity", "offset", "opacity", "blend", "scale", "tile"].map { word in
            .requires(OptionName(stringLiteral: "overlay-\(word)"), oneOf: ["overlay"])
        } + [
            .requires("overlay-spacing", oneOf: ["overlay-tile"]),
            .requires("shadow-color", oneOf: ["shadow"]),
            .requires("extend-with", oneOf: ["extend"]),
        ]

    func checkMeaning() throws(OptionError) {
        for (name, path) in [("overlay", overlay), ("mask", mask)] as [(OptionName, String?)] {
            if path?.isEmpty == true { throw OptionError("\(option: name) is empty; name a file") }
            if path == "-" { throw OptionError("\(option: name) cannot be -; name a file") }
        }
        if let overlayScale, overlayScale.numerator > 10 * overlayScale.denominator {
            throw OptionError("\(option: "overlay-scale") is more than 1000%")
        }
    }

    var asksForSomething: Bool {
        overlay != nil || mask != nil || border != nil || round != nil || shadow != nil || extend != nil
    }

    /// The overlay, as the recipe needs it.
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
    /// Ignored parts of the overlay's and mask's files, one sentence each.
    var warnings: [String] = []
}
