import Texel
import TexelPyramids

/// How images are cut into tiles, and how tiles are encoded.
struct TileOptions: OptionGroup {
    var layout: PyramidLayout?
    var tileSize: Int?
    var overlap: Int?
    var format: FormatArgument<FormatByImage>?
    var quality: Int?
    var effort: Effort?
    var metadata: TileMetadata?
    var background: PixelColor?
    var address: String?
    var frame: Int?
    var page: Int?

    static let options: [Option<Self>] = [
        .argument("layout", \.layout, help: "dzi (Deep Zoom) or iiif (IIIF Image API 3.0, level 0).").defaulting(
            to: "dzi"),
        .integer(
            "tile-size", \.tileSize, .within(PyramidSettings.sides),
            help: "Side of a tile in pixels, without the overlap."
        ).defaulting(to: "254 for dzi, 512 for iiif"),
        .integer("overlap", \.overlap, .from(0), help: "Pixels that a tile shares with each neighbour.").defaulting(
            to: "1 for dzi; always 0 for iiif"),
        .format(
            "format", \.format,
            help: "\(FormatArguments.names); or \(FormatByImage.word): jpeg, or png for images with transparent pixels."
        ).short("f").defaulting(to: FormatByImage.word),
        .integer(
            "quality", \.quality, .within(1...100),
            help: "Quality, 1 to 100, comparable across formats; png has none."
        ).defaulting(to: "80").short("q"),
        .argument("effort", \.effort, help: "Effort to reduce the file size: fast, balanced or best.").defaulting(
            to: "fast"),
        .argument(
            "metadata", \.metadata,
            help: "Metadata of each tile: none (colours are converted to sRGB) or color (the profile)."
        ).defaulting(to: "none"),
        .argument(
            "background", \.background, PixelColor.expectation,
            help: "Colour under transparent pixels, for formats without transparency: a CSS colour."
        ).defaulting(to: "white"),
        .text("id", \.address, help: "Address of the output folder, for the id in info.json of iiif."),
        .integer(
            "frame", \.frame, .from(0),
            help: "Frame of an animation to tile, from 0; without it, an animation is refused."),
        .integer("page", \.page, .from(1), help: "Page of a TIFF or PPM to tile, from 1.").defaulting(to: "the first"),
    ]

    func checkMeaning() throws(OptionError) {
        let layout = layout ?? .dzi
        if let overlap, overlap != 0, !layout.allowsOverlap {
            throw OptionError("Tiles of \(layout.rawValue) do not overlap; leave out --overlap")
        }
        let side = tileSize ?? layout.defaultTiles.size
        if let overlap, overlap >= side {
            throw OptionError("--overlap \(overlap) is not between 0 and \(side - 1), less than a tile")
        }
        if let address {
            if layout != .iiif { throw OptionError("--id has no effect with --layout \(layout.rawValue)") }
            if !Addresses.isAddress(address) {
                throw OptionError("--id \(address) is not a URL such as https://example.org/iiif")
            }
        }
        if frame != nil, page != nil { throw OptionError("--frame and --page exclude each other") }
        try checkFormat()
    }

    private func checkFormat() throws(OptionError) {
        let format = format?.format
        if background != nil, format?.capabilities.hasAlpha ?? true {
            let name = format?.rawValue ?? FormatByImage.word
            throw OptionError(
                "--background has no effect on \(name) tiles, which keep transparent pixels; use --format jpeg")
        }
        guard let format else { return }
        let capabilities = format.capabilities
        if !capabilities.isLossy, !capabilities.isLossless {
            let name = format.displayName
            throw OptionError("Each \(name) would have another palette, so that tiles do not match; use png")
        }
        if quality != nil, !capabilities.isLossy {
            throw OptionError("--quality has no effect on \(format.rawValue) tiles, which are lossless")
        }
    }

    /// The settings of the flags.
    var settings: PyramidSettings {
        var settings = PyramidSettings(layout ?? .dzi)
        settings.tileSize = tileSize ?? settings.tileSize
        settings.overlap = overlap ?? min(settings.overlap, settings.tileSize - 1)
        settings.format = format?.format
        settings.encoding = EncodingSettings(quality: quality, effort: effort ?? .fast)
        settings.keepsProfile = metadata == .color
        settings.background = background ?? .white
        settings.address = address ?? settings.address
        settings.frame = frame ?? page.map { $0 - 1 }
        return settings
    }
}

/// The metadata that tiles may carry.
enum TileMetadata: String, NamedArgument {
    case none, color
}

extension PyramidLayout: NamedArgument {}
