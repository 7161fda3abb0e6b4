public import TexelCodecs
import TexelCore
public import TexelPixels

/// How a pyramid is cut and encoded.
public struct PyramidSettings: Sendable {
    /// How the files are named and described.
    public var layout: PyramidLayout
    /// The side of a tile without its overlap, in ``sides``.
    public var tileSize: Int
    /// The pixels that a tile shares with each neighbour; less than the tile size.
    public var overlap: Int
    /// The format of the tiles; `nil` for JPEG, or PNG if the image has transparent pixels.
    public var format: ImageFormat?
    /// How tiles are encoded.
    public var encoding = EncodingSettings(effort: .fast)
    /// Whether each tile carries the colour profile of the image. If not, colours are converted to sRGB.
    public var keepsProfile = false
    /// The colour under transparent pixels, for a format without alpha.
    public var background = PixelColor.white
    /// The address of the folder of the pyramids, for the `id` of IIIF.
    public var address = "https://example.com/iiif"
    /// The frame or page to tile, from 0; `nil` for the only one, or the first page.
    public var frame: Int?

    /// The allowed tile sizes.
    public static let sides = 1...8192

    /// Creates settings with the layout's usual tiles.
    public init(_ layout: PyramidLayout = .dzi) {
        self.layout = layout
        (tileSize, overlap) = layout.defaultTiles
    }

    /// - Throws: `invalidParameter`.
    func check() throws(TexelError) {
        let sides = Self.sides
        guard sides.contains(tileSize) else {
            throw .invalidParameter(
                "the tile size", value: "\(tileSize)", allowed: "between \(sides.lowerBound) and \(sides.upperBound)")
        }
        let largest = layout.allowsOverlap ? tileSize - 1 : 0
        guard (0...largest).contains(overlap) else {
            throw .invalidParameter(
                "the overlap", value: "\(overlap)", allowed: largest == 0 ? "0" : "between 0 and \(largest)")
        }
    }
}
