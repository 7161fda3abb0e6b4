/// The meaning of YUV samples: matrix, range, and the colours of the RGB that they stand for.
public struct YUVColor: Sendable, Hashable {
    /// The conversion between YUV and RGB.
    public var matrix: YUVMatrix
    /// The values of black and white.
    public var range: YUVRange
    /// The primaries and the transfer function of samples that are converted to sRGB: those of high dynamic range and
    /// of wide gamuts. `nil` shows samples as they are. The range of the code points is ignored; ``range`` counts.
    public var codePoints: CICP?

    /// Creates a description of YUV samples.
    public init(_ matrix: YUVMatrix, _ range: YUVRange, codePoints: CICP? = nil) {
        self.matrix = matrix
        self.range = range
        self.codePoints = codePoints
    }
}

/// The conversion between YUV and RGB: the weights of red, green and blue in luma, and what the other two channels are.
public enum YUVMatrix: String, Sendable, Hashable, CaseIterable {
    /// ITU-R BT.601: standard definition, and JPEG.
    case bt601
    /// ITU-R BT.709: high definition.
    case bt709
    /// ITU-R BT.2020 with non-constant luminance: ultra high definition, and high dynamic range.
    case bt2020
    /// SMPTE ST 240: early high definition.
    case smpte240m
    /// Title 47 of the Code of Federal Regulations, 73.682: the analogue television of the FCC.
    case fcc
    /// Luma with differences of green and of orange. U holds Cg and V holds Co.
    case ycgco
}

/// The values of black and white.
public enum YUVRange: String, Sendable, Hashable, CaseIterable {
    /// Luma 16…235, chroma 16…240. With ``YUVMatrix/ycgco`` chroma is 18.5…237.5.
    case limited
    /// Luma and chroma 0…255.
    case full
}
