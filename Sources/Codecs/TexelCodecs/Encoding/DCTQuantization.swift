/// The quantisation of a file's DCT coefficients, and its chroma subsampling: what an encoder needs to encode other
/// pixels with the same loss.
package struct DCTQuantization: Sendable, Hashable, Codable {
    /// The quantisation tables of luma and, unless the image is greyscale, of both chroma components: 64 steps each,
    /// row by row.
    package var tables: [[UInt16]]
    /// The number of luma samples per chroma sample in a row.
    package var horizontalFactor: Int
    /// The number of luma samples per chroma sample in a column.
    package var verticalFactor: Int
    /// Whether the file is progressive.
    package var isProgressive: Bool

    package init(tables: [[UInt16]], horizontalFactor: Int, verticalFactor: Int, isProgressive: Bool) {
        self.tables = tables
        self.horizontalFactor = horizontalFactor
        self.verticalFactor = verticalFactor
        self.isProgressive = isProgressive
    }

    /// The quantisation for the transposed image.
    package var transposed: DCTQuantization {
        var result = self
        result.tables = tables.map { table in (0..<64).map { table[$0 % 8 * 8 + $0 / 8] } }
        (result.horizontalFactor, result.verticalFactor) = (verticalFactor, horizontalFactor)
        return result
    }

    /// Whether an encoder can use these values.
    package var isValid: Bool {
        (1...3).contains(tables.count) && tables.allSatisfy { $0.count == 64 && !$0.contains(0) }
            && Self.isWritable(across: horizontalFactor, down: verticalFactor)
    }

    /// Whether an encoder can write these factors: an MCU has at most ten blocks, two of which are chroma (ITU-T T.81,
    /// B.2.3).
    package static func isWritable(across: Int, down: Int) -> Bool {
        [1, 2, 4].contains(across) && [1, 2, 4].contains(down) && across * down <= 8
    }

    /// The quality, 1…100 on libjpeg's scale, whose luma table has the nearest sum.
    package var nearestQuality: Int {
        let sum = tables.first.map(Self.sum) ?? 0
        return Self.sums.enumerated().min { abs($0.element - sum) < abs($1.element - sum) }.map { $0.offset + 1 } ?? 100
    }

    /// The subsampling as an option; `nil` if no option has these factors.
    package var subsampling: ChromaSubsampling? {
        switch (horizontalFactor, verticalFactor) {
        case (1, 1): .yuv444
        case (2, 1): .yuv422
        case (2, 2): .yuv420
        default: nil
        }
    }

    private static func sum(_ table: [UInt16]) -> Int { table.reduce(0) { $0 + Int($1) } }

    /// The sum of libjpeg's luma table for each quality from 1: the table of ITU-T T.81, K.1, times 5000 / quality per
    /// cent below 50, else times 200 - 2 · quality per cent (jcparam.c).
    private static let sums: [Int] = (1...100).map { quality in
        let scale = quality < 50 ? 5000 / quality : 200 - 2 * quality
        return brightness.reduce(0) { $0 + min(max(($1 * scale + 50) / 100, 1), 255) }
    }

    private static let brightness = [
        16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29,
        51, 87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78, 87, 103, 121,
        120, 101, 72, 92, 95, 98, 112, 100, 103, 99,
    ]
}
