import TexelPixels

/// A codec of a format that limits the size or the contents of metadata.
package protocol MetadataLimitingCodec: ImageCodec {
    /// Returns the blocks in the form in which files store them; blocks that they cannot store are added to the losses.
    func limited(_ metadata: WrittenMetadata) -> WrittenMetadata
}

extension WrittenMetadata {
    /// The orientation that the blocks declare.
    private var orientation: Orientation {
        exif.flatMap { EXIF($0)?.orientation } ?? xmp.flatMap { XMP($0)?.orientation } ?? .identity
    }

    /// Returns the blocks that a codec writes; the others are added to ``losses``.
    package func stored(by codec: any ImageCodec) -> WrittenMetadata {
        let (blocks, format) = (codec.capabilities.metadata, codec.displayName)
        let orientation = orientation
        var stored = self
        func drop(_ block: String, _ byteCount: Int?) {
            stored.losses.append(MetadataLoss(block, byteCount: byteCount, .noPlace(in: format)))
        }
        if let exif, !blocks.contains(.exif) {
            stored.exif = nil
            // A block that stores nothing but the orientation was not in the input.
            if exif != EXIF.block(orientation: orientation) { drop(MetadataLoss.exif, exif.count) }
        }
        if let xmp, !blocks.contains(.xmp) {
            stored.xmp = nil
            drop(MetadataLoss.xmp, xmp.count)
        }
        if let iptc, !blocks.contains(.iptc) {
            stored.iptc = nil
            drop(MetadataLoss.iptc, iptc.count)
        }
        if !blocks.contains(.comments) {
            stored.comments = []
            if !comments.isEmpty { drop(MetadataLoss.text, comments.reduce(0) { $0 + $1.bytes.count }) }
        }
        if density != nil, !blocks.contains(.density) {
            stored.density = nil
            if stored.exif.flatMap({ EXIF($0)?.density }) == nil { drop(MetadataLoss.density, nil) }
        }
        if let limiting = codec as? any MetadataLimitingCodec { stored = limiting.limited(stored) }
        guard orientation != .identity else { return stored }
        if !blocks.contains(.exif) {
            if stored.orientation != orientation { drop(MetadataLoss.orientation, nil) }
        } else if stored.exif == nil {
            // It was too large. Few readers look for an orientation elsewhere.
            stored.exif = EXIF.block(orientation: orientation)
        }
        return stored
    }
}
