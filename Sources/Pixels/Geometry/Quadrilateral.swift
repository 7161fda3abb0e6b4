/// Four corners in an image, such as those of a photographed page.
public struct Quadrilateral: Sendable, Hashable, Codable {
    /// The corner that becomes the top left one; the others follow clockwise.
    public var topLeft: PixelPoint
    /// The corner that becomes the top right one.
    public var topRight: PixelPoint
    /// The corner that becomes the bottom right one.
    public var bottomRight: PixelPoint
    /// The corner that becomes the bottom left one.
    public var bottomLeft: PixelPoint

    /// The largest distance of a corner from the top left corner of the image on an axis, in pixels.
    package static let largestCoordinate = 1e6

    /// Creates a quadrilateral.
    public init(topLeft: PixelPoint, topRight: PixelPoint, bottomRight: PixelPoint, bottomLeft: PixelPoint) {
        self.topLeft = topLeft
        self.topRight = topRight
        self.bottomRight = bottomRight
        self.bottomLeft = bottomLeft
    }

    /// The corners, clockwise from the top left one.
    package var corners: [PixelPoint] { [topLeft, topRight, bottomRight, bottomLeft] }

    /// Whether it is convex: all corners turn to the same side, clearly.
    package var isConvex: Bool {
        let corners = corners
        let turns = corners.indices.map { index in
            let (a, b, c) = (corners[index], corners[(index + 1) % 4], corners[(index + 2) % 4])
            return (b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x)
        }
        return turns.allSatisfy { $0 > 0.01 } || turns.allSatisfy { $0 < -0.01 }
    }

    /// The size of the rectangle whose sides are as long as the longer ones of the opposite sides, rounded.
    package var naturalSize: PixelSize {
        func length(_ a: PixelPoint, _ b: PixelPoint) -> Double {
            ((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y)).squareRoot()
        }
        func rounded(_ first: Double, _ second: Double) -> Int { max(1, Int(max(first, second).rounded())) }
        return PixelSize(
            width: rounded(length(topLeft, topRight), length(bottomLeft, bottomRight)),
            height: rounded(length(topLeft, bottomLeft), length(topRight, bottomRight)))
    }

    /// Returns the map from a rectangle of this size to the quadrilateral: the projective map of the unit square (P. S.
    /// Heckbert, "Fundamentals of texture mapping and image warping", University of California, 1989, section 2.2.3)
    /// after a scaling. `nil` if a corner is too close to the line that the map sends to infinity.
    func map(from size: PixelSize) -> ProjectiveMap? {
        let (a, b, c, d) = (topLeft, topRight, bottomRight, bottomLeft)
        let (sumX, sumY) = (a.x - b.x + c.x - d.x, a.y - b.y + c.y - d.y)
        let (right, down) = ((x: b.x - c.x, y: b.y - c.y), (x: d.x - c.x, y: d.y - c.y))
        let determinant = right.x * down.y - down.x * right.y
        let g = (sumX * down.y - down.x * sumY) / determinant
        let h = (right.x * sumY - sumX * right.y) / determinant
        // W is 1 at the top left corner, and linear.
        guard min(1 + g, 1 + h, 1 + g + h) > 1e-6, g.isFinite, h.isFinite else { return nil }
        let (width, height) = (Double(size.width), Double(size.height))
        func linear(_ across: Double, _ down: Double, _ constant: Double) -> ProjectiveMap.Linear {
            ProjectiveMap.Linear(x: across / width, y: down / height, constant: constant)
        }
        return ProjectiveMap(
            u: linear(b.x - a.x + g * b.x, d.x - a.x + h * d.x, a.x),
            v: linear(b.y - a.y + g * b.y, d.y - a.y + h * d.y, a.y), w: linear(g, h, 1))
    }
}
