import TexelCore

extension ColorMatrix {
    /// The change from linear light of the primaries of code points to that of sRGB's. Another white than D65 is
    /// adapted, so that greys stay grey.
    ///
    /// - Throws: `unusableColorProfile` if the primaries do not span a plane.
    static func toSRGB(from points: CICP) throws(TexelError) -> ColorMatrix {
        guard let own = CICP.chromaticities[points.primaries].flatMap(Primaries.init),
            let sRGB = CICP.chromaticities[1].flatMap(Primaries.init)
        else { throw .unusableColorProfile("Texel cannot map \(points.name) to sRGB") }
        let matrix = own.toXYZ.followed(by: sRGB.toXYZ.inverse)
        return own.white == sRGB.white ? matrix : matrix.followed(by: adapting(from: own.white, to: sRGB.white))
    }

    /// The nine factors, row by row.
    var factors: [Double] { (0..<9).map { self[$0 / 3, $0 % 3] } }
}

/// The light of red, green and blue, and their white.
private struct Primaries {
    let white: WhitePoint
    /// The change from RGB to XYZ (SMPTE RP 177): its columns are the primaries, scaled so that they add up to white.
    let toXYZ: ColorMatrix

    /// - Parameter coordinates: CIE x and y of white, red, green and blue.
    init?(_ coordinates: [Double]) {
        guard coordinates.count == 8 else { return nil }
        let points = (0..<4).map { WhitePoint(x: coordinates[2 * $0], y: coordinates[2 * $0 + 1]) }
        let columns = points[1...].map(\.tristimulus)
        func matrix(_ factors: [Double]) -> ColorMatrix {
            func row(_ index: Int) -> [Double] { (0..<3).map { columns[$0][index] * factors[$0] } + [0] }
            return ColorMatrix(rows: row(0), row(1), row(2))
        }
        white = points[0]
        toXYZ = matrix(matrix([1, 1, 1]).inverse.applied(to: points[0].tristimulus))
    }
}
