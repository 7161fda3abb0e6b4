public import TexelPixels

/// What a file may ask for. Everything is checked from the header, before memory is taken.
public struct Limits: Sendable, Hashable {
    /// Width × height, in pixels.
    public var pixels = 268_402_689
    /// Width and height, in pixels each.
    public var side = 65_535
    /// Bytes of one input file.
    public var inputBytes = 1 << 30
    /// Bytes of one metadata block (ICC profile, EXIF, XMP, a text), inflated.
    public var metadataBytes = 8 << 20
    /// Scans of a progressive JPEG: each costs a pass over the whole picture, however few bytes it has.
    public var scans = 500
    /// Frames of an animation.
    public var frames = 10_000
    /// Bytes that a codec library may take for its own work (a progressive JPEG's coefficients, say).
    public var codecBytes = 2 << 30

    public init() {}

    /// Which of them was exceeded; the raw value is the command line's flag.
    public enum Kind: String, Sendable, Hashable {
        case pixels = "--limit-pixels"
        case side = "--limit-side"
        case inputBytes = "--limit-input"
        case metadataBytes = "--limit-metadata"
        case scans = "--limit-scans"
        case frames = "--limit-frames"
        case codecBytes = "--limit-memory"
    }

    /// - Throws: `limitExceeded` when a picture of `size` has a side or an area above the limits.
    public func check(_ size: PixelSize) throws(CodecError) {
        let longest = max(size.width, size.height)
        guard longest <= side else { throw .limitExceeded(.side, value: longest, allowed: side) }
        guard let count = size.pixelCount, count <= pixels else {
            throw .limitExceeded(.pixels, value: size.pixelCount ?? .max, allowed: pixels)
        }
    }
}
