import TexelCodecs

/// An EXIF block as a camera writes it, with a secret under every tag that the privacy policy must remove.
enum SampleEXIF {
    /// A byte string that occurs in every private value and in no other.
    static let secret = Array("SECRET".utf8)
    /// The start and end markers of a JPEG thumbnail, with the secret between them.
    static let thumbnailData: [UInt8] = [0xFF, 0xD8] + secret + [0xFF, 0xD9]

    static func builder(_ order: ByteOrder, orientation: UInt16 = 6) -> EXIFBuilder {
        var builder = EXIFBuilder(byteOrder: order)
        builder.add(EXIFTag.imageWidth, .short([4000]), to: \.image)
        builder.add(EXIFTag.imageLength, .short([3000]), to: \.image)
        builder.add(EXIFTag.imageDescription, .ascii("SECRET description"), to: \.image)
        builder.add(EXIFTag.make, .ascii("Texel Works"), to: \.image)
        builder.add(EXIFTag.model, .ascii("T1"), to: \.image)
        builder.add(EXIFTag.orientation, .short([orientation]), to: \.image)
        builder.add(EXIFTag.xResolution, .rational([300, 1]), to: \.image)
        builder.add(EXIFTag.yResolution, .rational([600, 2]), to: \.image)
        builder.add(EXIFTag.resolutionUnit, .short([2]), to: \.image)
        builder.add(EXIFTag.software, .ascii("SECRET software"), to: \.image)
        builder.add(EXIFTag.dateTime, .ascii("2024:05:06 07:08:09"), to: \.image)
        builder.add(EXIFTag.artist, .ascii("SECRET artist"), to: \.image)
        builder.add(EXIFTag.copyright, .ascii("A photographer\0An editor"), to: \.image)
        builder.add(EXIFTag.authorForExplorer, .undefined(secret), to: \.image)
        builder.add(0xC62F, .ascii("SECRET serial"), to: \.image)
        builder.add(0xFDE8, .ascii("SECRET unknown"), to: \.image)

        builder.add(EXIFTag.exposureTime, .rational([10, 2500]), to: \.exif)
        builder.add(EXIFTag.fNumber, .rational([28, 10]), to: \.exif)
        builder.add(EXIFTag.photographicSensitivity, .short([400]), to: \.exif)
        builder.add(EXIFTag.exifVersion, .undefined(Array("0232".utf8)), to: \.exif)
        builder.add(EXIFTag.dateTimeOriginal, .ascii("2024:01:02 03:04:05"), to: \.exif)
        builder.add(EXIFTag.focalLength, .rational([50, 1]), to: \.exif)
        builder.add(EXIFTag.makerNote, .undefined(Array("SECRET maker note".utf8)), to: \.exif)
        builder.add(EXIFTag.userComment, .undefined(Array("ASCII\0\0\0SECRET".utf8)), to: \.exif)
        builder.add(EXIFTag.pixelXDimension, .short([4000]), to: \.exif)
        builder.add(EXIFTag.pixelYDimension, .short([3000]), to: \.exif)
        builder.add(EXIFTag.imageUniqueID, .ascii("SECRET identifier"), to: \.exif)
        builder.add(EXIFTag.cameraOwnerName, .ascii("SECRET owner"), to: \.exif)
        builder.add(EXIFTag.bodySerialNumber, .ascii("SECRET body"), to: \.exif)
        builder.add(EXIFTag.lensSpecification, .rational([50, 1, 50, 1, 18, 10, 18, 10]), to: \.exif)
        // Some cameras leave uninitialised memory after a text.
        builder.add(EXIFTag.lensModel, .ascii("Planar 50\0SECRET remains"), to: \.exif)
        builder.add(EXIFTag.lensSerialNumber, .ascii("SECRET lens"), to: \.exif)
        // A permitted tag with the wrong type must not be copied.
        builder.add(EXIFTag.lensMake, .undefined(secret), to: \.exif)

        builder.add(EXIFTag.interoperabilityIndex, .ascii("R98"), to: \.interoperability)
        builder.add(EXIFTag.relatedImageWidth, .short([4000]), to: \.interoperability)
        builder.add(EXIFTag.gpsVersion, .undefined([2, 3, 0, 0]), to: \.gps)
        builder.add(EXIFTag.gpsLatitude, .rational([48, 1, 51, 1, 0x5345_4352, 1]), to: \.gps)
        builder.add(0x001D, .ascii("SECRET place"), to: \.gps)

        builder.add(EXIFTag.orientation, .short([orientation]), to: \.thumbnail)
        builder.add(EXIFTag.xResolution, .rational([72, 1]), to: \.thumbnail)
        builder.thumbnailData = thumbnailData
        return builder
    }
}

extension Array where Element == UInt8 {
    /// Returns whether `other` occurs anywhere.
    func contains(_ other: [UInt8]) -> Bool {
        guard let first = other.first, count >= other.count else { return other.isEmpty }
        return (0...(count - other.count)).contains { self[$0] == first && self[$0...].starts(with: other) }
    }
}
