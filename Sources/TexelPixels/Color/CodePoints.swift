import CLittleCMS
import PlatformLibc

/// The colours of RGB samples as numbers of ITU-T H.273, as PNG's cICP chunk gives them.
public struct CodePoints: Sendable, Hashable, Codable {
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
            let points = CodePoints(primaries: numbers[0], transfer: numbers[1], isFullRange: numbers[2] != 0)
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
    var inFullRange: CodePoints? { CodePoints(primaries: primaries, transfer: transfer) }

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
    private static let chromaticities: [Int: [Double]] = {
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
            case 13: self = .piecewise(gamma: 2.4, a: 0.055, slope: 12.92, end: 0.04045, name: "sRGB")
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
    func profile() throws(PixelBufferError) -> ICCProfile {
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

// MARK: Tone mapping

/// The conversion of high dynamic range to sRGB.
///
/// Samples become light by SMPTE ST 2084 (PQ) or ITU-R BT.2100 (HLG, on a display of 1,000 cd/m²). Light up to 1,000
/// cd/m² is compressed to the 203 cd/m² of diffuse white (ITU-R BT.2408) by the curve of ITU-R BT.2390 (5.4), applied
/// to the largest of the three channels, so that the ratios of the channels stay. Colours outside sRGB are clipped.
struct ToneMapping {
    /// The light of each of the 256 samples, before compression; 1 is white.
    private let light: [Double]
    /// The compression factor of a pixel, indexed by its largest sample.
    private let scale: [Double]
    /// The matrix from linear light of the code points' primaries to that of sRGB's, row by row.
    private let matrix: [Double]

    private static let peak = 1_000.0
    private static let white = 203.0

    /// Prepares the tables.
    ///
    /// - Throws: `unusableColorProfile` unless the code points have a high dynamic range.
    init(_ points: CodePoints) throws(PixelBufferError) {
        guard points.isHighDynamicRange, let matrix = points.matrixToSRGB else {
            throw .unusableColorProfile("Texel cannot map \(points.name) to sRGB")
        }
        self.matrix = matrix
        let isPQ = points.transfer == 16
        let nits = (0..<256).map { sample -> Double in
            let value = Double(sample) / 255
            return isPQ ? Self.perceptualLight(value) : Self.hybridLight(value)
        }
        light = nits.map { $0 / Self.white }
        scale = nits.map { $0 > 0 ? Self.compressed($0) / $0 : 1 }
    }

    /// Converts `count` straight pixels 0xAARRGGBB. `source` and `destination` may be the same row.
    func convert(_ source: UnsafePointer<UInt32>, to destination: UnsafeMutablePointer<UInt32>, count: Int) {
        let m = matrix
        light.withUnsafeBufferPointer { light in
            scale.withUnsafeBufferPointer { scale in
                for x in 0..<count {
                    let pixel = source[x]
                    let (r, g, b) = (Int(pixel >> 16 & 255), Int(pixel >> 8 & 255), Int(pixel & 255))
                    let scale = scale[max(r, g, b)]
                    let (red, green, blue) = (light[r] * scale, light[g] * scale, light[b] * scale)
                    destination[x] =
                        pixel & 0xFF00_0000 | sample(m[0] * red + m[1] * green + m[2] * blue) << 16
                        | sample(m[3] * red + m[4] * green + m[5] * blue) << 8
                        | sample(m[6] * red + m[7] * green + m[8] * blue)
                }
            }
        }
    }

    /// Returns the sRGB sample of linear light, clipped.
    private func sample(_ light: Double) -> UInt32 {
        UInt32(Self.samples[Int(min(max(light, 0), 1) * Double(Self.samples.count - 1) + 0.5)])
    }

    /// The sRGB samples of 65,536 levels of light: enough to distinguish the darkest samples, which are 1/3295 apart.
    private static let samples: [UInt8] = (0..<65_536).map { UInt8((encoded(Double($0) / 65_535) * 255).rounded()) }

    /// Encodes linear light with the transfer function of sRGB (IEC 61966-2-1).
    private static func encoded(_ light: Double) -> Double {
        light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
    }

    // SMPTE ST 2084, 5.
    private static let (m1, m2) = (2610.0 / 16384, 2523.0 / 32)
    private static let (c1, c2, c3) = (3424.0 / 4096, 2413.0 / 128, 2392.0 / 128)

    /// Decodes a PQ value, 0…1, to cd/m².
    private static func perceptualLight(_ value: Double) -> Double {
        let power = pow(value, 1 / m2)
        return 10_000 * pow(max(power - c1, 0) / (c2 - c3 * power), 1 / m1)
    }

    private static func perceptualValue(_ nits: Double) -> Double {
        let power = pow(nits / 10_000, m1)
        return pow((c1 + c2 * power) / (1 + c3 * power), m2)
    }

    /// Decodes an HLG value, 0…1, to cd/m²: scene light to the power 1.2, which is exact for greys (BT.2100, table 5).
    private static func hybridLight(_ value: Double) -> Double {
        let (a, b, c) = (0.17883277, 0.28466892, 0.55991073)
        let scene = value <= 0.5 ? value * value / 3 : (exp((value - c) / a) + b) / 12
        return peak * pow(scene, 1.2)
    }

    /// Compresses light in cd/m² (BT.2390, 5.4.1, without lifting blacks).
    private static func compressed(_ nits: Double) -> Double {
        let top = perceptualValue(peak)
        let value = min(perceptualValue(nits) / top, 1)
        let limit = perceptualValue(white) / top
        let knee = 1.5 * limit - 0.5
        guard value > knee else { return nits }
        let t = (value - knee) / (1 - knee)
        let (t2, t3) = (t * t, t * t * t)
        let mapped = (2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) + (-2 * t3 + 3 * t2) * limit
        return perceptualLight(mapped * top)
    }
}

extension CodePoints {
    /// The matrix from linear light of these primaries to that of sRGB's, row by row. Valid only for the white point
    /// D65, which both then have.
    fileprivate var matrixToSRGB: [Double]? {
        guard let own = Self.toXYZ(primaries), let sRGB = Self.toXYZ(1), let back = Self.inverse(sRGB) else {
            return nil
        }
        return Self.product(back, own)
    }

    /// Returns the matrix from RGB to XYZ (SMPTE RP 177): its columns are the primaries, scaled so that they add up to
    /// white.
    private static func toXYZ(_ primaries: Int) -> [Double]? {
        guard let points = chromaticities[primaries] else { return nil }
        func xyz(_ index: Int) -> [Double] {
            let (x, y) = (points[2 * index], points[2 * index + 1])
            return [x / y, 1, (1 - x - y) / y]
        }
        let (red, green, blue) = (xyz(1), xyz(2), xyz(3))
        let columns = (0..<3).flatMap { [red[$0], green[$0], blue[$0]] }
        guard let back = inverse(columns) else { return nil }
        let white = xyz(0)
        let sums = (0..<3).map { row in (0..<3).reduce(0) { $0 + back[3 * row + $1] * white[$1] } }
        return (0..<9).map { columns[$0] * sums[$0 % 3] }
    }

    private static func product(_ a: [Double], _ b: [Double]) -> [Double] {
        (0..<9).map { index -> Double in
            let (row, column) = (index / 3, index % 3)
            return (0..<3).reduce(0.0) { sum, k in sum + a[3 * row + k] * b[3 * k + column] }
        }
    }

    private static func inverse(_ m: [Double]) -> [Double]? {
        /// Returns the signed minor without a row and a column. Cyclic indices give it its sign.
        func cofactor(_ row: Int, _ column: Int) -> Double {
            func at(_ down: Int, _ across: Int) -> Double { m[(row + down) % 3 * 3 + (column + across) % 3] }
            return at(1, 1) * at(2, 2) - at(1, 2) * at(2, 1)
        }
        let adjugate = (0..<9).map { cofactor($0 % 3, $0 / 3) }
        let determinant: Double = (0..<3).reduce(0) { $0 + m[$1] * cofactor(0, $1) }
        return determinant == 0 ? nil : adjugate.map { $0 / determinant }
    }
}
