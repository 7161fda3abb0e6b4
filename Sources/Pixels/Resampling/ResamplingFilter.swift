import PlatformLibc

/// The filter kernel for resizing an image.
///
/// When reducing, every kernel except `nearest` is stretched by the scale, so that all source pixels contribute.
public enum ResamplingFilter: String, Sendable, Hashable, Codable, CaseIterable {
    /// The source pixel under the centre of the target pixel; creates no new colours.
    case nearest
    /// The mean of the source pixels under the target pixel.
    case box
    /// The triangle 1 − |x|.
    case bilinear
    /// The smooth step 2|x|³ − 3|x|² + 1: a cubic with B = 0, C = 0 and a support of one pixel.
    case hermite
    /// Keys' cubic with a = −½ (IEEE ASSP 29, 1981), that is B = 0, C = ½; most programs call it bicubic.
    case catmullRom = "catmull-rom"
    /// Mitchell and Netravali's cubic with B = C = ⅓ (SIGGRAPH 1988): slightly blurred, with hardly any ringing.
    case mitchell
    /// sinc(x) · sinc(x / 2) (Duchon, 1979).
    case lanczos2
    /// sinc(x) · sinc(x / 3): the sharpest filter here, with a little ringing.
    case lanczos3
}

extension ResamplingFilter {
    /// Half the width of the kernel, in pixels of the smaller of source and target.
    package var support: Double {
        switch self {
        case .nearest: 0
        case .box: 0.5
        case .bilinear, .hermite: 1
        case .catmullRom, .mitchell, .lanczos2: 2
        case .lanczos3: 3
        }
    }

    /// Returns the kernel's value `x` pixels from its centre, not normalised.
    package func weight(at x: Double) -> Double {
        switch self {
        // Half open, so that of two neighbours at the same distance exactly one counts.
        case .nearest, .box: x > -0.5 && x <= 0.5 ? 1 : 0
        case .bilinear: max(0, 1 - abs(x))
        case .hermite: abs(x) < 1 ? (2 * abs(x) - 3) * x * x + 1 : 0
        case .catmullRom: Self.cubic(abs(x), b: 0, c: 0.5)
        case .mitchell: Self.cubic(abs(x), b: 1 / 3, c: 1 / 3)
        case .lanczos2: x > -2 && x < 2 ? Self.sinc(x) * Self.sinc(x / 2) : 0
        case .lanczos3: x > -3 && x < 3 ? Self.windowedSinc3(x) : 0
        }
    }

    /// The two-parameter family of Mitchell and Netravali (1988), equation 8, for x ≥ 0.
    private static func cubic(_ x: Double, b: Double, c: Double) -> Double {
        if x < 1 { return ((12 - 9 * b - 6 * c) * x * x * x + (-18 + 12 * b + 6 * c) * x * x + (6 - 2 * b)) / 6 }
        if x < 2 {
            let cubicTerm = (-b - 6 * c) * x * x * x
            let squareTerm = (6 * b + 30 * c) * x * x
            return (cubicTerm + squareTerm + (-12 * b - 48 * c) * x + (8 * b + 24 * c)) / 6
        }
        return 0
    }

    private static func windowedSinc3(_ x: Double) -> Double {
        if x == 0 { return 1 }
        let angle = .pi * x / 3
        return windowedSinc3(angle: angle, sine: sin(angle))
    }

    /// Returns sinc(x) × sinc(x / 3) from a single sine, that of π x / 3 ≠ 0: sin 3a = 3 sin a − 4 sin³ a.
    static func windowedSinc3(angle: Double, sine: Double) -> Double {
        sine * sine * (3 - 4 * sine * sine) / (3 * angle * angle)
    }

    private static func sinc(_ x: Double) -> Double {
        x == 0 ? 1 : sin(.pi * x) / (.pi * x)
    }
}
