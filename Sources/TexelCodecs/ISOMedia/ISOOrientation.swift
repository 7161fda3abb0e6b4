package import TexelPixels

extension ISORewriting {
    /// Returns the file with other metadata and identical coded images. Waits for the whole file.
    ///
    /// - Throws: `unsupported`, `damaged`, `stopped`.
    package static func file(
        _ container: ISOMediaFile, metadata: WrittenMetadata, keeping: KeptParts, limits: Limits, _ stop: StopToken?
    ) throws(CodecError) -> [UInt8] {
        var rewriting = ISORewriting(
            try container.completed(limits: limits, stop: stop), limits: limits, stop: stop)
        rewriting.exif = ISOOrientation(metadata).exif
        rewriting.xmp = metadata.xmp
        rewriting.keepsProfiles = keeping.contains(.color)
        rewriting.keepsOthers = keeping.contains(.attachments)
        return try rewriting.rewritten()
    }
}

/// The orientation that metadata declare. Files with items store it in properties, and readers ignore that of EXIF; so
/// that no reader applies both, EXIF declares none.
package struct ISOOrientation {
    /// The transform from the written pixels to the displayed image.
    package let orientation: Orientation
    /// The EXIF block to write.
    package let exif: [UInt8]?

    package init(_ metadata: WrittenMetadata) {
        guard let block = metadata.exif, let parsed = EXIF(block) else {
            (orientation, exif) = (.identity, metadata.exif)
            return
        }
        orientation = parsed.orientation ?? .identity
        if orientation == .identity {
            exif = block
        } else if block == EXIF.block(orientation: orientation) {
            // It has nothing else.
            exif = nil
        } else {
            exif = parsed.withoutOrientation
        }
    }
}

extension EXIF {
    /// The block with the orientation `identity`; its other values stay.
    fileprivate var withoutOrientation: [UInt8] { corrected(orientation: .identity) }
}
