import Foundation

/// The published formulas from R'G'B' of high dynamic range and of wide gamuts to sRGB, in double precision, written
/// down independently of the code under test.
struct LightFormulas {
    /// H.273's number of the transfer: 16 is PQ, 18 is HLG; all others are of standard dynamic range.
    let transfer: Int
    /// CIE x and y of red, green and blue. White is D65.
    let primaries: [(x: Double, y: Double)]

    static let bt2020 = [(0.708, 0.292), (0.17, 0.797), (0.131, 0.046)]
    static let p3 = [(0.68, 0.32), (0.265, 0.69), (0.15, 0.06)]
    private static let sRGB = [(0.64, 0.33), (0.3, 0.6), (0.15, 0.06)]

    /// Returns bytes of sRGB, before they are rounded.
    func bytes(red: Double, green: Double, blue: Double) -> [Double] {
        let values = [red, green, blue].map { min(max($0, 0), 1) }
        var light = values.map(light)
        if transfer == 16 || transfer == 18 {
            let largest = light.max() ?? 0
            let factor = largest > 0 ? compressed(largest) / largest : 1
            light = light.map { $0 * factor / 203 }
        }
        return changed(light).map { light in
            let light = min(max(light, 0), 1)
            return 255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055)
        }
    }

    /// The light of a value: in cd/m² if the range is high, else 0…1.
    private func light(_ value: Double) -> Double {
        switch transfer {
        case 16: Self.fromPQ(value)
        case 18: 1000 * pow(Self.fromHLG(value), 1.2)
        default: value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
    }

    /// SMPTE ST 2084, equation 4.1.
    private static func fromPQ(_ value: Double) -> Double {
        let root = pow(value, 32 / 2523.0)
        let (upper, lower) = (max(root - 0.8359375, 0), 18.8515625 - 18.6875 * root)
        return 10_000 * pow(upper / lower, 16384 / 2610.0)
    }

    private static func toPQ(_ light: Double) -> Double {
        let root = pow(light / 10_000, 2610 / 16384.0)
        return pow((0.8359375 + 18.8515625 * root) / (1 + 18.6875 * root), 2523 / 32.0)
    }

    /// ITU-R BT.2100-2, table 5: scene light.
    private static func fromHLG(_ value: Double) -> Double {
        value <= 0.5 ? value * value / 3 : (exp((value - 0.55991073) / 0.17883277) + 0.28466892) / 12
    }

    /// ITU-R BT.2390-8, 5.4.1: from 1,000 to 203 cd/m².
    private func compressed(_ light: Double) -> Double {
        let (white, most) = (Self.toPQ(1000), Self.toPQ(203) / Self.toPQ(1000))
        let (value, knee) = (min(Self.toPQ(light) / white, 1), 1.5 * most - 0.5)
        if value < knee { return light }
        let t = (value - knee) / (1 - knee)
        let bent =
            (2 * t * t * t - 3 * t * t + 1) * knee + (t * t * t - 2 * t * t + t) * (1 - knee)
            + (3 * t * t - 2 * t * t * t) * most
        return Self.fromPQ(bent * white)
    }

    /// Light of the primaries as light of sRGB's: the weights of sRGB's primaries that give the same X, Y and Z.
    private func changed(_ light: [Double]) -> [Double] {
        let (own, other) = (Self.columns(primaries), Self.columns(Self.sRGB))
        let xyz = (0..<3).map { row in (0..<3).reduce(0.0) { $0 + own[$1][row] * light[$1] } }
        return Self.solve(other, xyz)
    }

    /// X, Y and Z of each primary (SMPTE RP 177).
    private static func columns(_ primaries: [(x: Double, y: Double)]) -> [[Double]] {
        func xyz(_ x: Double, _ y: Double) -> [Double] { [x / y, 1, (1 - x - y) / y] }
        let columns = primaries.map { xyz($0.x, $0.y) }
        return zip(columns, solve(columns, xyz(0.3127, 0.329))).map { column, weight in column.map { $0 * weight } }
    }

    /// Solves three linear equations by Cramer's rule.
    private static func solve(_ columns: [[Double]], _ sums: [Double]) -> [Double] {
        func determinant(_ c: [[Double]]) -> Double {
            c[0][0] * (c[1][1] * c[2][2] - c[1][2] * c[2][1]) - c[0][1] * (c[1][0] * c[2][2] - c[1][2] * c[2][0])
                + c[0][2] * (c[1][0] * c[2][1] - c[1][1] * c[2][0])
        }
        return (0..<3).map { index in
            var replaced = columns
            replaced[index] = sums
            return determinant(replaced) / determinant(columns)
        }
    }
}
