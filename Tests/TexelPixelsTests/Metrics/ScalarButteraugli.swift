import Foundation

@testable import TexelMetrics
@testable import TexelPixels

/// Butteraugli by its definition: whole planes in double precision, slow and clear.
struct ScalarButteraugli {
    struct Plane {
        let width: Int
        let height: Int
        var values: [Double]

        init(_ width: Int, _ height: Int, _ value: (Int, Int) -> Double) {
            (self.width, self.height) = (width, height)
            values = (0..<height).flatMap { y in (0..<width).map { x in value(x, y) } }
        }

        subscript(x: Int, y: Int) -> Double { values[y * width + x] }
        func contains(_ x: Int, _ y: Int) -> Bool { (0..<width).contains(x) && (0..<height).contains(y) }
        func orZero(_ x: Int, _ y: Int) -> Double { contains(x, y) ? self[x, y] : 0 }
        func map(_ body: (Double) -> Double) -> Plane { Plane(width, height) { body(self[$0, $1]) } }
        func with(_ other: Plane, _ body: (Double, Double) -> Double) -> Plane {
            Plane(width, height) { body(self[$0, $1], other[$0, $1]) }
        }

        /// A Gaussian blur, cut off at 2.25 standard deviations.
        func blurred(_ sigma: Double, mirrored: Bool = false) -> Plane {
            let radius = Int(2.25 * sigma)
            func mean(_ place: Int, _ count: Int, _ sample: (Int) -> Double) -> Double {
                var (sum, total) = (0.0, 0.0)
                for step in -radius...radius {
                    var index = place + step
                    if mirrored { index = index < 0 ? -index - 1 : index >= count ? 2 * count - 1 - index : index }
                    guard (0..<count).contains(index) else { continue }
                    let weight = exp(-Double(step * step) / (2 * sigma * sigma))
                    sum += weight * sample(index)
                    total += weight
                }
                return sum / total
            }
            let across = Plane(width, height) { x, y in mean(x, width) { self[$0, y] } }
            return Plane(width, height) { x, y in mean(y, height) { across[x, $0] } }
        }
    }

    private struct Frequencies {
        var low: [Plane]
        var medium: [Plane]
        var high: [Plane]
        var highest: [Plane]
    }

    /// The differences of all pixels, at both scales.
    static func differences(_ first: PixelBuffer, _ second: PixelBuffer) -> Plane {
        let light = [light(first), light(second)]
        var result = oneScale(light[0], light[1])
        let half = light.map { $0.map(halved) }
        if min(half[0][0].width, half[0][0].height) >= 8 {
            let coarse = oneScale(half[0], half[1])
            result = Plane(result.width, result.height) { 0.85 * result[$0, $1] + 0.5 * coarse[$0 / 2, $1 / 2] }
        }
        return result
    }

    static func distance(_ first: PixelBuffer, _ second: PixelBuffer) -> ButteraugliDistance {
        let values = differences(first, second).values
        func norm(_ power: Double) -> Double {
            pow(values.reduce(0) { $0 + pow($1, power) } / Double(values.count), 1 / power)
        }
        return ButteraugliDistance(maximum: values.max() ?? 0, norm3: (norm(3) + norm(6) + norm(12)) / 3)
    }

    private static func light(_ image: PixelBuffer) -> [Plane] {
        [16, 8, 0].map { shift in
            Plane(image.width, image.height) { x, y in
                let value = Double(image[x, y] >> UInt32(shift) & 255) / 255
                return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
            }
        }
    }

    private static func halved(_ plane: Plane) -> Plane {
        Plane((plane.width + 1) / 2, (plane.height + 1) / 2) { x, y in
            let (right, below) = (min(2 * x + 1, plane.width - 1), min(2 * y + 1, plane.height - 1))
            return (plane[2 * x, 2 * y] + plane[right, 2 * y] + plane[2 * x, below] + plane[right, below]) / 4
        }
    }

    // MARK: Colours and frequencies

    private static func absorbed(_ light: [Plane]) -> [Plane] {
        let rows = [
            [0.29956550340058319, 0.63373087833825936, 0.077705617820981968, 1.7557483643287353],
            [0.22158691104574774, 0.69391388044116142, 0.0987313588422, 1.7557483643287353],
            [0.02, 0.02, 0.20480129041026129, 12.226454707163354],
        ]
        return rows.map { row in
            Plane(light[0].width, light[0].height) { x, y in
                80 * (row[0] * light[0][x, y] + row[1] * light[1][x, y] + row[2] * light[2][x, y]) + row[3]
            }
        }
    }

