import PlatformLibc
public import TexelCore
public import TexelPixels

/// A ThumbHash: about 25 bytes from which a blurred preview of an image is drawn while the image loads.
///
/// The bytes hold coefficients of a cosine transform of luminance, two colour differences and, if the image is not
/// opaque, alpha, in the format that Evan Wallace published (https://evanw.github.io/thumbhash/). Unlike a
/// ``BlurHash``, it also holds the proportions and the transparency.
public struct ThumbHash: Sendable, Hashable {
    /// The encoded hash, 5…26 bytes.
    public let bytes: [UInt8]

    /// Computes the hash of an image.
    ///
    /// Images with a side above 100 pixels are reduced to 100 pixels first; smaller ones are used as they are.
    ///
    /// - Throws: `resultTooLarge`, `outOfMemory`, `unusableColorProfile`.
    public init(of image: PixelBuffer) throws(TexelError) {
        let reduced = try image.reduced(toSide: 100).unpremultiplied().convertedToSRGB()
        bytes = ThumbHashEncoder(reduced).bytes()
    }

    /// Reads a hash.
    ///
    /// - Returns: `nil` if there are not as many bytes as the header requires; further bytes are ignored.
    public init?(bytes: [UInt8]) {
        guard bytes.count >= 5 else { return nil }
        let layout = ThumbHashLayout(bytes)
        guard layout.isValid, bytes.count >= layout.byteCount else { return nil }
        self.bytes = Array(bytes.prefix(layout.byteCount))
    }
}

extension ThumbHash: CustomStringConvertible {
    /// The bytes in Base64 (RFC 4648).
    public var description: String { Base64.text(bytes) }
}

/// The numbers in the header of a ThumbHash that say what follows.
struct ThumbHashLayout {
    var hasAlpha: Bool
    var isLandscape: Bool
    /// The number of luminance's components along the shorter side, 1…7.
    var shortCount: Int

    init(hasAlpha: Bool, isLandscape: Bool, shortCount: Int) {
        (self.hasAlpha, self.isLandscape, self.shortCount) = (hasAlpha, isLandscape, shortCount)
    }

    /// Reads the header, which has at least 5 bytes.
    init(_ bytes: [UInt8]) {
        self.init(hasAlpha: bytes[2] >= 128, isLandscape: bytes[4] >= 128, shortCount: Int(bytes[3] & 7))
    }

    /// The number of luminance's components along the longer side.
    var longCount: Int { hasAlpha ? 5 : 7 }
    var isValid: Bool { shortCount > 0 && shortCount <= longCount }
    /// The proportions of the image in the header: width / height.
    var aspectRatio: Double {
        let ratio = Double(longCount) / Double(max(1, shortCount))
        return isLandscape ? ratio : 1 / ratio
    }

    /// The grids of luminance's and the other channels' components.
    var luminance: ThumbHashGrid {
        let short = max(3, shortCount)
        return isLandscape
            ? ThumbHashGrid(width: longCount, height: short) : ThumbHashGrid(width: short, height: longCount)
    }
    static let color = ThumbHashGrid(width: 3, height: 3)
    static let alpha = ThumbHashGrid(width: 5, height: 5)

    var headerByteCount: Int { hasAlpha ? 6 : 5 }
    var byteCount: Int {
        let components =
            luminance.frequencies.count + 2 * Self.color.frequencies.count
            + (hasAlpha ? Self.alpha.frequencies.count : 0)
        return headerByteCount + (components + 1) / 2
    }
}

/// The components of one channel: the triangle of the lower frequencies of a grid.
struct ThumbHashGrid {
    var width: Int
    var height: Int

    /// The frequencies in the order of the format, without the constant component.
    var frequencies: [(x: Int, y: Int)] {
        (0..<height).flatMap { y in
            ((y > 0 ? 0 : 1)..<width).filter { x in x * height < width * (height - y) }.map { x in (x, y) }
        }
    }
}
