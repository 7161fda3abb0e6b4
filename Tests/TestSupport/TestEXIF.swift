import TexelCodecs
public import TexelPixels

/// EXIF as a camera writes it, with a maker, a date and a location.
public enum TestEXIF {
    public static func block(orientation: Orientation) -> [UInt8] {
        var builder = EXIFBuilder(byteOrder: .bigEndian)
        builder.add(EXIFTag.make, .ascii("Texel Works"), to: \.image)
        builder.add(EXIFTag.orientation, .short([UInt16(orientation.rawValue)]), to: \.image)
        builder.add(EXIFTag.dateTimeOriginal, .ascii("2024:01:02 03:04:05"), to: \.exif)
        builder.add(EXIFTag.gpsLatitude, .rational([48, 1, 51, 1, 0, 1]), to: \.gps)
        return builder.block()
    }
}
