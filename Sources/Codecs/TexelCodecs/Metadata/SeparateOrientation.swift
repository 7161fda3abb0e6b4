package import TexelPixels

/// The orientation that metadata declare, for formats that store it beside the pixels: AVIF and HEIC in properties,
/// JPEG XL in the codestream. Readers of these formats ignore that of EXIF and XMP; so that no reader applies both,
/// these declare none.
package struct SeparateOrientation {
    /// The transform from the written pixels to the displayed image.
    package let orientation: Orientation
    /// The EXIF block to write.
    package let exif: [UInt8]?
    /// The XMP packet to write.
    package let xmp: [UInt8]?

    package init(_ metadata: WrittenMetadata) {
        xmp = metadata.xmp.map { XMP($0)?.corrected(orientation: .identity) ?? $0 }
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
            exif = parsed.corrected(orientation: .identity)
        }
    }
}
