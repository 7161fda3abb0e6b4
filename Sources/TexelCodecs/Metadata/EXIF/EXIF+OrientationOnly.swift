public import TexelPixels

extension EXIF {
    /// Returns the smallest block that stores the orientation, for an image that keeps its stored orientation but no
    /// other metadata.
    public static func block(orientation: Orientation) -> [UInt8] {
        var builder = EXIFBuilder(byteOrder: .bigEndian)
        builder.add(EXIFTag.orientation, .short([UInt16(clamping: orientation.rawValue)]), to: \.image)
        return builder.block()
    }
}
