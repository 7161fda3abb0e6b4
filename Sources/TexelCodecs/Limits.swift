public import TexelPixels

/// What a file may ask for. Everything is checked from headers, or counted on the way, before memory is taken.
public struct Limits: Sendable, Hashable, Codable {
    /// Width × height, in pixels.
    public var pixels = 268_402_689
    /// Width and height, in pixels each.
    public var side = 65_535
    /// Bytes of one input file.
    public var inputBytes = 1 << 30
    /// Bytes of the decoded picture, four for each pixel; `nil` for as many as ``pixels`` come to.
    public var decodedBytes: Int?
    /// Bytes of a PNG's rows, inflated. What its data hold behind the last row is never inflated. The default is what the
    /// most pixels have at eight bits a channel.
    public var inflatedBytes = 1 << 30
    /// Bytes of one metadata block (EXIF, XMP), of all texts or of all colour profiles together, inflated.
    public var metadataBytes = 8 << 20
    /// Chunks of a PNG, segments before the pixels of a JPEG.
    public var chunks = 200_000
    /// Scans of a progressive JPEG: each costs a pass over the whole picture, however few bytes it has. So pictures of
    /// more than 8 megapixels may have fewer, see ``scans(of:)``.
    public var scans = 500
    /// Frames of an animation.
    public var frames = 10_000
    /// What a codec library warns of before it is left: damage may be told of again and again, as long as there are
    /// bytes.
    public var warnings = 10_000
    /// Bytes that a codec library may take for its own work (a progressive JPEG's coefficients, say).
    public var codecBytes = 2 << 30

    public init() {}

    /// For what comes from strangers: what a camera or a screen makes passes, and nothing takes a server down.
    public static let untrusted: Limits = {
        var limits = Limits()
        limits.pixels = 50_000_000
        limits.side = 16_384
        limits.inputBytes = 64 << 20
        limits.inflatedBytes = 512 << 20
        limits.metadataBytes = 1 << 20
        limits.chunks = 20_000
        limits.scans = 100
        limits.frames = 500
        limits.warnings = 100
        limits.codecBytes = 512 << 20
        return limits
    }()

    /// The time that belongs to ``untrusted``: `ProcessingOptions.timeout`.
    public static let untrustedTimeout = Duration.seconds(30)

    /// Which of them was exceeded.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        case pixels
        case side
        case inputBytes
        case decodedBytes
        case inflatedBytes
        case metadataBytes
        case chunks
        case scans
        case frames
        case warnings
        case codecBytes
    }

    /// - Throws: `limitExceeded` when a picture of `size` has a side, an area or decoded bytes above the limits.
    public func check(_ size: PixelSize) throws(CodecError) {
        let longest = max(size.width, size.height)
        guard longest <= side else { throw .limitExceeded(.side, value: longest, allowed: side) }
        guard let count = size.pixelCount, count <= pixels else {
            throw .limitExceeded(.pixels, value: size.pixelCount ?? .max, allowed: pixels)
        }
        guard let decodedBytes else { return }
        let (bytes, isTooLarge) = count.multipliedReportingOverflow(by: PixelBuffer.bytesPerPixel)
        guard !isTooLarge, bytes <= decodedBytes else {
            throw .limitExceeded(.decodedBytes, value: isTooLarge ? .max : bytes, allowed: decodedBytes)
        }
    }

    /// How many scans a JPEG of `size` may have: ``scans`` up to 8 megapixels, of larger pictures so many that all passes
    /// together cost no more; 20 always, if ``scans`` allows them. Encoders write about ten.
    ///
    /// Against files of some kilobytes that cost minutes (libjpeg-turbo issue 284).
    public func scans(of size: PixelSize) -> Int {
        let count = size.pixelCount ?? .max
        let (passed, isTooLarge) = scans.multipliedReportingOverflow(by: 1 << 23)
        guard count > 1 << 23, !isTooLarge else { return scans }
        return max(min(scans, 20), passed / count)
    }
}