    private static func frequencies(_ light: [Plane]) -> Frequencies {
        let around = absorbed(light.map { $0.blurred(1.2, mirrored: true) })
        let darkest = [1.7557483643287353, 1.7557483643287353, 12.226454707163354]
        let cones = zip(zip(absorbed(light), around), darkest).map { planes, darkest in
            planes.0.with(planes.1) { value, around in
                let level = max(around, darkest)
                let response = 19.245013259874995 * log(level + 9.9710635769299145) - 23.16046239805755
                return max(value * max(response / level, 1e-4), darkest)
            }
        }
        let colors = [cones[0].with(cones[1], -), cones[0].with(cones[1], +), cones[2]]
        let blurred = colors.map { $0.blurred(7.15593339443) }
        let low = [
            blurred[0].map { $0 * 32.2217497012 }, blurred[1].map { $0 * 13.7697791434 },
            blurred[2].with(blurred[1]) { ($0 - 0.362267051518 * $1) * 47.504615728 },
        ]
        let above = zip(colors, blurred).map { $0.with($1, -) }
        let medium = above.map { $0.blurred(3.22489901262) }
        let intensity = above[1].with(medium[1], -)
        let hue = above[0].with(medium[0], -).with(intensity) {
            $0 * (0.653020556257 + (1 - 0.653020556257) * 46 / ($1 * $1 + 46))
        }
        let lower = [
            hue.blurred(1.56416327805), intensity.blurred(1.56416327805).map { compressed($0, 28.4691806922) },
        ]
        return Frequencies(
            low: low,
            medium: [medium[0].map { towardsZero($0, 0.29) }, medium[1].map { fromZero($0, 0.1) }, medium[2]],
            high: [lower[0].map { towardsZero($0, 1.5) }, lower[1].map { fromZero($0 * 2.155, 0.132) }],
            highest: [
                hue.with(lower[0]) { towardsZero($0 - $1, 0.04) },
                intensity.with(lower[1]) { compressed($0 - $1, 5.19175294647) * 2.69313763794 },
            ])
    }

    private static func towardsZero(_ value: Double, _ width: Double) -> Double {
        value > width ? value - width : value < -width ? value + width : 0
    }

    private static func fromZero(_ value: Double, _ width: Double) -> Double {
        value > width ? value + width : value < -width ? value - width : 2 * value
    }

    private static func compressed(_ value: Double, _ limit: Double) -> Double {
        abs(value) <= limit ? value : (limit + (abs(value) - limit) * 0.724216145665) * (value < 0 ? -1 : 1)
    }

    // MARK: Differences

    /// By how much the second value is outside of `small`…`large` times the first one, in its direction.
    private static func deviation(_ first: Double, _ second: Double, _ small: Double, _ large: Double) -> Double {
        let (magnitude, sign) = (abs(first), first < 0 ? -1.0 : 1)
        let other = second * sign
        if other < small * magnitude { return sign * (small * magnitude - other) }
        return other > large * magnitude ? sign * (large * magnitude - other) : 0
    }

    /// Sixteen lines through the centre of nine rows and columns, drawn once with all samples and once with every
    /// other.
    private static let lines: [(dense: [(Int, Int)], sparse: [(Int, Int)])] = [
        ([(0, 1), (0, 2), (0, 3), (0, 4)], [(0, 2), (0, 4)]), ([(1, 0), (2, 0), (3, 0), (4, 0)], [(2, 0), (4, 0)]),
        ([(1, 1), (2, 2), (3, 3)], [(2, 2), (3, 3)]), ([(1, -1), (2, -2), (3, -3)], [(2, -2), (3, -3)]),
        ([(1, 0), (2, -1), (3, -1), (4, -1)], [(2, -1), (4, -1)]),
        ([(1, 0), (2, 1), (3, 1), (4, 1)], [(2, 1), (4, 1)]),
        ([(0, 1), (1, 2), (1, 3), (1, 4)], [(1, 2), (1, 4)]),
        ([(0, 1), (-1, 2), (-1, 3), (-1, 4)], [(-1, 2), (-1, 4)]),
        ([(1, 1), (2, 1), (3, 2)], [(2, 1), (3, 2)]), ([(1, -1), (2, -1), (3, -2)], [(2, -1), (3, -2)]),
        ([(1, 1), (1, 2), (2, 3)], [(1, 2), (2, 3)]), ([(1, -1), (1, -2), (2, -3)], [(1, -2), (2, -3)]),
        ([(0, 1), (-1, 2), (-1, 3), (-1, 4)], [(-1, 2), (-2, 4)]),
        ([(0, 1), (1, 2), (1, 3), (1, 4)], [(1, 2), (2, 4)]),
        ([(1, 0), (2, 1), (3, 1), (4, 1)], [(2, 1), (4, 2)]),
        ([(1, 0), (2, -1), (3, -1), (4, -1)], [(2, -1), (4, -2)]),
    ]

