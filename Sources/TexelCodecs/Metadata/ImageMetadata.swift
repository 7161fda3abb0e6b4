public import TexelPixels

/// What a file says beside its pixels. The colour profile is not here: it travels with the pixels.
public struct ImageMetadata: Sendable, Hashable, Codable {
    public var exif: EXIF?
    public var xmp: XMP?
    /// The payload of a JPEG file's APP13 segments, joined, with "Photoshop 3.0", NUL once: it holds IPTC captions.
    public var iptc: [UInt8]?
    public var comments: [TextComment]
    /// What the container itself says: JFIF or pHYs.
    public var density: PixelDensity?

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

    /// How the stored pixels lie: EXIF is asked first, then XMP.
    public var orientation: Orientation { exif?.orientation ?? xmp?.orientation ?? .identity }

    /// The container's density, unless it is only a ratio and EXIF knows more.
    public var effectiveDensity: PixelDensity? {
        guard let density, density.unit != .aspectRatio else { return exif?.density ?? density }
        return density
    }
}

/// The blocks that an encoder writes beside the pixels.
public struct WrittenMetadata: Sendable, Hashable {
    /// A TIFF block; JPEG puts "Exif", NUL, NUL before it.
    public var exif: [UInt8]?
    /// A packet; JPEG puts ``XMP/jpegSignature`` before it.
    public var xmp: [UInt8]?
    /// The payload of JPEG's APP13.
    public var iptc: [UInt8]?
    public var comments: [TextComment]
    public var density: PixelDensity?

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
    /// What to write beside pixels of `size` that lie as `orientation` says.
    ///
    /// - `none` writes nothing, `color` the density, `privacy` the density, the permitted EXIF tags and the copyright,
    ///   `all` everything, made true.
    /// - Whatever the policy: pixels that are not upright get at least a block that says how they lie. That is part of
    ///   the picture, not a note about it.
    ///
    /// - Parameters:
    ///   - orientation: how the pixels that are written lie: `identity` once they have been made upright.
    ///   - size: the pixels that are written, as they are stored.
    ///   - keepsThumbnail: whether the pixels are still the ones that a thumbnail shows.
    public func kept(
        under policy: MetadataPolicy, orientation: Orientation, size: PixelSize, keepsThumbnail: Bool
    ) -> WrittenMetadata {
        var written = WrittenMetadata()
        written.exif = exif?.rewritten(
            for: policy, orientation: orientation, size: size, keepsThumbnail: keepsThumbnail)
        written.xmp = xmp?.rewritten(
            for: policy, orientation: orientation, size: size, keepsThumbnail: keepsThumbnail)
        if policy != .none { written.density = effectiveDensity }
        if policy == .all {
            written.iptc = iptc.flatMap { PhotoshopResources.corrected($0, keepsThumbnail: keepsThumbnail) }
            written.comments = comments.filter { !$0.isMetadataInDisguise }
        }
        if orientation != .identity, written.exif == nil {
            written.exif = EXIF.block(orientation: orientation)
        }
        return written
    }
}

extension TextComment {
    /// Text chunks in which some PNG writers hide EXIF, XMP and IPTC blocks: nobody would correct them.
    fileprivate var isMetadataInDisguise: Bool {
        keyword.hasPrefix("Raw profile type ") || keyword == "XML:com.adobe.xmp"
    }
}
