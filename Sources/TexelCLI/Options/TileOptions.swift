import ArgumentParser
import Texel

/// How images are cut into tiles, and how tiles are encoded.
struct TileOptions: ParsableArguments {
    @Option(help: "dzi (Deep Zoom) or iiif (IIIF Image API 3.0, level 0).")
    var layout = PyramidLayout.dzi

    @Option(help: "Side of a tile in pixels, without the overlap (default: 254 for dzi, 512 for iiif).")
    var tileSize: Int?

    @Option(help: "Pixels that a tile shares with each neighbour (default: 1 for dzi; always 0 for iiif).")
    var overlap: Int?

    @Option(
        name: [.short, .long],
        help: """
            \(FormatArgument<FormatByImage>.list(joinedBy: "or")); auto is jpeg, or png for images with transparent \
            pixels.
            """,
        completion: .list(FormatArgument<FormatByImage>.allValueStrings),
        transform: FormatArgument<FormatByImage>.parse)
    var format = FormatArgument(FormatByImage.self)

    @Option(
        name: [.customShort("q", allowingJoined: true), .long],
        help: "Quality, 1 to 100 (default: 80), the same look in every format; png has none.")
    var quality: Int?

    @Option(help: "Effort to reduce the file size: fast, balanced or best.")
    var effort = Effort.fast

    @Option(help: "Metadata of each tile: none (colours are converted to sRGB) or color (the profile).")
    var metadata = TileMetadata.none

    @Option(help: "Colour under transparent pixels, for formats without transparency: a CSS colour.")
    var background = PixelColor.white

    @Option(name: .customLong("id"), help: "Address of the output folder, for the id in info.json of iiif.")
    var address: String?

    @Option(help: "Frame of an animation to tile, from 0; without it, an animation is refused.")
    var frame: Int?

    @Option(help: "Page of a TIFF or PPM to tile, from 1 (default: the first).")
    var page: Int?

    func validate() throws {
        let sides = PyramidSettings.sides
        if let tileSize, !sides.contains(tileSize) {
            throw ValidationError(
                "--tile-size \(tileSize) is not between \(sides.lowerBound) and \(sides.upperBound).")
        }
        if let overlap, overlap != 0, !layout.allowsOverlap {
            throw ValidationError("Tiles of \(layout.rawValue) do not overlap; leave out --overlap.")
        }
        let side = tileSize ?? layout.defaultTiles.size
        if let overlap, !(0..<side).contains(overlap) {
            throw ValidationError("--overlap \(overlap) is not between 0 and \(side - 1), less than a tile.")
        }
        if let quality, !(1...100).contains(quality) {
            throw ValidationError("--quality \(quality) is not between 1 and 100.")
        }
        if let address {
            if layout != .iiif { throw ValidationError("--id has no effect with --layout \(layout.rawValue).") }
            if !Addresses.isAddress(address) {
                throw ValidationError("--id \(address) is not a URL such as https://example.org/iiif.")
            }
        }
        if let frame, frame < 0 { throw ValidationError("--frame \(frame) is less than 0.") }
        if let page, page < 1 { throw ValidationError("--page \(page) is less than 1.") }
        if frame != nil, page != nil { throw ValidationError("--frame and --page exclude each other.") }
        try checkFormat()
    }

    private func checkFormat() throws {
        if format.format?.capabilities.hasAlpha ?? true, RawArguments.contains(option: "background") {
            throw ValidationError(
                "--background has no effect on \(format.name) tiles, which keep transparent pixels; "
                    + "use --format jpeg.")
        }
        guard let format = format.format else { return }
        let capabilities = format.capabilities
        if !capabilities.isLossy, !capabilities.isLossless {
            let name = format.displayName
            throw ValidationError("Each \(name) would have another palette, so that tiles do not match; use png.")
        }
        if quality != nil, !capabilities.isLossy {
            throw ValidationError("--quality has no effect on \(format.rawValue) tiles, which are lossless.")
        }
    }

    /// The settings of the flags.
    var settings: PyramidSettings {
        var settings = PyramidSettings(layout)
        settings.tileSize = tileSize ?? settings.tileSize
        settings.overlap = overlap ?? min(settings.overlap, settings.tileSize - 1)
        settings.format = format.format
        settings.encoding = EncodingSettings(quality: quality, effort: effort)
        settings.keepsProfile = metadata == .color
        settings.background = background
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
