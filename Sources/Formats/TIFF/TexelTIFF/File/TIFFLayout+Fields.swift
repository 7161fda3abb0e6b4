import TexelCodecs
import TexelPixels

extension TIFFLayout {
    /// Returns the fields that describe this layout, without the positions of the strips or tiles.
    ///
    /// They have the types and counts of TIFF 6.0, whatever those of the file were.
    func fields(_ order: ByteOrder) -> [TIFFValue] {
        func numbers(_ tag: UInt16, _ values: [Int]) -> TIFFValue {
            let type = values.allSatisfy { $0 <= UInt16.max } ? TIFFValue.short : TIFFValue.long
            return TIFFValue(tag, type, values, order)
        }
        var values = [
            numbers(TIFFTag.imageWidth, [size.width]), numbers(TIFFTag.imageLength, [size.height]),
            numbers(TIFFTag.bitsPerSample, [Int](repeating: bits, count: samples)),
            numbers(TIFFTag.compression, [compression.rawValue]), numbers(TIFFTag.photometric, [color.photometric]),
            numbers(TIFFTag.samplesPerPixel, [samples]), numbers(TIFFTag.planarConfiguration, [isSeparate ? 2 : 1]),
        ]
        if samples > color.sampleCount {
            let others = [Int](repeating: 0, count: samples - color.sampleCount - 1)
            values.append(numbers(TIFFTag.extraSamples, [alpha.extraSample] + others))
        }
        if isTiled {
            values += [numbers(TIFFTag.tileWidth, [part.width]), numbers(TIFFTag.tileLength, [part.height])]
        } else {
            values.append(numbers(TIFFTag.rowsPerStrip, [part.height]))
        }
        if hasReversedBits { values.append(numbers(TIFFTag.fillOrder, [2])) }
        if compression == .group3 {
            values.append(TIFFValue(TIFFTag.group3Options, TIFFValue.long, [faxOptions], order))
        }
        if predictor != 1 { values.append(numbers(TIFFTag.predictor, [predictor])) }
        if color == .yCbCr {
            values.append(numbers(TIFFTag.yCbCrSubsampling, [subsampling.width, subsampling.height]))
        }
        return values
    }

    /// The layout of one plane, as libtiff decompresses it. Data with groups of luma and chroma are described as rows
    /// of bytes, because the compressions do not distinguish them.
    var ofPlane: TIFFLayout {
        var plane = self
        plane.isSeparate = false
        plane.alpha = .none
        plane.samples = hasGroups ? 1 : samplesOfPlane
        if !convertsToRGB {
            plane.color = plane.samples >= 3 ? .rgb : .gray(whiteIsZero: false)
            plane.subsampling = PixelSize(width: 1, height: 1)
        }
        if hasGroups {
            plane.size.width = bytesOfUnit * (isTiled ? partsAcross : 1)
            plane.part.width = isTiled ? bytesOfUnit : plane.size.width
        }
        plane.size.height = unitsOfPlane
        plane.part.height = unitsOfPart
        return plane
    }
}

extension TIFFLayout.Color {
    /// The number of PhotometricInterpretation.
    fileprivate var photometric: Int {
        switch self {
        case .gray(let whiteIsZero): whiteIsZero ? 0 : 1
        case .rgb: 2
        case .palette: 3
        case .cmyk: 5
        case .yCbCr: 6
        }
    }
}

extension TIFFLayout.Alpha {
    /// The number of ExtraSamples. What is assumed stays unspecified.
    fileprivate var extraSample: Int {
        switch self {
        case .none, .assumed: 0
        case .associated: 1
        case .unassociated: 2
        }
    }
}