    private static func lineSums(
        _ first: Plane, _ second: Plane, _ weights: (Double, Double), norm: Double, isSparse: Bool
    ) -> Plane {
        let factor = (isSparse ? 0.611612573796 : 0.39905817637) * norm / 8.5
        let (difference, beyond) = (factor * (0.5 * weights.0).squareRoot(), factor * (0.33 * weights.1).squareRoot())
        let differences = first.with(second) { a, b in
            (difference * (a - b) + beyond * deviation(a, b, 0.55, 1.05)) / (norm + 0.5 * (abs(a) + abs(b)))
        }
        return Plane(first.width, first.height) { x, y in
            lines.reduce(0) { sum, line in
                let places = isSparse ? line.sparse : line.dense
                let total = places.reduce(differences[x, y]) { total, place in
                    total + differences.orZero(x + place.1, y + place.0)
                        + differences.orZero(x - place.1, y - place.0)
                }
                return sum + total * total
            }
        }
    }

    private static func oneScale(_ firstLight: [Plane], _ secondLight: [Plane]) -> Plane {
        let (a, b) = (frequencies(firstLight), frequencies(secondLight))
        let root = 0.8.squareRoot()
        func both(_ weight: Double, _ asymmetry: Double) -> (Double, Double) {
            (weight * asymmetry, weight / asymmetry)
        }
        var parts = [
            lineSums(a.highest[1], b.highest[1], both(1.10039032555, 0.8), norm: 71.7800275169, isSparse: false),
            lineSums(a.highest[0], b.highest[0], both(173.5, 0.8), norm: 5, isSparse: false),
            lineSums(a.high[1], b.high[1], both(18.7237414387, root), norm: 4498534.45232, isSparse: true),
            lineSums(a.high[0], b.high[0], both(6923.99476109, root), norm: 8051.15833247, isSparse: true),
            lineSums(a.medium[1], b.medium[1], both(37.0819870399, 1), norm: 130262059.556, isSparse: true),
            lineSums(a.medium[0], b.medium[0], both(8246.75321353, 1), norm: 1009002.70582, isSparse: true),
        ]
        for (channel, weight) in [400, 1.50815703118].enumerated() {
            parts.append(
                a.high[channel].with(b.high[channel]) { p, q in
                    let beyond = deviation(p, q, 0.4, 1)
                    return 0.8 * weight * (0.8 * (p - q) * (p - q) + beyond * beyond / 0.8)
                })
        }
        for (channel, weight) in [2150, 10.6195433239, 16.2176043152].enumerated() {
            parts.append(a.medium[channel].with(b.medium[channel]) { weight * ($0 - $1) * ($0 - $1) })
        }
        let activities = [a, b].map { image in
            Plane(firstLight[0].width, firstLight[0].height) { x, y in
                let hue = 2.5 * (image.highest[0][x, y] + image.high[0][x, y])
                let intensity = 0.4 * (image.highest[1][x, y] + image.high[1][x, y])
                let strength = (hue * hue + intensity * intensity).squareRoot()
                return (6.19424080439 * (strength + 12.61050594197)).squareRoot()
                    - (6.19424080439 * 12.61050594197).squareRoot()
            }.blurred(2.7)
        }
        parts.append(activities[0].with(activities[1]) { 10 * ($0 - $1) * ($0 - $1) })
        let scale = 1 / (17.8 * 0.79079917404)
        return Plane(firstLight[0].width, firstLight[0].height) { x, y in
            let center = activities[0][x, y]
            var near = [center, 2 * center, 2 * center]
            for dy in [-3, 0, 3] {
                for dx in [-3, 0, 3] where (dx, dy) != (0, 0) && activities[0].contains(x + dx, y + dy) {
                    near.append(activities[0][x + dx, y + dy])
                }
            }
            near.sort()
            let activity = 0.45 * near[0] + 0.3 * near[1] + 0.25 * near[2]
            func visibility(_ factor: Double, _ slope: Double, _ offset: Double) -> Double {
                pow(scale * (1 + factor / (slope * activity + offset)), 2)
            }
            let low = zip([29.2353797994, 0.844626970982, 0.703646627719], 0..<3).reduce(0) { sum, weight in
                let difference = a.low[weight.1][x, y] - b.low[weight.1][x, y]
                return sum + weight.0 * difference * difference
            }
            let high = parts.reduce(0) { $0 + $1[x, y] }
            return
                (low * visibility(0.505054525019, 3.87449418804, 0.20025578522)
                + high * visibility(2.5485944793, 0.451936922203, 0.829591754942)).squareRoot()
        }
    }
}
