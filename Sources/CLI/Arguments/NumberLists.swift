import Texel

/// An affine map in the form A,B,C,D[,E,F]: the point (x, y) becomes (A x + B y + E, C x + D y + F).
struct AffineArgument: ArgumentValue {
    private let matrix: AffineMatrix
    /// Whether the offsets are given, so that the result has the size of the image.
    private let hasOffsets: Bool

    init?(argument: String) {
        guard let numbers = NumberList.numbers(argument), [4, 6].contains(numbers.count) else { return nil }
        hasOffsets = numbers.count == 6
        let (e, f) = hasOffsets ? (numbers[4], numbers[5]) : (0, 0)
        guard let matrix = AffineMatrix([numbers[0], numbers[1], e, numbers[2], numbers[3], f]),
            numbers.prefix(4).allSatisfy({ abs($0) <= AffineMatrix.factorLimit }),
            max(abs(e), abs(f)) <= AffineMatrix.offsetLimit,
            abs(matrix.determinant) >= AffineMatrix.leastDeterminant
        else { return nil }
        self.matrix = matrix
    }

    func operation(_ filter: ResamplingFilter) -> PixelOperation {
        hasOffsets ? .affineKeepingSize(matrix, filter: filter) : .affine(matrix, filter: filter)
    }
}

/// Four corners in the form `x,y x,y x,y x,y`, clockwise from the one that becomes the top left one.
extension Quadrilateral: ArgumentValue {
    init?(argument: String) {
        let points = argument.split(separator: " ").map { NumberList.numbers(String($0)) ?? [] }
        guard points.count == 4, points.allSatisfy({ $0.count == 2 }) else { return nil }
        guard points.joined().allSatisfy({ abs($0) <= Self.largestCoordinate }) else { return nil }
        let corners = points.map { PixelPoint(x: $0[0], y: $0[1]) }
        self.init(topLeft: corners[0], topRight: corners[1], bottomRight: corners[2], bottomLeft: corners[3])
        if !isConvex { return nil }
    }
}
