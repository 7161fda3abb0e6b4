public import TexelPixels

extension EXIF {
    /// Returns the smallest block that stores the orientation, for an image that keeps its stored orientation but no
    /// other metadata.
    public static func block(orientation: Orientation) -> [UInt8] {
        var builder = EXIFBuilder(byteOrder: .bigEndian)
        builder.add(EXIFTag.orientation, .short([UInt16(clamping: orientation.rawValue)]), to: \.image)
        return builder.block()
    }

    /// Returns the block with another orientation, if it has one; all other bytes stay. For formats that store the
    /// orientation elsewhere.
    package func corrected(orientation: Orientation) -> [UInt8] {
        var block = block
        for directory in [image] + thumbnails {
            for entry in directory.entries where entry.tag == EXIFTag.orientation {
                block.write(UInt32(clamping: orientation.rawValue), to: entry, prefersShort: true)
            }
        }
        return block.bytes
    }
}
