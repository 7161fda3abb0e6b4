public import TexelCore
public import TexelPixels

/// Limits on what a file may require. They are checked against the headers or while reading, before memory is
/// allocated.
public struct Limits: Sendable, Hashable, Codable {
    /// The maximum width × height, in pixels.
    public var pixels = 268_402_689
    /// The maximum width and the maximum height, in pixels.
    public var side = 65_535
    /// The maximum size of an input file, in bytes.
    public var inputBytes = 1 << 30
    /// The maximum memory that the work for one image is planned to need, in bytes: pixels that are held at the same
    /// time, and what the decoder, the operations and the encoder need beside them. `nil` for no limit.
    public var plannedBytes: Int?
    /// The maximum size of a PNG's inflated rows, in bytes. Data after the last row is never inflated. The default
    /// allows the default ``pixels`` at four channels of eight bits.
    public var inflatedBytes = 1 << 30
    /// The maximum inflated size, in bytes, of one metadata block (EXIF, XMP), of all texts together, or of all colour
    /// profiles together.
    public var metadataBytes = 8 << 20
    /// The maximum number of chunks in a PNG, of segments before the pixels of a JPEG, of comments in a PPM, or of
    /// boxes and entries of tables in an AVIF.
    public var chunks = 200_000
    /// The maximum number of scans in a progressive JPEG. Each costs a pass over the whole image, however few bytes it
    /// has, so images of more than 8 megapixels may have fewer: see ``scans(of:)``.
    public var scans = 500
    /// The maximum number of frames in an animation.
    public var frames = 10_000
    /// The maximum number of warnings from a codec library before decoding fails. A damaged file can cause a warning
    /// for every few bytes.
    public var warnings = 10_000
    /// The maximum memory that a codec library may allocate, in bytes, such as for a progressive JPEG's coefficients.
    public var codecBytes = 2 << 30

    /// Creates the default limits.
    public init() {}

    /// Limits for untrusted input: what cameras and phones write passes, up to 200 megapixels, and no file can exhaust
    /// a server.
    ///
    /// They bound the memory rather than the number of pixels, because most work needs only some rows of an image.
    public static let untrusted: Limits = {
        var limits = Limits()
        limits.inputBytes = 256 << 20
        // The default budget of a pool: no image is larger than what all images in progress may take.
        limits.plannedBytes = 1 << 30
        limits.codecBytes = 1 << 30
        limits.metadataBytes = 1 << 20
        limits.chunks = 20_000
        limits.scans = 100
        limits.frames = 500
        limits.warnings = 100
        return limits
    }()

    /// The timeout to use with ``untrusted``, as `ProcessingOptions.timeout`.
    public static let untrustedTimeout = Duration.seconds(30)

    /// Checks the side and the area of an image of `size`.
    ///
    /// - Throws: `limitExceeded`.
    public func check(_ size: PixelSize) throws(TexelError) {
        let longest = max(size.width, size.height)
        guard longest <= side else { throw .limitExceeded(.side, value: longest, allowed: side) }
        guard let count = size.pixelCount, count <= pixels else {
            throw .limitExceeded(.pixels, value: size.pixelCount ?? .max, allowed: pixels)
        }
    }

    /// Checks an image of `size` that is held in memory as a whole.
    ///
    /// - Throws: `limitExceeded`.
    public func checkWhole(_ size: PixelSize) throws(TexelError) {
        try check(size)
        let (bytes, isTooLarge) = (size.pixelCount ?? .max).multipliedReportingOverflow(by: PixelBuffer.bytesPerPixel)
        try checkPlan(isTooLarge ? .max : bytes)
    }

    /// Checks the memory that the work for an image is planned to need.
    ///
    /// - Throws: `limitExceeded`.
    package func checkPlan(_ bytes: Int) throws(TexelError) {
        guard let plannedBytes, bytes > plannedBytes else { return }
        throw .limitExceeded(.plannedBytes, value: bytes, allowed: plannedBytes)
    }

    /// Checks the memory that a codec library is going to allocate.
    ///
    /// - Throws: `limitExceeded`.
    package func checkCodec(_ bytes: Double) throws(TexelError) {
        guard bytes <= Double(codecBytes) else {
            throw .limitExceeded(.codecBytes, value: Int(min(bytes, 1e18)), allowed: codecBytes)
        }
    }

    /// Returns how many scans a JPEG of `size` may have. Encoders write about ten.
    ///
    /// Up to 8 megapixels this is ``scans``. For larger images it is reduced so that all passes together cost no more,
    /// but not below 20. Without this limit, a file of some kilobytes can take minutes (libjpeg-turbo issue 284).
    public func scans(of size: PixelSize) -> Int {
        let count = size.pixelCount ?? .max
        let (passed, isTooLarge) = scans.multipliedReportingOverflow(by: 1 << 23)
        guard count > 1 << 23, !isTooLarge else { return scans }
        return max(min(scans, 20), passed / count)
    }
}
