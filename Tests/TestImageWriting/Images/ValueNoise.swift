/// Seeded noise without sharp edges: random values on a lattice, joined smoothly. Only +, −, × and ÷ are used, so
/// every machine draws the same.
struct ValueNoise {
    let seed: UInt64

    /// −1…1, with about one hill or valley in each square of `period` pixels.
    func value(_ x: Double, _ y: Double, period: Double) -> Double {
        let (column, row) = (x / period, y / period)
        let (left, top) = (column.rounded(.down), row.rounded(.down))
        let (across, down) = (Self.smooth(column - left), Self.smooth(row - top))
        let (i, j) = (Int(left), Int(top))
        let above = lattice(i, j) * (1 - across) + lattice(i + 1, j) * across
        let below = lattice(i, j + 1) * (1 - across) + lattice(i + 1, j + 1) * across
        return above * (1 - down) + below * down
    }

    private static func smooth(_ t: Double) -> Double { t * t * (3 - 2 * t) }

    /// A value that only depends on the place: SplitMix64's finaliser over both coordinates.
    private func lattice(_ x: Int, _ y: Int) -> Double {
        var z = seed &+ UInt64(bitPattern: Int64(x)) &* 0x9E37_79B9_7F4A_7C15
        z ^= UInt64(bitPattern: Int64(y)) &* 0xC2B2_AE3D_27D4_EB4F
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return Double((z ^ (z >> 31)) >> 40) / Double(1 << 23) - 1
    }
}
