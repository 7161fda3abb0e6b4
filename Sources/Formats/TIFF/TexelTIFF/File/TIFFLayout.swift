import TexelCodecs
import TexelCore
import TexelPixels

/// How the pixels of a page are stored.
struct TIFFLayout: Sendable {
    /// The meaning of a pixel's samples (PhotometricInterpretation).
    enum Color: Sendable, Hashable {
        case gray(whiteIsZero: Bool)
        case rgb
        case palette
        case cmyk
        case yCbCr

        /// The number of samples, without extra ones.
        var sampleCount: Int {
            switch self {
            case .gray, .palette: 1
            case .rgb, .yCbCr: 3
            case .cmyk: 4
            }
        }
    }

    /// The meaning of the sample after the colours.
    enum Alpha: Sendable {
        case none, associated, unassociated
        /// The file does not say it, but other readers show it as unassociated alpha.
        case assumed
    }

    var size: PixelSize
    var color = Color.gray(whiteIsZero: false)
    var alpha = Alpha.none
    /// The bits of a sample, 1 to 16.
    var bits = 1
    /// The samples of a pixel.
    var samples = 1
    var compression = TIFFCompression.none
    /// Whether each sample has strips or tiles of its own.
    var isSeparate = false
    /// Whether the bits of a byte are in reversed order.
    var hasReversedBits = false
    var predictor = 1
    /// The options of CCITT T.4.
    var faxOptions = 0
    /// The size of tiles; strips have the image's width.
    var part: PixelSize
    var isTiled = false
    /// Luma samples per chroma sample; 1 × 1 for images without subsampled chroma in their data.
    var subsampling = PixelSize(width: 1, height: 1)

    /// The colours that the samples have after decompression: JPEG's YCbCr is converted to RGB.
    var decodedColor: Color { convertsToRGB ? .rgb : color }
    /// Whether libtiff converts YCbCr to RGB.
    var convertsToRGB: Bool { compression == .jpeg && color == .yCbCr && !isSeparate }
    /// Whether the data have groups of luma samples followed by their chroma samples.
    var hasGroups: Bool { subsampling.width * subsampling.height > 1 && !convertsToRGB }

    /// Whether the largest sample is black.
    var isBlackMaximum: Bool { color == .gray(whiteIsZero: true) || color == .cmyk }

    /// The number of planes: sets of strips or tiles.
    var planeCount: Int { isSeparate ? samples : 1 }
    /// The strips or tiles of a plane in a row.
    var partsAcross: Int { (size.width + part.width - 1) / part.width }
    /// The rows of strips or tiles.
    var partsDown: Int { (size.height + part.height - 1) / part.height }
    /// The strips or tiles of a plane.
    var partsOfPlane: Int { partsAcross * partsDown }
    /// The samples of a pixel in one plane.
    var samplesOfPlane: Int { isSeparate ? 1 : samples }

    /// The image rows that a stored row has: more than one if chroma is subsampled.
    var rowsOfUnit: Int { hasGroups ? subsampling.height : 1 }
    /// The bytes of a stored row of a part. `init` has checked that it does not overflow.
    var bytesOfUnit: Int {
        guard hasGroups else { return (part.width * samplesOfPlane * bits + 7) / 8 }
        let groups = (part.width + subsampling.width - 1) / subsampling.width
        return groups * (subsampling.width * subsampling.height + 2)
    }
    /// The stored rows of a whole part.
    var unitsOfPart: Int { (part.height + rowsOfUnit - 1) / rowsOfUnit }
    /// The stored rows of a plane.
    var unitsOfPlane: Int { (size.height + rowsOfUnit - 1) / rowsOfUnit }
    /// The stored rows of part row `index`; the last strip may be shorter, tiles are padded.
    func units(ofPartRow index: Int) -> Int {
        isTiled ? unitsOfPart : min(unitsOfPart, unitsOfPlane - index * unitsOfPart)
    }
}

// MARK: Reading

extension TIFFLayout {
    /// Reads and checks the fields of a directory; allocates nothing for what they declare.
    ///
    /// - Throws: `damaged`, `unsupported`, `limitExceeded`, `stopped`.
    init(_ directory: TIFFFileDirectory, in input: TIFFInput, _ stop: StopToken?) throws(TexelError) {
        func field(_ tag: UInt16) throws(TexelError) -> Int? { try input.integer(tag, in: directory, stop) }
        guard let width = try field(TIFFTag.imageWidth) else { throw .tiff(.missing("ImageWidth")) }
        guard let height = try field(TIFFTag.imageLength) else { throw .tiff(.missing("ImageLength")) }
        size = PixelSize(width: width, height: height)
        part = size
        guard size.isPositive, max(width, height) <= Int(Int32.max) else {
            throw .tiff(.invalidDimensions(width: width, height: height))
        }
        try input.limits.check(size)
        let number = try field(TIFFTag.compression) ?? 1
        guard let compression = TIFFCompression(rawValue: number) else {
            throw .unsupported("TIFF with \(TIFFCompression.unsupportedName(number))")
        }
        self.compression = compression
        try readSamples(directory, in: input, stop)
        try readColor(directory, in: input, stop)
        hasReversedBits = try field(TIFFTag.fillOrder) == 2
        if compression == .group3 { faxOptions = try field(TIFFTag.group3Options) ?? 0 }
        predictor = compression.hasPredictor ? try field(TIFFTag.predictor) ?? 1 : 1
        try readParts(directory, in: input, stop)
        try check(input.limits)
    }

