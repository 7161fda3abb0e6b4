/// The metadata blocks that an encoder writes.
public struct WrittenMetadata: Sendable, Hashable {
    /// A TIFF block; in a JPEG it follows "Exif", NUL, NUL.
    public var exif: [UInt8]?
    /// An XMP packet; in a JPEG it follows ``XMP/jpegSignature``.
    public var xmp: [UInt8]?
    /// The part of a packet that does not fit in the segment of ``xmp``; only for a JPEG.
    package var extendedXMP: [UInt8]?
    /// The payload for a JPEG's APP13 segments, without "Photoshop 3.0", NUL.
    public var iptc: [UInt8]?
    /// JPEG comments, or PNG text chunks.
    public var comments: [TextComment]
    /// The pixel density for JFIF or pHYs.
    public var density: PixelDensity?
    /// Whether ``density`` was requested, so that a file that is rewritten gets it on all pages, and also if it has no
    /// place for a density yet.
    public var overridesDensity = false
    /// The metadata that the policy keeps but that are not written.
    package var losses: [MetadataLoss] = []

    /// Creates the blocks; everything is absent by default.
    public init(
        exif: [UInt8]? = nil, xmp: [UInt8]? = nil, iptc: [UInt8]? = nil, comments: [TextComment] = [],
        density: PixelDensity? = nil
    ) {
        self.exif = exif
        self.xmp = xmp
        self.iptc = iptc
        self.comments = comments
        self.density = density
    }
}
