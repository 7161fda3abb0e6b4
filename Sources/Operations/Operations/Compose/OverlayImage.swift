public import TexelCore
import TexelMetrics
public import TexelPixels

/// An image that is a parameter of an operation, such as a logo: its pixels in sRGB. On an image in other colours it is
/// converted to these.
///
/// Comparing, hashing and writing to digests use a hash of the pixels that is computed once.
public struct OverlayImage: Sendable {
    /// The pixels, opaque or with straight alpha.
    public let pixels: PixelBuffer

    /// The faults of the pixels; each result of an image with this overlay has these warnings.
    public let warnings: [String]

    /// The digest of the size, the alpha mode and the pixels.
    package let digest: ContentDigest

    /// Whether every pixel is transparent.
    let isTransparent: Bool

    /// The size in pixels.
    public var size: PixelSize { pixels.size }

    /// Converts the colours to sRGB, and the alpha mode to straight unless all pixels are opaque.
    ///
    /// - Parameters:
    ///   - image: The pixels.
    ///   - warnings: What is wrong with them, for the results of images that get them.
    /// - Throws: `unusableColorProfile`, `outOfMemory`.
    public init(_ image: PixelBuffer, warnings: [String] = []) throws(TexelError) {
        var image = try image.convertedToSRGB()
        if image.alphaMode == .premultiplied { image = try image.unpremultiplied() }
        if image.alphaMode == .straight, image.isOpaque { image = try image.labelledAsOpaque() }
        pixels = image
        self.warnings = warnings
        digest = Self.digest(of: image)
        isTransparent =
            image.alphaMode != .opaque
            && (0..<image.height).allSatisfy { y in
                image.row(y).withUnsafeBufferPointer { $0.allSatisfy { $0 >> 24 == 0 } }
            }
    }

    /// Returns the pixels with their colours converted to a colour space; unchanged if that is one of greys or inks.
    ///
    /// - Throws: `unusableColorProfile`, `outOfMemory`.
    func pixels(in colorSpace: ColorSpace) throws(TexelError) -> PixelBuffer {
        if colorSpace == .sRGB { return pixels }
        if case .iccProfile(let profile) = colorSpace, profile.colorModel != .rgb { return pixels }
        // Nothing can be converted to colours that have no profile; they are tone-mapped before they are shown.
        return colorSpace.hasProfile ? try pixels.converted(to: colorSpace) : pixels
    }

    private static func digest(of image: PixelBuffer) -> ContentDigest {
        let shape = [Int64(image.width), Int64(image.height), image.alphaMode == .opaque ? 1 : 0]
        var hasher = ContentHasher()
        hasher.update(MessageValue.list(shape.map(MessageValue.integer)).encoded)
        for y in 0..<image.height { image.row(y).withUnsafeBytes { hasher.update($0) } }
        return hasher.finish()
    }
}

extension OverlayImage: Hashable {
    /// Returns whether size, alpha mode and pixels are equal, by their hashes.
    public static func == (first: OverlayImage, second: OverlayImage) -> Bool { first.digest == second.digest }

    public func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}

/// Keys of cached results need not contain the pixels.
extension OverlayImage: ContentIdentified {
    var contentIdentity: [UInt8] { digest.bytes }
}

extension PixelBuffer {
    /// Returns the image with the alpha mode `opaque`; every alpha byte is 255.
    fileprivate func labelledAsOpaque() throws(TexelError) -> PixelBuffer {
        // Flattening reads the pixels only to write them unchanged.
        try flattened(on: .black)
    }
}

extension OverlayImage: Codable {
    private enum CodingKeys: CodingKey { case width, height, isOpaque, pixels, warnings }

    /// Writes the size, whether there is alpha, and the pixels as text: runs of equal pixels, in Base64.
    ///
    /// - Throws: `EncodingError.invalidValue` if there are more than 2²⁶ pixels.
    public func encode(to encoder: any Encoder) throws {
        guard size.pixelCount ?? .max <= PixelRuns.pixelLimit else {
            throw EncodingError.invalidValue(
                size, .init(codingPath: encoder.codingPath, debugDescription: "the image is too large to be written"))
        }
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(size.width, forKey: .width)
        try container.encode(size.height, forKey: .height)
        try container.encode(pixels.alphaMode == .opaque, forKey: .isOpaque)
        try container.encode(Base64.text(PixelRuns.bytes(of: pixels)), forKey: .pixels)
        try container.encode(warnings, forKey: .warnings)
    }

    /// Reads an image of at most 2²⁶ pixels.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let size = PixelSize(
            width: try container.decode(Int.self, forKey: .width),
            height: try container.decode(Int.self, forKey: .height))
        let isOpaque = try container.decode(Bool.self, forKey: .isOpaque)
        guard let bytes = Base64.bytes(try container.decode(String.self, forKey: .pixels)),
            let image = try PixelRuns.image(bytes, size: size, alphaMode: isOpaque ? .opaque : .straight)
        else {
            throw DecodingError.dataCorruptedError(
                forKey: .pixels, in: container, debugDescription: "not the pixels of an image of \(size)")
        }
        try self.init(image, warnings: try container.decode([String].self, forKey: .warnings))
    }
}
