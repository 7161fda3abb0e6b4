/// References of the window filters.
extension ScalarKernels {
    private static func product(_ a: Int, _ weight: Int16) -> Int { (a * Int(weight) + 1 << 14) >> 15 }

    package static func windowRows(_ rows: [[UInt8]], weights: [Int16]) -> [Int16] {
        let radius = weights.count - 1
        return rows[radius].indices.map { x in
            let sum = (1...radius).reduce(product(Int(rows[radius][x]) * 64, weights[0])) { sum, k in
                sum + product((Int(rows[radius - k][x]) + Int(rows[radius + k][x])) * 64, weights[k])
            }
            return Int16(sum)
        }
    }

    /// `source` has `weights.count - 1` more pixels on each side.
    package static func windowRow(_ source: [Int16], weights: [Int16]) -> [UInt8] {
        let margin = 4 * (weights.count - 1)
        return (margin..<(source.count - margin)).map { x in
            let sum = weights.indices.dropFirst().reduce(product(Int(source[x]), weights[0])) { sum, k in
                sum + product(Int(source[x - 4 * k]) + Int(source[x + 4 * k]), weights[k])
            }
            return UInt8(min(255, max(0, (sum + 32) >> 6)))
        }
    }

    package static func shrinkRows(_ rows: [[UInt8]], weights: [Int16]) -> [Int16] {
        rows[0].indices.map { x in
            Int16((zip(rows, weights).reduce(0) { $0 + Int($1.0[x]) * Int($1.1) } + 128) >> 8)
        }
    }

    package static func enlargeRows(_ rows: [[Int16]], weights: [Int16]) -> [UInt8] {
        rows[0].indices.map { x in
            let sum = zip(rows, weights).reduce(64) { $0 + product(Int($1.0[x]), $1.1) }
            return UInt8(min(255, max(0, sum >> 7)))
        }
    }

    package static func sharpen(_ row: [UInt8], blurred: [UInt8], amount: Int, threshold: Int) -> [UInt8] {
        row.indices.map { x in
            let color = Int(row[x])
            let difference = (color * Int(blurred[x | 3]) + 127) / 255 - Int(blurred[x])
            guard x % 4 != 3, abs(difference) >= threshold else { return row[x] }
            return UInt8(min(255, max(0, color + (difference * 16 * amount + 1 << 14) >> 15)))
        }
    }

    /// `sums` has `radius` more pixels on each side.
    package static func boxRow(_ sums: [UInt32], radius: Int) -> [UInt8] {
        let area = (2 * radius + 1) * (2 * radius + 1)
        return ((4 * radius)..<(sums.count - 4 * radius)).map { x in
            let sum = (-radius...radius).reduce(0) { $0 + Int(sums[x + 4 * $1]) }
            return UInt8((sum + area / 2) / area)
        }
    }

    /// `rows` have half a window of pixels more on each side.
    package static func median(_ rows: [[UInt8]]) -> [UInt8] {
        let half = rows.count / 2
        return ((4 * half)..<(rows[0].count - 4 * half)).map { x in
            let window = rows.flatMap { row in (-half...half).map { row[x + 4 * $0] } }
            return window.sorted()[window.count / 2]
        }
    }
}
