public import TexelPixels

extension EXIF {
    /// The smallest block that says how the pixels lie: for a picture that keeps its stored orientation but no other
    /// metadata.
    public static func block(orientation: Orientation) -> [UInt8] {
        var builder = EXIFBuilder(byteOrder: .bigEndian)
        builder.add(EXIFTag.orientation, .short([UInt16(clamping: orientation.rawValue)]), to: \.image)
        return builder.block()
    }
}
