/// Seeded value noise without sharp edges, generated row by row: random values on a lattice, interpolated smoothly.
struct ValueNoise {
    let seed: UInt64
    /// The distance between lattice points in pixels.
    let period: Int

    /// Adds `amplitude` × noise in −1…1 to every value of row `y`.
    func add(to row: inout [Float], y: Int, amplitude: Float) {
        let (above, down) = y.quotientAndRemainder(dividingBy: period)
        let weightBelow = Self.smooth(Float(down) / Float(period))
        var column = 0
        var left = lattice(0, above, weightBelow)
        var start = 0
        while start < row.count {
            let right = lattice(column + 1, above, weightBelow)
            for x in start..<min(start + period, row.count) {
                let across = Self.smooth(Float(x - start) / Float(period))
                row[x] += amplitude * (left + (right - left) * across)
            }
            (left, column, start) = (right, column + 1, start + period)
        }
    }

    private static func smooth(_ t: Float) -> Float { t * t * (3 - 2 * t) }

    private func lattice(_ x: Int, _ y: Int, _ weightBelow: Float) -> Float {
        let (above, below) = (value(x, y), value(x, y + 1))
        return above + (below - above) * weightBelow
    }

    /// The lattice value in −1…1, a hash of the coordinates: SplitMix64's finaliser.
    private func value(_ x: Int, _ y: Int) -> Float {
        var z = seed &+ UInt64(x) &* 0x9E37_79B9_7F4A_7C15
        z ^= UInt64(y) &* 0xC2B2_AE3D_27D4_EB4F
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return Float((z ^ (z >> 31)) >> 40) / Float(1 << 23) - 1
    }
}
