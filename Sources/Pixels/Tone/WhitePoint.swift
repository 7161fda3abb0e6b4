/// The colour of a light, as CIE 1931 chromaticity coordinates.
package struct WhitePoint: Sendable, Hashable {
    package var x: Double
    package var y: Double

    /// The light of a black body (Planckian locus), by the cubic approximation of B. Kim et al., US patent 7,024,034,
    /// 2006.
    ///
    /// - Parameter kelvin: the temperature, 1667…25000.
    package init(kelvin: Double) {
        let k = 1000 / kelvin
        if kelvin < 4000 {
            x = ((-0.266_123_9 * k - 0.234_358_9) * k + 0.877_695_6) * k + 0.179_910
        } else {
            x = ((-3.025_846_9 * k + 2.107_037_9) * k + 0.222_634_7) * k + 0.240_390
        }
        if kelvin < 2222 {
            y = ((-1.106_381_4 * x - 1.348_110_20) * x + 2.185_558_32) * x - 0.202_196_83
        } else if kelvin < 4000 {
            y = ((-0.954_947_6 * x - 1.374_185_93) * x + 2.091_370_15) * x - 0.167_488_67
        } else {
            y = ((3.081_758_0 * x - 5.873_386_70) * x + 3.751_129_97) * x - 0.370_014_83
        }
    }

    /// The light with these coordinates.
    init(x: Double, y: Double) { (self.x, self.y) = (x, y) }

    /// X, Y and Z of the light with Y = 1.
    var tristimulus: [Double] { [x / y, 1, (1 - x - y) / y] }
}

extension ColorMatrix {
    /// The chromatic adaptation of linear sRGB from one white to another one.
    ///
    /// Cone responses, from XYZ with the Bradford matrix (K. M. Lam, "Metamerism and Colour Constancy", University of
    /// Bradford, 1985; as in ICC.1:2022, annex E), are multiplied by the ratios of those of the whites.
    package static func adapting(from white: WhitePoint, to other: WhitePoint) -> ColorMatrix {
        let ratios = zip(bradford.applied(to: other.tristimulus), bradford.applied(to: white.tristimulus)).map(/)
        let scaling = ColorMatrix(rows: [ratios[0], 0, 0, 0], [0, ratios[1], 0, 0], [0, 0, ratios[2], 0])
        return [bradford, scaling, bradford.inverse, sRGBToXYZ.inverse].reduce(sRGBToXYZ) { $0.followed(by: $1) }
    }

    private static let bradford = ColorMatrix(
        rows: [0.8951, 0.2664, -0.1614, 0], [-0.7502, 1.7135, 0.0367, 0], [0.0389, -0.0685, 1.0296, 0])
    /// The primaries of IEC 61966-2-1.
    private static let sRGBToXYZ = ColorMatrix(
        rows: [0.4124, 0.3576, 0.1805, 0], [0.2126, 0.7152, 0.0722, 0], [0.0193, 0.1192, 0.9505, 0])

    /// Returns the weighted sums of three values, without the offsets.
    func applied(to vector: [Double]) -> [Double] {
        (0..<3).map { row in (0..<3).reduce(0) { $0 + self[row, $1] * vector[$1] } }
    }

    /// The inverse of a matrix without offsets that has one: the adjugate divided by the determinant.
    var inverse: ColorMatrix {
        func minor(_ row: Int, _ column: Int) -> Double {
            let (r, s) = ((row + 1) % 3, (row + 2) % 3)
            let (c, d) = ((column + 1) % 3, (column + 2) % 3)
            return self[r, c] * self[s, d] - self[r, d] * self[s, c]
        }
        let determinant = (0..<3).reduce(0) { $0 + self[0, $1] * minor(0, $1) }
        func row(_ row: Int) -> [Double] { (0..<3).map { minor($0, row) / determinant } + [0] }
        return ColorMatrix(rows: row(0), row(1), row(2))
    }
}
