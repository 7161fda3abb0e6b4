import PlatformLibc

/// The light of samples of high dynamic range, and its compression to the range of sRGB. Light of 1 is diffuse white.
///
/// Samples become light by SMPTE ST 2084 (PQ) or ITU-R BT.2100 (HLG, on a display of 1,000 cd/m²). Light up to 1,000
/// cd/m² is compressed to the 203 cd/m² of diffuse white (ITU-R BT.2408) by the curve of ITU-R BT.2390 (5.4), applied
/// to the largest of the three channels, so that the ratios of the channels stay.
enum HighDynamicRange {
    case perceptualQuantizer, hybridLogGamma

    /// The range of code points; `nil` if it is not high.
    init?(_ points: CICP) {
        switch points.transfer {
        case 16: self = .perceptualQuantizer
        case 18: self = .hybridLogGamma
        default: return nil
        }
    }

    private static let peak = 1_000.0
    private static let white = 203.0

    /// Returns the light of a value, 0…1, before compression.
    func light(_ value: Double) -> Double { nits(value) / Self.white }

    /// Returns the factor of the light of a pixel whose largest channel has this value, 0…1.
    func compression(_ value: Double) -> Double {
        let nits = nits(value)
        return nits > 0 ? Self.compressed(nits) / nits : 1
    }

    /// Decodes a value to cd/m².
    private func nits(_ value: Double) -> Double {
        switch self {
        case .perceptualQuantizer: Self.perceptualLight(value)
        case .hybridLogGamma: Self.hybridLight(value)
        }
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
