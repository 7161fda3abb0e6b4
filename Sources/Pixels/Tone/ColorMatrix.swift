/// A linear change of colours: each of red, green and blue becomes a weighted sum of all three, plus an offset.
///
/// Values are from 0 (black) to 1, as stored.
public struct ColorMatrix: Sendable, Hashable {
    /// Twelve numbers: for red, then green, then blue, the factors of red, green and blue, and the offset.
    public let numbers: [Double]

    /// The matrix that changes nothing.
    public static let identity = ColorMatrix(rows: [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0])

    /// Makes a matrix of twelve numbers, row by row.
    ///
    /// - Returns: `nil` if there are not twelve, or if one is not finite.
    public init?(_ numbers: [Double]) {
        guard numbers.count == 12, numbers.allSatisfy(\.isFinite) else { return nil }
        self.numbers = numbers
    }

    /// - Parameters:
    ///   - red: four finite numbers, as are `green` and `blue`.
    package init(rows red: [Double], _ green: [Double], _ blue: [Double]) { numbers = red + green + blue }

    /// The matrix that multiplies all values, then adds an offset.
    package static func scaling(by factor: Double, adding offset: Double) -> ColorMatrix {
        ColorMatrix(rows: [factor, 0, 0, offset], [0, factor, 0, offset], [0, 0, factor, offset])
    }

    /// A number of a row, 0 for red; column 3 has the offsets.
    subscript(row: Int, column: Int) -> Double { numbers[row * 4 + column] }

    /// Whether each channel depends on itself only.
    var isDiagonal: Bool { (0..<3).allSatisfy { row in (0..<3).allSatisfy { $0 == row || self[row, $0] == 0 } } }

    /// The largest absolute factor.
    var largestFactor: Double { (0..<12).filter { $0 % 4 < 3 }.map { abs(numbers[$0]) }.max() ?? 0 }

    /// The sum of the absolute factors of a row.
    func factorSum(_ row: Int) -> Double { (0..<3).reduce(0) { $0 + abs(self[row, $1]) } }

    /// The largest factor and offset of a matrix that mixes channels.
    package static let factorLimit = 7.99, offsetLimit = 4.0

    /// Whether all numbers are at most those.
    var isSmall: Bool {
        numbers.enumerated().allSatisfy { index, number in
            abs(number) <= (index % 4 == 3 ? Self.offsetLimit : Self.factorLimit)
        }
    }

    /// Returns the matrix that does the work of this one, then that of another one.
    func followed(by next: ColorMatrix) -> ColorMatrix {
        func row(_ row: Int) -> [Double] {
            (0..<4).map { column in
                (0..<3).reduce(column == 3 ? next[row, 3] : 0) { $0 + next[row, $1] * self[$1, column] }
            }
        }
        return ColorMatrix(rows: row(0), row(1), row(2))
    }
}

extension ColorMatrix: Codable {
    /// Writes a list of twelve numbers.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(numbers)
    }

    /// Reads a list of twelve finite numbers.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let matrix = ColorMatrix(try container.decode([Double].self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not twelve numbers")
        }
        self = matrix
    }
}