    private mutating func readSamples(
        _ directory: TIFFFileDirectory, in input: TIFFInput, _ stop: StopToken?
    ) throws(TexelError) {
        samples = try input.integer(TIFFTag.samplesPerPixel, in: directory, stop) ?? 1
        guard (1...65_535).contains(samples) else {
            throw .tiff(.invalidValue(samples, of: "SamplesPerPixel"))
        }
        let depths = try input.integers(TIFFTag.bitsPerSample, in: directory, limit: samples, stop)
        bits = depths.first ?? 1
        guard depths.allSatisfy({ $0 == bits }) else {
            throw .unsupported("TIFF with samples of different numbers of bits")
        }
        let formats = try input.integers(TIFFTag.sampleFormat, in: directory, limit: samples, stop)
        // 1 is unsigned, 4 is undefined, which readers treat as unsigned.
        if let format = formats.first(where: { $0 != 1 && $0 != 4 }) {
            let name = [2: "signed", 3: "floating-point", 5: "complex", 6: "complex"][format]
            guard let name else { throw .tiff(.invalidValue(format, of: "SampleFormat")) }
            throw .unsupported("TIFF with \(bits)-bit \(name) samples")
        }
        guard (1...16).contains(bits) else {
            if bits == 0 { throw .tiff(.invalidValue(bits, of: "BitsPerSample")) }
            throw .unsupported("TIFF with \(bits) bits per sample")
        }
        let configuration = try input.integer(TIFFTag.planarConfiguration, in: directory, stop) ?? 1
        guard (1...2).contains(configuration) else {
            throw .tiff(.invalidValue(configuration, of: "PlanarConfiguration"))
        }
        isSeparate = configuration == 2 && samples > 1
    }

    private mutating func readColor(
        _ directory: TIFFFileDirectory, in input: TIFFInput, _ stop: StopToken?
    ) throws(TexelError) {
        let photometric = try input.integer(TIFFTag.photometric, in: directory, stop)
        let hasExtraSamples = directory[TIFFTag.extraSamples] != nil
        // The field is required, but some writers omit it. Alpha would be an extra sample.
        let usual = compression.isFax ? 0 : samples < 3 ? 1 : samples == 4 && !hasExtraSamples ? 5 : 2
        switch photometric ?? usual {
        case 0: color = .gray(whiteIsZero: true)
        case 1: color = .gray(whiteIsZero: false)
        case 2: color = .rgb
        case 3: color = .palette
        case 5: color = .cmyk
        case 6: color = .yCbCr
        case 4: throw .unsupported("TIFF that is only a mask")
        case 8, 9, 10: throw .unsupported("TIFF in CIE L*a*b*")
        case 32803, 34892: throw .unsupported("a camera raw image")
        case 32844, 32845: throw .unsupported("TIFF with LogLuv pixels")
        case let other:
            throw .tiff(.invalidValue(other, of: "PhotometricInterpretation"))
        }
        guard samples >= color.sampleCount else {
            throw .tiff(
                .invalidValue(
                    samples, of: "SamplesPerPixel", context: "photometric interpretation \(photometric ?? usual)"))
        }
        if color == .cmyk, let inks = try input.integer(TIFFTag.inkSet, in: directory, stop), inks != 1 {
            throw .unsupported("TIFF with other inks than CMYK")
        }
        let extra = try input.integers(TIFFTag.extraSamples, in: directory, limit: 1, stop)
        if samples > color.sampleCount {
            switch extra.first {
            case 1: alpha = .associated
            case 2: alpha = .unassociated
            // Other samples without a meaning are often masks of an editor.
            default: alpha = color == .rgb && samples == 4 ? .assumed : .none
            }
        }
        guard color == .yCbCr else { return }
        guard bits == 8 else { throw .unsupported("TIFF with YCbCr of \(bits) bits") }
        let factors = try input.integers(TIFFTag.yCbCrSubsampling, in: directory, limit: 2, stop)
        subsampling =
            factors.count == 2 ? PixelSize(width: factors[0], height: factors[1]) : PixelSize(width: 2, height: 2)
        guard [1, 2, 4].contains(subsampling.width), [1, 2, 4].contains(subsampling.height) else {
            throw .tiff(.corrupt("invalid chroma subsampling \(subsampling)"))
        }
    }

