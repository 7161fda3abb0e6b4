public import TexelPixels

/// How the samples of a video become colours, in numbers of Rec. ITU-T H.273; 2 means unspecified.
public struct VideoColors: Sendable, Hashable, Codable {
    /// The matrix from luma and chroma to red, green and blue (table 4).
    public var matrix: Int
    /// The transfer function (table 3).
    public var transfer: Int
    /// The primaries (table 2).
    public var primaries: Int
    /// Whether luma and chroma use all values; `nil` if unspecified.
    public var isFullRange: Bool?

    /// Creates a description; all is unspecified by default.
    public init(matrix: Int = 2, transfer: Int = 2, primaries: Int = 2, isFullRange: Bool? = nil) {
        (self.matrix, self.transfer, self.primaries) = (matrix, transfer, primaries)
        self.isFullRange = isFullRange
    }

    /// A part of the description that a stream does not specify, so that it is assumed.
    public enum Assumption: String, Sendable, Hashable, Codable, CaseIterable {
        /// By the size: BT.709 for high definition, else BT.601.
        case matrix
        /// The limited range, or the full one of formats that always have it.
        case range
    }

    /// The properties that the description does not specify.
    public var assumptions: Set<Assumption> {
        var assumptions: Set<Assumption> = []
        if matrix == 2 || matrix == 0 { assumptions.insert(.matrix) }
        if isFullRange == nil { assumptions.insert(.range) }
        return assumptions
    }

    /// The name of the matrix, such as "BT.709".
    public var matrixName: String { Self.matrixNames[matrix] ?? "matrix \(matrix)" }

    /// The name of the matrix that is applied to images of `size`: the assumed one if none is specified.
    public func appliedMatrixName(for size: PixelSize) -> String {
        guard assumptions.contains(.matrix) else { return matrixName }
        return yuvMatrix(for: size) == .bt709 ? "BT.709" : "BT.601"
    }

    /// The name of the primaries, such as "BT.2020".
    public var primariesName: String { CICP.primariesName(primaries) ?? Self.unnamed(primaries) }

    /// The name of the transfer function, such as "PQ".
    public var transferName: String { CICP.transferName(transfer) ?? Self.unnamed(transfer) }

    private static func unnamed(_ number: Int) -> String { number == 2 ? "unspecified" : "number \(number)" }

    /// The names of matrices (H.273, table 4).
    private static let matrixNames = [
        0: "RGB", 1: "BT.709", 2: "unspecified", 4: "FCC", 5: "BT.601", 6: "BT.601", 7: "SMPTE 240M", 8: "YCgCo",
        9: "BT.2020", 10: "BT.2020 with constant luminance", 11: "SMPTE 2085", 12: "derived from the primaries",
        13: "derived from the primaries with constant luminance", 14: "ICtCp", 15: "IPT-PQ-C2", 16: "YCgCo-Re",
        17: "YCgCo-Ro",
    ]

    /// The matrix that Texel applies to images of `size`; `nil` for one that is no linear function of the samples, or
    /// unknown.
    package func yuvMatrix(for size: PixelSize) -> YUVMatrix? {
        switch matrix {
        case 0, 2, 3: .untagged(size)
        case 1: .bt709
        case 4: .fcc
        case 5, 6: .bt601
        case 7: .smpte240m
        case 8: .ycgco
        case 9: .bt2020
        case 12:
            switch primaries {
            case 1: .bt709
            case 5, 6: .bt601
            case 7: .smpte240m
            case 9: .bt2020
            default: nil
            }
        default: nil
        }
    }

    /// The primaries and the transfer function, if colours are converted to sRGB: those of high dynamic range and of
    /// wide gamuts. Others are shown as they are, as players do.
    package var converted: CICP? {
        let isHDR = transfer == 16 || transfer == 18
        let isWide = primaries == 9 || primaries == 11 || primaries == 12
        guard isHDR || isWide else { return nil }
        // High dynamic range without primaries is that of BT.2100.
        return CICP(primaries: primaries == 2 ? 9 : primaries, transfer: transfer == 2 ? 1 : transfer)
    }
}
