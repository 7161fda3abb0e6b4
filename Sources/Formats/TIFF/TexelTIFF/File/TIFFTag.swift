/// The tags that Texel uses besides those of EXIF (TIFF 6.0, part 1 to 3; TIFF technical notes 1 and 2).
enum TIFFTag {
    static let newSubfileType: UInt16 = 254
    static let subfileType: UInt16 = 255
    static let imageWidth: UInt16 = 256
    static let imageLength: UInt16 = 257
    static let bitsPerSample: UInt16 = 258
    static let compression: UInt16 = 259
    static let photometric: UInt16 = 262
    static let fillOrder: UInt16 = 266
    static let stripOffsets: UInt16 = 273
    static let orientation: UInt16 = 274
    static let samplesPerPixel: UInt16 = 277
    static let rowsPerStrip: UInt16 = 278
    static let stripByteCounts: UInt16 = 279
    static let xResolution: UInt16 = 282
    static let yResolution: UInt16 = 283
    static let planarConfiguration: UInt16 = 284
    static let group3Options: UInt16 = 292
    static let group4Options: UInt16 = 293
    static let resolutionUnit: UInt16 = 296
    static let pageNumber: UInt16 = 297
    static let transferFunction: UInt16 = 301
    static let predictor: UInt16 = 317
    static let whitePoint: UInt16 = 318
    static let primaryChromaticities: UInt16 = 319
    static let colorMap: UInt16 = 320
    static let tileWidth: UInt16 = 322
    static let tileLength: UInt16 = 323
    static let tileOffsets: UInt16 = 324
    static let tileByteCounts: UInt16 = 325
    static let subDirectories: UInt16 = 330
    static let inkSet: UInt16 = 332
    static let inkNames: UInt16 = 333
    static let numberOfInks: UInt16 = 334
    static let extraSamples: UInt16 = 338
    static let sampleFormat: UInt16 = 339
    static let jpegTables: UInt16 = 347
    static let yCbCrCoefficients: UInt16 = 529
    static let yCbCrSubsampling: UInt16 = 530
    static let yCbCrPositioning: UInt16 = 531
    static let referenceBlackWhite: UInt16 = 532
    static let xmp: UInt16 = 700
    /// IPTC captions by themselves.
    static let captions: UInt16 = 33723
    /// Photoshop's image resources, one of which may hold captions.
    static let photoshop: UInt16 = 34377
    static let profile: UInt16 = 34675
    static let dngVersion: UInt16 = 50706

    /// Fields that a rewritten file has as Texel understood them.
    static let ofLayout: Set<UInt16> = [
        imageWidth, imageLength, bitsPerSample, compression, photometric, fillOrder, samplesPerPixel, rowsPerStrip,
        planarConfiguration, group3Options, predictor, colorMap, tileWidth, tileLength, inkSet, extraSamples,
        sampleFormat, jpegTables, yCbCrSubsampling,
    ]

    /// The other fields that say what the pixels mean. They are kept if the pixel data are.
    static let ofPixels: Set<UInt16> = [
        newSubfileType, subfileType, group4Options, pageNumber, yCbCrCoefficients, yCbCrPositioning,
        referenceBlackWhite,
    ]

    /// Fields that say what colours the pixels have.
    static let ofColors: Set<UInt16> = [transferFunction, whitePoint, primaryChromaticities, 342, profile]

    /// Fields whose values are positions in the file, and so cannot be copied to another file.
    static let ofPositions: Set<UInt16> = [
        stripOffsets, stripByteCounts, tileOffsets, tileByteCounts, subDirectories, 288, 289, 512, 513, 514, 519, 520,
        521, 0x8769, 0x8825, 0xA005, 400,
    ]

    /// Fields of the main directory that belong to EXIF.
    static let ofEXIF: Set<UInt16> = [
        270, 271, 272, orientation, 305, 306, 315, 316, 18246, 18249, 33432, 40091, 40092, 40093, 40094, 40095,
    ]

    /// Fields of the density, which is written as it was understood: a number has no meaning without a valid unit.
    static let ofDensity: Set<UInt16> = [xResolution, yResolution, resolutionUnit]

    /// Other fields that hold metadata.
    static let ofMetadata: Set<UInt16> = ofEXIF.union([xmp, photoshop, captions])
}
