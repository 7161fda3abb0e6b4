#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The IIIF Image API 3.0 at compliance level 0 (https://iiif.io/api/image/3.0/): each request that a client may make
/// is a file.
enum IIIFImage {
    /// The region and the size of the requests for a tile, as `region/size`. The first is the canonical one.
    ///
    /// The last level is also requested as the whole image. It is the largest that fits in a tile, and therefore the
    /// result of the size `max` too: `maxWidth` limits all results to the size of a tile.
    static func requests(column: Int, row: Int, level: Int, in geometry: PyramidGeometry) -> [String] {
        let whole = geometry.levels[0]
        let tile = geometry.rectangle(column: column, row: row, level: level)
        let (x, y) = (tile.x << level, tile.y << level)
        let width = min(tile.width << level, whole.width - x)
        let height = min(tile.height << level, whole.height - y)
        let size = "\(tile.width),\(tile.height)"
        let request = "\(x),\(y),\(width),\(height)/\(size)"
        return level == geometry.levels.count - 1 ? ["full/max", "full/\(size)", request] : [request]
    }

    /// The URI of an image.
    ///
    /// - Parameters:
    ///   - name: the path of the pyramid below its folder; characters that a URI cannot hold are encoded.
    ///   - address: that of the folder.
    static func identifier(of name: String, at address: String) -> String {
        let allowed = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/".utf8)
        let digits = Array("0123456789ABCDEF")
        let path = name.utf8.map { byte in
            allowed.contains(byte)
                ? String(UnicodeScalar(byte)) : "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
        }.joined()
        return address.hasSuffix("/") ? address + path : "\(address)/\(path)"
    }

    /// The contents of `info.json`.
    static func information(of geometry: PyramidGeometry, fileExtension: String, identifier: String) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Strings and integers can always be encoded.
        let data = try? encoder.encode(Information(geometry, fileExtension: fileExtension, identifier: identifier))
        return Array(data ?? Data()) + [UInt8(ascii: "\n")]
    }

    private struct Information: Encodable {
        struct Size: Encodable {
            let width: Int
            let height: Int
        }

        struct Tiles: Encodable {
            let width: Int
            let height: Int
            let scaleFactors: [Int]
        }

        let context = "http://iiif.io/api/image/3/context.json"
        let id: String
        let type = "ImageService3"
        let `protocol` = "http://iiif.io/api/image"
        let profile = "level0"
        let width: Int
        let height: Int
        /// Results are never larger than a tile; `nil` if the whole image is not either.
        let maxWidth: Int?
        let sizes: [Size]
        let tiles: [Tiles]
        /// Formats other than JPEG, which each service has at level 0; `nil` for JPEG.
        let extraFormats: [String]?
        let preferredFormats: [String]?

        enum CodingKeys: String, CodingKey {
            case context = "@context"
            case id, type, `protocol`, profile, width, height, maxWidth, sizes, tiles, extraFormats, preferredFormats
        }

        init(_ geometry: PyramidGeometry, fileExtension: String, identifier: String) {
            id = identifier
            (width, height) = (geometry.levels[0].width, geometry.levels[0].height)
            maxWidth = geometry.levels.count > 1 ? geometry.tileSize : nil
            sizes = geometry.levels.suffix(1).map { Size(width: $0.width, height: $0.height) }
            tiles = [
                Tiles(
                    width: geometry.tileSize, height: geometry.tileSize,
                    scaleFactors: geometry.levels.indices.map { 1 << $0 })
            ]
            let formats = fileExtension == "jpg" ? nil : [fileExtension]
            (extraFormats, preferredFormats) = (formats, formats)
        }
    }
}