    private mutating func readParts(
        _ directory: TIFFFileDirectory, in input: TIFFInput, _ stop: StopToken?
    ) throws(TexelError) {
        let tileWidth = try input.integer(TIFFTag.tileWidth, in: directory, stop)
        let tileLength = try input.integer(TIFFTag.tileLength, in: directory, stop)
        if let tileWidth, let tileLength {
            isTiled = true
            part = PixelSize(width: tileWidth, height: tileLength)
            guard part.isPositive, max(tileWidth, tileLength) <= Int(Int32.max) else {
                throw .tiff(.corrupt("invalid tile size \(part)"))
            }
        } else {
            let rows = try input.integer(TIFFTag.rowsPerStrip, in: directory, stop) ?? size.height
            guard rows > 0 else { throw .tiff(.invalidValue(rows, of: "RowsPerStrip")) }
            part.height = min(rows, size.height)
        }
    }

    /// Checks what fields have to do with each other, and that all sizes can be computed.
    private func check(_ limits: Limits) throws(TexelError) {
        if isSeparate, subsampling.width * subsampling.height > 1 {
            throw .unsupported("TIFF with subsampled chroma in planes of its own")
        }
        if hasGroups {
            guard samples == 3 else { throw .unsupported("TIFF with subsampled chroma and \(samples) samples") }
            guard predictor == 1 else { throw .unsupported("TIFF with subsampled chroma and a predictor") }
            let isAligned = part.height % subsampling.height == 0 || !isTiled && partsDown == 1
            guard isAligned, !isTiled || part.width % subsampling.width == 0 else {
                throw .tiff(.corrupt("strips or tiles of \(part) divide chroma samples"))
            }
        }
        switch predictor {
        case 1: break
        case 2 where bits == 8 || bits == 16: break
        case 2: throw .unsupported("TIFF with a predictor and \(bits) bits per sample")
        default: throw .tiff(.invalidValue(predictor, of: "Predictor"))
        }
        if compression.isFax, bits != 1 || samplesOfPlane != 1 {
            throw .tiff(.invalidValue(bits * samplesOfPlane, of: "bits per pixel", context: compression.name))
        }
        if compression == .jpeg || compression == .webP, bits != 8 {
            throw .unsupported("TIFF with \(compression.name) of \(bits) bits")
        }
        // libtiff's decoders of these have one number of bits.
        if compression == .thunderScan && bits != 4 || compression == .next && bits != 2 {
            throw .tiff(.invalidValue(bits, of: "BitsPerSample", context: compression.name))
        }
        if isTiled, part.width * samplesOfPlane * bits % 8 != 0 {
            throw .unsupported("TIFF with tiles whose rows end within a byte")
        }
        // All numbers have at most 31 bits, and samples and bits 16 and 5, so the size of a stored row does not
        // overflow.
        let (size, overflow) = bytesOfUnit.multipliedReportingOverflow(by: isTiled ? partsAcross * 2 : 2)
        let (bytes, isTooLarge) = size.multipliedReportingOverflow(by: isTiled ? unitsOfPart : 1)
        let (all, isFarTooLarge) = bytes.multipliedReportingOverflow(by: planeCount)
        guard !overflow, !isTooLarge, !isFarTooLarge, all <= limits.codecBytes else {
            throw .limitExceeded(
                .codecBytes, value: overflow || isTooLarge || isFarTooLarge ? .max : all, allowed: limits.codecBytes)
        }
    }
}

// MARK: For reports

extension TIFFLayout {
    var colorModel: ImageInfo.ColorModel {
        let hasAlpha = alpha != .none
        return switch color {
        case .gray: hasAlpha ? .grayAlpha : .gray
        case .rgb: hasAlpha ? .rgba : .rgb
        case .palette: .palette
        case .cmyk: .cmyk
        case .yCbCr: .yCbCr
        }
    }

    /// The compression, and how the image is divided.
    var coding: String {
        compression.name + (predictor == 2 ? " with predictor" : "") + (isTiled ? ", tiles" : ", strips")
            + (isSeparate ? ", planes" : "")
    }

    /// The subsampling in J:a:b notation; `nil` without chroma.
    var chromaSubsampling: String? {
        guard color == .yCbCr else { return nil }
        let name = [
            [1, 1]: "4:4:4", [2, 1]: "4:2:2", [2, 2]: "4:2:0", [1, 2]: "4:4:0", [4, 1]: "4:1:1", [4, 2]: "4:1:0",
        ]
        return name[[subsampling.width, subsampling.height]]
    }
}
