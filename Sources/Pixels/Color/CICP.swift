import CLittleCMS
import PlatformLibc
import TexelCore

/// The colours of RGB samples as numbers of ITU-T H.273, as PNG's cICP chunk gives them.
public struct CICP: Sendable, Hashable, Codable {
    /// H.273, table 2: 1 is BT.709, 9 BT.2020, 12 Display P3.
    public let primaries: Int
    /// H.273, table 3: 13 is sRGB, 16 PQ, 18 HLG.
    public let transfer: Int
    /// Whether black is the sample 0 and white 255. In the narrow range they are 16 and 235 (H.273, 8.3).
    public let isFullRange: Bool

    /// Returns `nil` for numbers that H.273 reserves or leaves unspecified.
    public init?(primaries: Int, transfer: Int, isFullRange: Bool = true) {
        guard Self.chromaticities[primaries] != nil, Transfer(transfer) != nil else { return nil }
        (self.primaries, self.transfer, self.isFullRange) = (primaries, transfer, isFullRange)
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let numbers = try container.decode([Int].self)
        guard numbers.count == 3,
            let points = CICP(primaries: numbers[0], transfer: numbers[1], isFullRange: numbers[2] != 0)
        else { throw DecodingError.dataCorruptedError(in: container, debugDescription: "invalid code points") }
        self = points
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode([primaries, transfer, isFullRange ? 1 : 0])
    }

    /// Whether the samples represent absolute luminance beyond a display's white: PQ or HLG.
    public var isHighDynamicRange: Bool { transfer == 16 || transfer == 18 }

    /// Whether an ICC profile can describe the colours: it has no high dynamic range and no narrow range.
    var hasProfile: Bool { isFullRange && !isHighDynamicRange }

    var isSRGB: Bool { primaries == 1 && transfer == 13 && isFullRange }

    /// The same colours of samples that use the full range.
    var inFullRange: CICP? { CICP(primaries: primaries, transfer: transfer) }

    /// Such as "Display P3", "BT.2020, PQ" or "BT.709, BT.709 transfer, narrow range".
    public var name: String {
        let colors =
            switch (primaries, transfer) {
            case (1, 13): "sRGB"
            case (12, 13): "Display P3"
            default: "\(Self.names[primaries] ?? "primaries \(primaries)"), \(Transfer(transfer)?.name ?? "")"
            }
        return isFullRange ? colors : colors + ", narrow range"
    }

    /// The name of primaries by their number; `nil` for others than those of ``init(primaries:transfer:isFullRange:)``.
    package static func primariesName(_ number: Int) -> String? { names[number] }

    /// The name of a transfer function by its number, as ``primariesName(_:)``.
    package static func transferName(_ number: Int) -> String? {
        if case .piecewise(_, _, _, _, let name) = Transfer(number) { return name }
        return Transfer(number)?.name
    }

    private static let names = [
        1: "BT.709", 4: "BT.470 M", 5: "BT.601 625", 6: "BT.601 525", 7: "BT.601 525", 9: "BT.2020", 11: "DCI-P3",
        12: "P3-D65", 22: "EBU 3213",
    ]

    /// White, red, green and blue as CIE x and y (H.273, table 2).
    static let chromaticities: [Int: [Double]] = {
        let d65 = [0.3127, 0.329]
        let ntsc = d65 + [0.63, 0.34, 0.31, 0.595, 0.155, 0.07]
        return [
            1: d65 + [0.64, 0.33, 0.3, 0.6, 0.15, 0.06], 4: [0.31, 0.316, 0.67, 0.33, 0.21, 0.71, 0.14, 0.08],
            5: d65 + [0.64, 0.33, 0.29, 0.6, 0.15, 0.06], 6: ntsc, 7: ntsc,
            9: d65 + [0.708, 0.292, 0.17, 0.797, 0.131, 0.046],
            11: [0.314, 0.351, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06],
            12: d65 + [0.68, 0.32, 0.265, 0.69, 0.15, 0.06], 22: d65 + [0.63, 0.34, 0.295, 0.605, 0.155, 0.077],
        ]
    }()

    /// A transfer characteristic: the function from samples to light (H.273, table 3).
    private enum Transfer {
        /// A power function with this exponent.
        case power(Double)
        /// ((v + a) / (1 + a)) ^ gamma above `end`, v / slope up to it.
        case piecewise(gamma: Double, a: Double, slope: Double, end: Double, name: String)
        case perceptualQuantizer, hybridLogGamma

        init?(_ number: Int) {
            switch number {
            case 1, 6, 14, 15: self = .piecewise(gamma: 1 / 0.45, a: 0.099, slope: 4.5, end: 0.081, name: "BT.709")
            case 4: self = .power(2.2)
            case 5: self = .power(2.8)
            case 8: self = .power(1)
            case 13:
                self = .piecewise(
                    gamma: TransferCurve.exponent, a: TransferCurve.offset, slope: TransferCurve.slope,
                    end: TransferCurve.end, name: "sRGB")
            case 16: self = .perceptualQuantizer
            case 18: self = .hybridLogGamma
            default: return nil
            }
        }

        var name: String {
            switch self {
            case .power(1): "linear"
            case .power(let exponent): "gamma \(exponent)"
            case .piecewise(_, _, _, _, let name): "\(name) transfer"
            case .perceptualQuantizer: "PQ"
            case .hybridLogGamma: "HLG"
            }
        }
    }

    // MARK: Profiles

    /// Makes the ICC profile of the same colours.
    ///
    /// - Throws: `unusableColorProfile` unless ``hasProfile``.
    func profile() throws(TexelError) -> ICCProfile {
        guard isFullRange else { throw .unusableColorProfile("Texel cannot make a profile for \(name)") }
        var curve: OpaquePointer?
        switch Transfer(transfer) {
        case .power(let exponent): curve = cmsBuildGamma(nil, exponent)
        case .piecewise(let gamma, let a, let slope, let end, _):
            // Type 4: (a x + b) ^ g from d on, c x below (ICC.1:2022, 10.18).
            let parameters = [gamma, 1 / (1 + a), a / (1 + a), 1 / slope, end]
            curve = cmsBuildParametricToneCurve(nil, 4, parameters)
        case .perceptualQuantizer, .hybridLogGamma, nil:
            throw .unusableColorProfile("Texel cannot make a profile for \(name)")
        }
        guard let curve, let points = Self.chromaticities[primaries] else { throw .outOfMemory(byteCount: 0) }
        defer { cmsFreeToneCurve(curve) }
        return try ICCProfile(
            white: (points[0], points[1]), red: (points[2], points[3]), green: (points[4], points[5]),
            blue: (points[6], points[7]), curve: curve, name: name)
    }
}
