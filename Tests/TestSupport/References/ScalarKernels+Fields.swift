/// The rows around a missing one, from which it is interpolated; see `texel_field_rows`.
package struct FieldRows {
    package var before: [[Int]]
    package var after: [[Int]]
    package var shown: [[Int]]
    package var earlier: [[Int]]
    package var later: [[Int]]

    package init(before: [[Int]], after: [[Int]], shown: [[Int]], earlier: [[Int]], later: [[Int]]) {
        (self.before, self.after, self.shown) = (before, after, shown)
        (self.earlier, self.later) = (earlier, later)
    }
}

extension ScalarKernels {
    /// Interpolates a missing row, by the formula of the kernel with its roundings.
    package static func missingFieldRow(_ rows: FieldRows, bits: Int) -> [Int] {
        rows.shown[0].indices.map { x in
            let unit = 1 << (13 - bits)
            func product(_ sum: Int, _ factor: Int) -> Int { (sum * unit * factor + 1 << 14) >> 15 }
            let field = Field(rows, x)
            let low = product(field.near, 17236) - product(field.far, 852)
            let spatial = product(field.near - field.far, 3072)
            let high =
                product(field.both, 5570) - product(field.upper + field.lower, 3801) + product(field.farthest, 1016)
            let sum = low + (field.hasEdge ? high : spatial)
            return field.limited((sum + unit / 2) >> (13 - bits), maximum: 1 << bits - 1)
        }
    }

    /// Interpolates a missing row by the published formula without intermediate roundings.
    package static func exactMissingFieldRow(_ rows: FieldRows, bits: Int) -> [Int] {
        rows.shown[0].indices.map { x in
            let field = Field(rows, x)
            let sum: Int
            if field.hasEdge {
                let high = 5570 * field.both - 3801 * (field.upper + field.lower) + 1016 * field.farthest
                sum = high + 4 * (4309 * field.near - 213 * field.far)
            } else {
                sum = 4 * (5077 * field.near - 981 * field.far)
            }
            return field.limited((sum + 1 << 14) >> 15, maximum: 1 << bits - 1)
        }
    }

    /// The sums of a column of samples, and the range that its result is limited to.
    private struct Field {
        var near, far, both, upper, lower, farthest: Int
        var hasEdge: Bool
        private var mean, range: Int

        init(_ rows: FieldRows, _ x: Int) {
            let (above, below) = (rows.shown[1][x], rows.shown[2][x])
            func pair(_ row: Int) -> Int { rows.before[row][x] + rows.after[row][x] }
            near = above + below
            far = rows.shown[0][x] + rows.shown[3][x]
            (both, upper, lower, farthest) = (pair(2), pair(1), pair(3), pair(0) + pair(4))
            mean = both / 2
            let change = abs(rows.before[2][x] - rows.after[2][x])
            hasEdge = abs(above - below) > change
            func frameChange(_ field: [[Int]]) -> Int { (abs(field[0][x] - above) + abs(field[1][x] - below)) / 2 }
            let motion = max(change / 2, frameChange(rows.earlier), frameChange(rows.later))
            let (beyondAbove, beyondBelow) = (upper / 2 - above, lower / 2 - below)
            let most = max(mean - above, mean - below, min(beyondAbove, beyondBelow))
            let least = min(mean - above, mean - below, max(beyondAbove, beyondBelow))
            range = motion == 0 ? 0 : max(motion, least, -most)
        }

        func limited(_ value: Int, maximum: Int) -> Int {
            min(max(min(max(value, mean - range), mean + range), 0), maximum)
        }
    }
}
