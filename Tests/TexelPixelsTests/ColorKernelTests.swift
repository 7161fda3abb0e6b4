import CPixelKernels
import TestSupport
import Testing

@testable import TexelPixels

/// The kernels of colour changes at every level against their definitions, and the accuracy of the passes made of them.
@Suite struct ColorKernelTests {
    private func values(_ count: Int, _ generator: inout SeededGenerator) -> [Int16] {
        (0..<count).map { index in
            index % 7 == 0 ? [.min, .max, 0, 16_320][index / 7 % 4] : .random(in: .min ... .max, using: &generator)
        }
    }

    private func bytes(_ count: Int, _ generator: inout SeededGenerator) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    @Test(arguments: KernelTests.Level.all) func conversionsEqualTheScalarForm(level: KernelTests.Level) throws {
        let kernels = try level.kernels()
        var generator = SeededGenerator(seed: 3)
        for width in KernelTests.widths {
            // The row begins at an odd address.
            let row = bytes(width * 4 + 1, &generator)
            let (tables, curves) = (bytes(768, &generator), values(768, &generator))
            var mapped = [UInt8](repeating: 7, count: width * 4 + 1)
            var (b, g, r) = (
                [Int16](repeating: 0, count: width), [Int16](repeating: 0, count: width), values(width, &generator)
            )
            row.withUnsafeBufferPointer { row in
                guard let source = row.baseAddress.map({ $0 + 1 }) else { return }
                mapped.withUnsafeMutableBufferPointer { result in
                    guard let destination = result.baseAddress else { return }
                    kernels.map_color_row(destination, source, width, tables)
                }
                kernels.widen_color_row(&b, &g, &r, source, width)
            }
            #expect(mapped[width * 4] == 7)
            for x in 0..<width {
                let pixel = row[(x * 4 + 1)...].prefix(4).map(Int.init)
                #expect(
                    mapped[(x * 4)..<(x * 4 + 4)].map(Int.init)
                        == [Int(tables[pixel[0]]), Int(tables[256 + pixel[1]]), Int(tables[512 + pixel[2]]), pixel[3]])
                #expect([b[x], g[x], r[x]].map(Int.init) == pixel.prefix(3).map { $0 * 64 })
            }
            row.withUnsafeBufferPointer { row in
                guard let source = row.baseAddress.map({ $0 + 1 }) else { return }
                kernels.look_up_color_row(&b, &g, &r, source, width, curves)
            }
            for x in 0..<width {
                let pixel = row[(x * 4 + 1)...].prefix(4).map(Int.init)
                #expect([b[x], g[x], r[x]] == [curves[pixel[0]], curves[256 + pixel[1]], curves[512 + pixel[2]]])
            }
        }
    }

    @Test(arguments: KernelTests.Level.all) func sumsEqualTheScalarForm(level: KernelTests.Level) throws {
        let kernels = try level.kernels()
        var generator = SeededGenerator(seed: 4)
        for (index, width) in KernelTests.widths.enumerated() {
            var matrix = texel_color_matrix()
            // Three factors of 21,000 and the offset are the most that does not overflow.
            let factors = (0..<9).map { _ in
                index % 3 == 0
                    ? [Int16(-21_000), 21_000].randomElement(using: &generator) ?? 0
                    : Int16.random(in: -21_000...21_000, using: &generator)
            }
            let shift = Int32(index)
            withUnsafeMutableBytes(of: &matrix.factors) { $0.copyBytes(from: factors.withUnsafeBytes(Array.init)) }
            let offsets = (0..<3).map { _ in Int32.random(in: -80_000_000...80_000_000, using: &generator) }
            matrix.offsets = (offsets[0], offsets[1], offsets[2])
            matrix.shift = shift
            // Kernels read and write whole groups of values.
            let group = Int(texel_color_multiple)
            let rows = (0..<3).map { _ in values((width + group - 1) / group * group, &generator) }
            var (b, g, r) = (rows[0], rows[1], rows[2])
            kernels.mix_color_row(&b, &g, &r, width, &matrix)
            for x in 0..<width {
                for (row, result) in [b, g, r].enumerated() {
                    let sum = (0..<3).reduce(Int(offsets[row])) { $0 + Int(factors[row * 3 + $1]) * Int(rows[$1][x]) }
                    #expect(Int(result[x]) == min(max(sum >> Int(shift), -32_768), 32_767))
                }
            }
            let curve = values(Int(texel_color_white) + 1, &generator)
            var curved = rows[0]
            kernels.curve_color_row(&curved, width, curve)
            #expect(curved.prefix(width) == rows[0].prefix(width).map { curve[min(max(Int($0), 0), 16_320)] }[...])
            let source = bytes(width * 4, &generator)
            var narrow = source
            kernels.narrow_color_row(&narrow, source, rows[0], rows[1], rows[2], width)
            for x in 0..<width {
                for channel in 0..<3 {
                    #expect(Int(narrow[x * 4 + channel]) == min(max((Int(rows[channel][x]) + 32) >> 6, 0), 255))
                }
                #expect(narrow[x * 4 + 3] == source[x * 4 + 3])
            }
        }
    }

    @Test(arguments: KernelTests.Level.all) func parabolasEqualTheScalarForm(level: KernelTests.Level) throws {
        let kernels = try level.kernels()
        var generator = SeededGenerator(seed: 5)
        for width in KernelTests.widths {
            var parabolas = texel_color_parabolas()
            let breaks = (0..<16).map { (piece: Int) -> Int16 in
                let start = Int16(piece * 1024)
                return .random(in: start...(start + 1024), using: &generator)
            }
            withUnsafeMutableBytes(of: &parabolas.breaks) { $0.copyBytes(from: breaks.withUnsafeBytes(Array.init)) }
            // Sums of factors are at most 32,767; results stay within 16 bits.
            let numbers = (0..<96).map { index -> Int16 in
                let limit: Int16 = index / 16 % 3 == 0 ? 16_000 : 8_000
                let random = Int16.random(in: -limit...limit, using: &generator)
                switch index % 3 {
                case 0: return -limit
                case 1: return limit
                default: return random
                }
            }
            withUnsafeMutableBytes(of: &parabolas.coefficients) {
                $0.copyBytes(from: numbers.withUnsafeBytes(Array.init))
            }
            let group = Int(texel_color_multiple)
            let row = values((width + group - 1) / group * group, &generator)
            var result = row
            kernels.parabola_color_row(&result, width, &parabolas)
            for x in 0..<width {
                let value = min(max(Int(row[x]), 0), Int(texel_color_white))
                let (piece, place) = (value / 1024, value % 1024 * 32)
                let table = (value >= Int(breaks[piece]) ? 48 : 0) + piece
                func product(_ factor: Int) -> Int { (place * factor + 16_384) >> 15 }
                let factor = Int(numbers[table + 16]) + product(Int(numbers[table + 32]))
                #expect(Int(result[x]) == Int(numbers[table]) + product(factor), "\(width): \(row[x])")
            }
        }
    }

    // MARK: Functions as parabolas

    private static let white = Int(texel_color_white)

    private func approximation(of function: (Double) -> Double) -> texel_color_parabolas? {
        let white = Double(Self.white)
        return texel_color_parabolas(approximating: (0...Self.white).map { function(Double($0) / white) * white })
    }

    /// Lines, steps, bends and smooth curves are approximated within an eighth of an 8-bit step.
    @Test func curvesAreApproximatedWithinAnEighthStep() throws {
        let curve = MonotoneCurve([(0, 0), (0.2, 0.35), (0.5, 0.4), (0.83, 0.95), (1, 1)])
        let functions: [(String, (Double) -> Double)] = [
            ("identity", { $0 }), ("negative", { 1 - $0 }), ("constant", { _ in 0.3 }),
            ("levels", { min(max(($0 - 0.13) / 0.6, 0), 1) }), ("threshold", { $0 < 0.503 ? 0 : 1 }),
            ("square", { $0 * $0 }), ("steep", { min(max(20 * ($0 - 0.47), 0), 1) }),
            ("curve", { curve($0) }), ("wide", { 2 * $0 - 0.8 }),
            ("light", TransferCurve.light), ("bow", { 0.5 + 0.5 * ($0 - 0.5) / (0.5 + abs($0 - 0.5)) }),
        ]
        var values = (0...Self.white).map(Int16.init)
        while values.count % Int(texel_color_multiple) != 0 { values.append(0) }
        for (name, function) in functions {
            var parabolas = try #require(approximation(of: function), "\(name)")
            var results = values
            texel_kernels_in_use().pointee.parabola_color_row(&results, Self.white + 1, &parabolas)
            let largest = (0...Self.white).reduce(0.0) { largest, index in
                let expected = function(Double(index) / Double(Self.white)) * Double(Self.white)
                return max(largest, abs(Double(results[index]) - expected))
            }
            #expect(largest <= 8, "\(name): \(largest)")
        }
    }

    /// Functions that parabolas do not follow keep their tables: steep at black, or with many bends.
    @Test(arguments: [0, 1, 2]) func curvesThatParabolasMissKeepTheirTables(index: Int) {
        let functions: [(Double) -> Double] = [
            { $0.squareRoot() }, { ($0 * 100).truncatingRemainder(dividingBy: 1) }, { $0 < 0.5 ? -2.1 : 40 * $0 },
        ]
        #expect(approximation(of: functions[index]) == nil)
    }

    // MARK: Programs

    private static let sepia = ColorMatrix(
        rows: [0.393, 0.769, 0.189, 0], [0.349, 0.686, 0.168, 0], [0.272, 0.534, 0.131, 0])
    private static let mix = ColorMatrix(
        rows: [1.9, -0.7, -0.2, 0.03], [-0.3, 1.6, -0.3, -0.02], [0.1, -1.2, 2.1, 0])

    private static let programs: [[ColorChange]] = [
        [], [.matrix(.scaling(by: -1, adding: 1))], [.matrix(sepia)], [.matrix(mix)],
        [.curve { $0 * $0 }, .matrix(sepia)], [.matrix(mix), .curve { $0.squareRoot() }],
        [.matrix(.scaling(by: 1.5, adding: -0.2)), .matrix(mix), .matrix(.scaling(by: 0.5, adding: 0.1))],
        [.curves({ $0 }, { 1 - $0 }, { $0 * 0.5 }), .matrix(sepia), .curve { $0 * $0 }, .matrix(mix)],
        [.matrix(.scaling(by: 1000, adding: 0)), .matrix(sepia)],
        [.matrix(sepia), .matrix(.scaling(by: 40, adding: -20)), .curve { $0 }],
    ]

    /// The result is within 1 of one rounding at the end, over a grid of colours.
    @Test(arguments: programs.indices) func programsAreWithinOneStepOfTheExactResult(index: Int) {
        let changes = Self.programs[index]
        let program = ColorProgram(changes)
        let steps = Array(stride(from: 0, through: 255, by: 15)) + [1, 2, 254]
        var row: [UInt8] = []
        for b in steps { for g in steps { for r in steps { row += [UInt8(b), UInt8(g), UInt8(r), UInt8(g)] } } }
        let width = row.count / 4
        var result = row
        var scratch = [Int16](repeating: 0, count: ColorProgram.scratchCount)
        result.withUnsafeMutableBufferPointer { result in
            guard let base = result.baseAddress else { return }
            program.run(from: base, to: base, width: width, scratch: &scratch)
        }
        var largest = 0.0
        for x in 0..<width {
            var color = [2, 1, 0].map { Double(row[x * 4 + $0]) / 255 }
            for change in changes {
                switch change {
                case .matrix(let matrix):
                    color = (0..<3).map { row in
                        let sum = (0..<3).reduce(matrix[row, 3]) { $0 + matrix[row, $1] * color[$1] }
                        // Values are kept up to twice the range.
                        return min(max(sum, -2.0078), 2.0078)
                    }
                case .curve, .curves: color = (0..<3).map { change.value(color[$0], channel: $0) }
                }
            }
            for channel in 0..<3 {
                let expected = min(max(color[channel], 0), 1) * 255
                largest = max(largest, abs(Double(result[x * 4 + 2 - channel]) - expected))
            }
            #expect(result[x * 4 + 3] == row[x * 4 + 3])
        }
        // The square root is steepest at black, where a step of the values becomes more than one of the result.
        #expect(largest <= (index == 5 ? 2 : 1), "\(largest)")
    }
}
