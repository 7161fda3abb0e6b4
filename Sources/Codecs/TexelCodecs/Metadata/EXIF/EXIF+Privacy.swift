import TexelPixels

/// The form that a value must have to be copied into a private block. Other forms could hide personal data under a
/// permitted tag.
private enum PermittedValue {
    /// Text up to its first NUL; bytes after the NUL are not copied.
    case text
    /// The photographer's and the editor's copyright, separated by a NUL (CIPA DC-008, 4.6.5.4.9).
    case copyright
    /// One to four integers: there may be several ISO speeds.
    case integers
    /// Exactly this number of fractions.
    case fractions(Int)
    /// Exactly four bytes: versions and the order of components.
    case fourBytes
}

/// The permitted tags of IFD0. Together with those of the Exif directory they cover date, copyright, camera, lens and
/// exposure. All other tags are removed, so no location, serial number, name, comment, thumbnail, maker note or unknown
/// tag is kept.
private let permittedImageTags: [UInt16: PermittedValue] = [
    EXIFTag.make: .text, EXIFTag.model: .text, EXIFTag.xResolution: .fractions(1), EXIFTag.yResolution: .fractions(1),
    EXIFTag.resolutionUnit: .integers, EXIFTag.dateTime: .text, EXIFTag.yCbCrPositioning: .integers,
    EXIFTag.copyright: .copyright,
]

private let permittedExifTags: [UInt16: PermittedValue] = [
    EXIFTag.exifVersion: .fourBytes, EXIFTag.flashpixVersion: .fourBytes, EXIFTag.componentsConfiguration: .fourBytes,
    EXIFTag.colorSpace: .integers,

    EXIFTag.dateTimeOriginal: .text, EXIFTag.dateTimeDigitized: .text,
    EXIFTag.offsetTime: .text, EXIFTag.offsetTimeOriginal: .text, EXIFTag.offsetTimeDigitized: .text,
    EXIFTag.subSecTime: .text, EXIFTag.subSecTimeOriginal: .text, EXIFTag.subSecTimeDigitized: .text,

    EXIFTag.exposureTime: .fractions(1), EXIFTag.fNumber: .fractions(1), EXIFTag.exposureProgram: .integers,
    EXIFTag.photographicSensitivity: .integers, EXIFTag.sensitivityType: .integers,
    EXIFTag.standardOutputSensitivity: .integers, EXIFTag.recommendedExposureIndex: .integers,
    EXIFTag.isoSpeed: .integers, EXIFTag.isoSpeedLatitudeYYY: .integers, EXIFTag.isoSpeedLatitudeZZZ: .integers,
    EXIFTag.shutterSpeed: .fractions(1), EXIFTag.aperture: .fractions(1), EXIFTag.brightness: .fractions(1),
    EXIFTag.exposureBias: .fractions(1), EXIFTag.maxAperture: .fractions(1), EXIFTag.exposureIndex: .fractions(1),
    EXIFTag.meteringMode: .integers, EXIFTag.lightSource: .integers, EXIFTag.flash: .integers,
    EXIFTag.sensingMethod: .integers, EXIFTag.exposureMode: .integers, EXIFTag.whiteBalance: .integers,
    EXIFTag.sceneCaptureType: .integers, EXIFTag.gainControl: .integers, EXIFTag.contrast: .integers,
    EXIFTag.saturation: .integers, EXIFTag.sharpness: .integers,

    EXIFTag.focalLength: .fractions(1), EXIFTag.focalLengthIn35mmFilm: .integers,
    EXIFTag.digitalZoomRatio: .fractions(1), EXIFTag.lensSpecification: .fractions(4),
    EXIFTag.lensMake: .text, EXIFTag.lensModel: .text,
]

/// The maximum size of a text in bytes. Real names and statements are shorter, and the block stays well below the 64
/// KiB of a JPEG segment.
private let maximumTextSize = 2048

extension EXIF {
    /// Returns a new block with the permitted tags only; `nil` if there are none and the orientation is `identity`.
    ///
    /// - Parameter density: the density of the file; `nil` keeps the block's own.
    func privacyBlock(orientation: Orientation, size: PixelSize, density: PixelDensity?) -> [UInt8]? {
        var builder = EXIFBuilder(byteOrder: block.byteOrder)
        builder.image = permittedFields(of: image, permittedImageTags)
        builder.exif = permittedFields(of: exif, permittedExifTags)
        guard !builder.image.isEmpty || !builder.exif.isEmpty || orientation != .identity else { return nil }
        if let density {
            let (unit, x, y) = density.resolution
            let own: Set = [EXIFTag.xResolution, EXIFTag.yResolution, EXIFTag.resolutionUnit]
            builder.image.removeAll { own.contains($0.tag) }
            builder.add(EXIFTag.xResolution, .rational([x.numerator, x.denominator]), to: \.image)
            builder.add(EXIFTag.yResolution, .rational([y.numerator, y.denominator]), to: \.image)
            builder.add(EXIFTag.resolutionUnit, .short([unit]), to: \.image)
        }
        if orientation != .identity || image[EXIFTag.orientation] != nil {
            builder.add(EXIFTag.orientation, .short([UInt16(clamping: orientation.rawValue)]), to: \.image)
        }
        if !builder.exif.isEmpty {
            builder.add(EXIFTag.pixelXDimension, .long([UInt32(clamping: size.width)]), to: \.exif)
            builder.add(EXIFTag.pixelYDimension, .long([UInt32(clamping: size.height)]), to: \.exif)
        }
        return builder.block()
    }

    private func permittedFields(
        of directory: TIFFDirectory?, _ permitted: [UInt16: PermittedValue]
    ) -> [TIFFField] {
        var seen: Set<UInt16> = []
        return (directory?.entries ?? []).compactMap { entry in
            guard let rule = permitted[entry.tag], let field = field(entry, as: rule),
                seen.insert(entry.tag).inserted
            else { return nil }
            return field
        }
    }

    private func field(_ entry: TIFFDirectory.Entry, as rule: PermittedValue) -> TIFFField? {
        guard let type = entry.type, let bytes = block.bytes(of: entry) else { return nil }
        switch (rule, type) {
        case (.text, .ascii), (.text, .utf8):
            return text(entry.tag, type, [bytes.prefix { $0 != 0 }])
        case (.copyright, .ascii), (.copyright, .utf8):
            // Parts after the second have no meaning.
            let parts = bytes.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
            return text(entry.tag, type, Array(parts.prefix(2)))
        case (.integers, .short), (.integers, .long), (.integers, .signedShort), (.integers, .signedLong):
            guard (1...4).contains(entry.count) else { return nil }
        case (.fractions(let count), .rational), (.fractions(let count), .signedRational):
            guard entry.count == count else { return nil }
        case (.fourBytes, .undefined):
            guard entry.count == 4 else { return nil }
        default:
            return nil
        }
        return TIFFField(tag: entry.tag, type: type, bytes: Array(bytes))
    }

    /// Returns one or two texts, each with a terminating NUL; `nil` if they are blank or longer than the maximum.
    private func text(_ tag: UInt16, _ type: TIFFType, _ parts: [ArraySlice<UInt8>]) -> TIFFField? {
        guard parts.contains(where: { $0.contains { $0 != 0x20 } }) else { return nil }
        let lastUseful = parts.lastIndex { !$0.isEmpty } ?? 0
        let bytes = parts[...lastUseful].flatMap { $0 + [0] }
        return bytes.count <= maximumTextSize ? TIFFField(tag: tag, type: type, bytes: bytes) : nil
    }
}
