import TexelPixels

/// Compares the patterns of two small images, one of which may be a slight crop of the other.
///
/// The second image is moved, scaled along both axes, brightened and given contrast so that it fits the first, by least
/// squares (B. D. Lucas and T. Kanade, "An Iterative Image Registration Technique with an Application to Stereo
/// Vision", IJCAI 1981). The result is the correlation of what then covers each other. Single-precision arithmetic in a
/// fixed order gives the same result on every processor.
enum ImageAlignment {
    private static let side = ImageFingerprint.side
    /// How far a corner may move, in pixels of the small images: a crop of 5 % moves it by 1.6.
    private static let reach: Float = 2.2
    private static let iterations = 8

    /// Returns the correlation of two images of 32×32 samples after their alignment, -1…1.
    ///
    /// - Parameter enough: a correlation at which the search for a better alignment ends.
    static func correlation(_ first: [UInt8], _ second: [UInt8], atLeast enough: Float) -> Float {
        let (first, second) = (blurred(first), blurred(second))
        var map = AxisMap()
        var best: Float = -1
        for _ in 0..<iterations {
            let equations = Equations(first, second, map)
            best = max(best, equations.correlation)
            // A little more than enough, so that rounding cannot matter.
            if best >= enough { break }
            guard let step = equations.solution else { break }
            map.add(step)
            guard map.isWithin(reach) else { break }
        }
        return best
    }

    /// The mapping of the first image's coordinates, relative to its centre, to the second's: a scale and an offset for
    /// each axis.
    private struct AxisMap {
        var scaleX: Float = 1
        var scaleY: Float = 1
        var offsetX: Float = 0
        var offsetY: Float = 0

        mutating func add(_ step: [Float]) {
            scaleX += step[0]
            offsetX += step[1]
            scaleY += step[2]
            offsetY += step[3]
        }

        /// Whether no edge moves farther than `reach`.
        func isWithin(_ reach: Float) -> Bool {
            let half = Float(side) / 2
            return abs(scaleX - 1) * half + abs(offsetX) <= reach && abs(scaleY - 1) * half + abs(offsetY) <= reach
        }
    }

    /// The normal equations of one iteration, for the scales, the offsets, the contrast and the brightness.
    private struct Equations {
        private static let count = 6
        /// The matrix, with the right-hand side as its last column.
        private var rows = [Float](repeating: 0, count: count * (count + 1))
        /// The correlation of the samples that cover each other.
        private(set) var correlation: Float = 0

        init(_ first: [Float], _ second: [Float], _ map: AxisMap) {
            let center = Float(side - 1) / 2
            var unknowns = [Float](repeating: 0, count: Self.count + 1)
            var (sum, firstSum, secondSum): (Float, Float, Float) = (0, 0, 0)
            var (firstSquares, secondSquares, products): (Float, Float, Float) = (0, 0, 0)
            for y in 0..<side {
                let v = Float(y) - center
                let sourceY = map.scaleY * v + map.offsetY + center
                guard sourceY >= 1, sourceY < Float(side - 2) else { continue }
                for x in 0..<side {
                    let u = Float(x) - center
                    let sourceX = map.scaleX * u + map.offsetX + center
                    guard sourceX >= 1, sourceX < Float(side - 2) else { continue }
                    let (value, slopeX, slopeY) = Self.sample(second, sourceX, sourceY)
                    let wanted = first[side * y + x]
                    sum += 1
                    firstSum += wanted
                    secondSum += value
                    firstSquares += wanted * wanted
                    secondSquares += value * value
                    products += wanted * value
                    // The value of the moved second image with a contrast and a brightness.
                    (unknowns[0], unknowns[1], unknowns[2], unknowns[3]) = (slopeX * u, slopeX, slopeY * v, slopeY)
                    (unknowns[4], unknowns[5], unknowns[6]) = (value, 1, wanted)
                    for row in 0..<Self.count {
                        for column in 0...Self.count {
                            rows[row * (Self.count + 1) + column] += unknowns[row] * unknowns[column]
                        }
                    }
                }
            }
            guard sum > 0 else { return }
            let variances =
                (firstSquares - firstSum * firstSum / sum) * (secondSquares - secondSum * secondSum / sum)
            if variances > 0 { correlation = (products - firstSum * secondSum / sum) / variances.squareRoot() }
        }

        /// The changes of the scales and offsets; `nil` if the equations do not determine them.
        var solution: [Float]? {
            let (count, width) = (Self.count, Self.count + 1)
            var matrix = rows
            for pivot in 0..<count {
                // A little regularisation, for images without a pattern along one axis.
                matrix[pivot * width + pivot] *= 1.000_1
                guard matrix[pivot * width + pivot] > 1e-6 else { return nil }
                for row in (pivot + 1)..<max(pivot + 1, count) {
                    let factor = matrix[row * width + pivot] / matrix[pivot * width + pivot]
                    for column in pivot...count {
                        matrix[row * width + column] -= factor * matrix[pivot * width + column]
                    }
                }
            }
            var values = [Float](repeating: 0, count: count)
            for row in (0..<count).reversed() {
                let known = ((row + 1)..<max(row + 1, count)).reduce(Float(0)) {
                    $0 + matrix[row * width + $1] * values[$1]
                }
                values[row] = (matrix[row * width + count] - known) / matrix[row * width + row]
            }
            // The slopes are those of the second image before its contrast changes.
            let contrast = abs(values[4]) > 0.1 ? values[4] : 1
            return values.prefix(4).map { $0 / contrast }
        }

        /// Returns the interpolated sample at a position and its slopes along both axes.
        private static func sample(_ image: [Float], _ x: Float, _ y: Float) -> (Float, Float, Float) {
            let (left, top) = (Int(x), Int(y))
            let (right, below) = (x - Float(left), y - Float(top))
            let index = side * top + left
            let (a, b, c, d) = (image[index], image[index + 1], image[index + side], image[index + side + 1])
            let (upper, lower) = (a + right * (b - a), c + right * (d - c))
            return (
                upper + below * (lower - upper), (b - a) + below * ((d - c) - (b - a)), lower - upper
            )
        }
    }

    /// Returns the samples, 0…1, smoothed by the binomial filter 1 4 6 4 1 along both axes, so that slopes are those of
    /// shapes instead of noise.
    private static func blurred(_ luma: [UInt8]) -> [Float] {
        let weights: [Float] = [1, 4, 6, 4, 1]
        func sum(_ image: [Float], _ index: (Int) -> Int) -> Float {
            (0..<5).reduce(0) { $0 + weights[$1] * image[index($1 - 2)] } / 16
        }
        func clamped(_ place: Int) -> Int { min(max(place, 0), side - 1) }
        let samples = luma.map { Float($0) / 255 }
        let rows = samples.indices.map { index in
            sum(samples) { index / side * side + clamped(index % side + $0) }
        }
        return rows.indices.map { index in sum(rows) { clamped(index / side + $0) * side + index % side } }
    }
}
