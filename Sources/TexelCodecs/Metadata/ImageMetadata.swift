public import TexelPixels

/// The metadata of an image file. The colour profile is not included: it is part of the pixel buffer.
public struct ImageMetadata: Sendable, Hashable, Codable {
    /// The EXIF block.
    public var exif: EXIF?
    /// The XMP packet.
    public var xmp: XMP?
    /// The payloads of a JPEG's APP13 segments, joined, without "Photoshop 3.0", NUL: resources with IPTC
    /// captions.
    public var iptc: [UInt8]?
    /// JPEG comments, or PNG text chunks.
    public var comments: [TextComment]
    /// The density that the container declares: JFIF or pHYs.
    public var density: PixelDensity?

    /// Creates metadata; everything is absent by default.
    public init(
        exif: EXIF? = nil, xmp: XMP? = nil, iptc: [UInt8]? = nil, comments: [TextComment] = [],
        density: PixelDensity? = nil
    ) {
        self.exif = exif
        self.xmp = xmp
        self.iptc = iptc
        self.comments = comments
        self.density = density
    }

    /// The transform from the stored pixels to the displayed image. EXIF takes precedence over XMP.
    public var orientation: Orientation { exif?.orientation ?? xmp?.orientation ?? .identity }

    /// The container's density, or that of EXIF if the container has none or only an aspect ratio.
    public var effectiveDensity: PixelDensity? {
        guard let density, density.unit != .aspectRatio else { return exif?.density ?? density }
        return density
    }
}

/// The metadata blocks that an encoder writes.
public struct WrittenMetadata: Sendable, Hashable {
    /// A TIFF block; in a JPEG it follows "Exif", NUL, NUL.
    public var exif: [UInt8]?
    /// An XMP packet; in a JPEG it follows ``XMP/jpegSignature``.
    public var xmp: [UInt8]?
    /// The payload for a JPEG's APP13 segments, without "Photoshop 3.0", NUL.
    public var iptc: [UInt8]?
    /// JPEG comments, or PNG text chunks.
    public var comments: [TextComment]
    /// The pixel density for JFIF or pHYs.
    public var density: PixelDensity?
    /// Whether ``density`` was requested, so that a file that is rewritten gets it on all pages, and also if it has no
    /// place for a density yet.
    public var overridesDensity = false

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

extension ImageMetadata {
    /// Returns the metadata to write with pixels of the given size and orientation.
    ///
    /// - `none` keeps nothing, `color` the density, `privacy` the density, the permitted EXIF tags and the copyright,
    ///   `all` everything, corrected for the new pixels.
    /// - If `orientation` is not `identity`, at least an EXIF block with the orientation is written, whatever the
    ///   policy: without it the image would be displayed wrongly.
    ///
    /// - Parameters:
    ///   - policy: which blocks are kept, as above.
    ///   - orientation: the transform from the written pixels to the displayed image; `identity` if they are upright.
    ///   - size: the size of the written pixels, as stored.
    ///   - keepsThumbnail: whether the thumbnail still shows the same image.
    ///   - density: the density to write under every policy, in the container and in the blocks that are kept; `nil`
    ///     follows the policy.
    public func kept(
        under policy: MetadataPolicy, orientation: Orientation, size: PixelSize, keepsThumbnail: Bool,
        density: PixelDensity? = nil
    ) -> WrittenMetadata {
        var written = WrittenMetadata()
        written.exif = exif?.rewritten(
            for: policy, orientation: orientation, size: size, keepsThumbnail: keepsThumbnail, density: density)
        written.xmp = xmp?.rewritten(
            for: policy, orientation: orientation, size: size, keepsThumbnail: keepsThumbnail,
            keepsDensity: density == nil)
        if let density {
            (written.density, written.overridesDensity) = (density, true)
        } else if policy != .none {
            written.density = effectiveDensity
        }
        if policy == .all {
            written.iptc = iptc.flatMap {
                PhotoshopResources.corrected($0, keepsThumbnail: keepsThumbnail, keepsDensity: density == nil)
            }
            written.comments = comments.filter { !$0.isMetadataInDisguise }
        }
        if orientation != .identity, written.exif == nil {
            written.exif = EXIF.block(orientation: orientation)
        }
        return written
    }
}

extension TextComment {
    /// Whether this is a text chunk in which some PNG writers store EXIF, XMP or IPTC blocks. They would not be
    /// corrected.
    fileprivate var isMetadataInDisguise: Bool {
        keyword.hasPrefix("Raw profile type ") || keyword == "XML:com.adobe.xmp"
    }
}
