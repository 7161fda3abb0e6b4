/// An affine map of an image: the point (x, y) becomes (a x + b y + c, d x + e y + f), in pixels from the top left
/// corner, where the centre of the first pixel is at (0.5, 0.5).
public struct AffineMatrix: Sendable, Hashable {
    /// The six numbers a, b, c, d, e and f.
    public let numbers: [Double]

    /// The map that changes nothing.
    public static let identity = AffineMatrix(unchecked: [1, 0, 0, 0, 1, 0])

    /// The largest factor and offset, and the smallest determinant.
    package static let factorLimit = 1000.0, offsetLimit = 1e6, leastDeterminant = 1e-6

    /// Creates a map from six numbers: two rows of three.
    ///
    /// - Returns: `nil` if there are not six, or if one is not finite.
    public init?(_ numbers: [Double]) {
        guard numbers.count == 6, numbers.allSatisfy(\.isFinite) else { return nil }
        self.numbers = numbers
    }

    private init(unchecked numbers: [Double]) { self.numbers = numbers }

    /// a e − b d; negative if the image is mirrored.
    package var determinant: Double { numbers[0] * numbers[4] - numbers[1] * numbers[3] }

    /// The inverse map; the determinant must not be zero.
    var inverse: ProjectiveMap {
        let scale = 1 / determinant
        let (a, b, d, e) = (numbers[0] * scale, numbers[1] * scale, numbers[3] * scale, numbers[4] * scale)
        let (c, f) = (numbers[2], numbers[5])
        return ProjectiveMap(
            u: .init(x: e, y: -b, constant: b * f - e * c), v: .init(x: -d, y: a, constant: d * c - a * f),
            w: .init(x: 0, y: 0, constant: 1))
    }
}

extension AffineMatrix: Codable {
    /// Writes a list of six numbers.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(numbers)
    }

    /// Reads a list of six finite numbers.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let matrix = AffineMatrix(try container.decode([Double].self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not six numbers")
        }
        self = matrix
    }
}
