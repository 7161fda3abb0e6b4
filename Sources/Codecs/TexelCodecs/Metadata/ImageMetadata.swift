public import TexelPixels

/// The metadata of an image file. The colour profile is not included: it is part of the pixel buffer.
public struct ImageMetadata: Sendable, Hashable, Codable {
    /// The EXIF block.
    public var exif: EXIF?
    /// The XMP packet.
    public var xmp: XMP?
    /// The rest of a JPEG's XMP packet that does not fit in one segment: a document of its own, with further
    /// properties.
    public var extendedXMP: [UInt8]?
    /// The payloads of a JPEG's APP13 segments, joined, without "Photoshop 3.0", NUL: resources with IPTC
    /// captions.
    public var iptc: [UInt8]?
    /// JPEG comments, or PNG text chunks.
    public var comments: [TextComment]
    /// The density that the container declares: JFIF or pHYs.
    public var density: PixelDensity?
    /// Blocks of the file that cannot be read.
    package var unreadBlocks: [MetadataLoss] = []

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

    /// Creates metadata from the blocks of a file; blocks that cannot be read are noted.
    package init(exifBlock: [UInt8]?, xmpPacket: [UInt8]?) {
        self.init()
        if let exifBlock { setEXIF(exifBlock) }
        xmp = xmpPacket.flatMap { XMP($0) }
    }

    /// Sets ``exif``; notes a block that cannot be read.
    package mutating func setEXIF(_ block: [UInt8]) {
        exif = EXIF(block)
        if exif == nil, !block.isEmpty {
            unreadBlocks.append(MetadataLoss(MetadataLoss.exif, byteCount: block.count, .damaged))
        }
    }

    /// The transform from the stored pixels to the displayed image. EXIF takes precedence over XMP.
    public var orientation: Orientation { exif?.orientation ?? xmp?.orientation ?? .identity }

    /// The container's density, or that of EXIF if the container has none or only an aspect ratio.
    public var effectiveDensity: PixelDensity? {
        guard let density, density.unit != .aspectRatio else { return exif?.density ?? density }
        return density
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
    ///   - keepsAttachments: whether the file keeps its ``ImageAttachment``s, which XMP describes.
    ///   - density: the density to write under every policy, in the container and in the blocks that are kept; `nil`
    ///     follows the policy.
    public func kept(
        under policy: MetadataPolicy, orientation: Orientation, size: PixelSize, keepsThumbnail: Bool,
        keepsAttachments: Bool = true, density: PixelDensity? = nil
    ) -> WrittenMetadata {
        var written = WrittenMetadata()
        written.exif = exif?.rewritten(
            for: policy, orientation: orientation, size: size, keepsThumbnail: keepsThumbnail, density: density)
        let wholeXMP = policy == .all ? joinedXMP(&written.losses) : xmp
        written.xmp = wholeXMP?.rewritten(
            for: policy, orientation: orientation, size: size, keepsThumbnail: keepsThumbnail,
            keepsAttachments: keepsAttachments, keepsDensity: density == nil)
        if let density {
            (written.density, written.overridesDensity) = (density, true)
        } else if policy != .none {
            written.density = effectiveDensity
        }
        if policy == .all {
            written.iptc = keptResources(keepsThumbnail, keepsDensity: density == nil, &written.losses)
            for comment in comments {
                if comment.isMetadataInDisguise {
                    written.losses.append(
                        MetadataLoss("the text “\(comment.keyword)”", byteCount: comment.bytes.count, .unreadForm))
                } else {
                    written.comments.append(comment)
                }
            }
        }
        if policy == .all || policy == .privacy {
            // Privacy keeps nothing of other blocks.
            written.losses += unreadBlocks.filter { policy == .all || $0.block == MetadataLoss.exif }
            if let xmp, xmp.reader == nil {
                written.losses.append(MetadataLoss(MetadataLoss.xmp, byteCount: xmp.bytes.count, .damaged))
            }
        }
        if orientation != .identity, written.exif == nil {
            written.exif = EXIF.block(orientation: orientation)
        }
        return written
    }

    /// The packet with the properties of its extension.
    private func joinedXMP(_ losses: inout [MetadataLoss]) -> XMP? {
        guard let extendedXMP else { return xmp }
        if let joined = xmp?.joined(with: extendedXMP) { return joined }
        losses.append(MetadataLoss(MetadataLoss.extendedXMP, byteCount: extendedXMP.count, .damaged))
        return xmp
    }

    private func keptResources(
        _ keepsThumbnail: Bool, keepsDensity: Bool, _ losses: inout [MetadataLoss]
    ) -> [UInt8]? {
        guard let iptc else { return nil }
        let (kept, unread) = PhotoshopResources.corrected(
            iptc, keepsThumbnail: keepsThumbnail, keepsDensity: keepsDensity)
        if unread > 0 { losses.append(MetadataLoss(MetadataLoss.iptc, byteCount: unread, .damaged)) }
        return kept
    }
}

extension TextComment {
    /// Whether this is a text chunk in which some PNG writers store EXIF, XMP or IPTC blocks. They would not be
    /// corrected.
    fileprivate var isMetadataInDisguise: Bool {
        keyword.hasPrefix("Raw profile type ") || keyword == "XML:com.adobe.xmp"
    }
}
