import CPixelKernels
import TestSupport
import Testing
import TexelPixels

/// Every kernel at every level of this machine against its scalar reference, byte for byte.
@Suite struct KernelTests {
    static let widths = [1, 2, 3, 7, 9, 17, 25, 33, 41, 49, 57, 63, 64, 65, 257]

    struct Level: CustomTestStringConvertible, Sendable {
        let level: texel_cpu_level
        var testDescription: String { String(cString: texel_cpu_level_name(level)) }

        func kernels() throws -> texel_kernels { try #require(texel_kernels_at(level)).pointee }

        static var all: [Level] {
            [texel_cpu_baseline, texel_cpu_v2, texel_cpu_v3, texel_cpu_v4]
                .filter { texel_kernels_at($0) != nil }.map { Level(level: $0) }
        }
    }

    /// Rows of samples: random ones, and those that lead to extreme sums.
    private enum Content: CaseIterable {
        case random, zero, maximum, alternating

        func row<Sample: FixedWidthInteger>(
            _ count: Int, limit: Sample, using generator: inout SeededGenerator
        ) -> [Sample] {
            (0..<count).map { index in
                switch self {
                case .random: Sample.random(in: 0...limit, using: &generator)
                case .zero: 0
                case .maximum: limit
                case .alternating: index / 4 % 2 == 0 ? limit : 0
                }
            }
        }
    }

    /// Returns weights of both signs whose sums fit `Int32` for samples up to `limit`.
    private func weights(_ count: Int, taps: Int, limit: Int, using generator: inout SeededGenerator) -> [Int16] {
        let largest = min(32767, Int(Int32.max) / limit / (taps + 1))
        return (0..<count).map { _ in Int16.random(in: Int16(-largest)...Int16(largest), using: &generator) }
    }

    /// Runs `kernel` on a row that begins at an odd address (odd sample), and checks that it wrote nothing outside the
    /// row.
    private func output<Sample: FixedWidthInteger>(
        count: Int, _ comment: String, _ kernel: (UnsafeMutablePointer<Sample>) -> Void
    ) throws -> [Sample] {
        let sentinel = Sample(truncatingIfNeeded: 0x5AA5)
        var row = [Sample](repeating: sentinel, count: count + 8)
        try row.withUnsafeMutableBufferPointer { kernel(try #require($0.baseAddress) + 1) }
        #expect(row[0] == sentinel && row[(count + 1)...].allSatisfy { $0 == sentinel }, "\(comment): wrote outside")
        return Array(row[1...count])
    }

    /// Calls `body` with the samples at an odd address.
    private func unaligned<Sample>(_ row: [Sample], _ body: (UnsafePointer<Sample>) throws -> Void) throws {
        guard let first = row.first else { return }
        try ([first] + row).withUnsafeBufferPointer { try body(try #require($0.baseAddress) + 1) }
    }

    @Test(arguments: Level.all) func horizontalResamplingEqualsTheScalarForm(level: Level) throws {
        let kernels = try level.kernels()
        var generator = SeededGenerator(seed: 11)
        for width in Self.widths {
            for taps in [4, 8, 12, 20, 40] {
                for content in Content.allCases {
                    let comment = "horizontal \(content), \(level.testDescription), width \(width), taps \(taps)"
                    let sourceWidth = taps + width / 2
                    let starts = (0..<width).map { Int32(min($0, sourceWidth - taps)) }
                    let shift = Int.random(in: 1...20, using: &generator)

                    let light = content.row(sourceWidth * 4, limit: Int16.max, using: &generator)
                    let lightWeights = weights(width * taps, taps: taps, limit: 32767, using: &generator)
                    try unaligned(light) { source in
                        let result: [Int16] = try output(count: width * 4, comment) {
                            kernels.resample_horizontal_u16($0, source, width, starts, lightWeights, taps, Int32(shift))
                        }
                        let expected = ScalarKernels.resampleHorizontal(
                            light, starts: starts, weights: lightWeights, taps: taps, shift: shift, limit: 32767)
                        #expect(result == expected, "\(comment)")
                    }
                }
            }
        }
    }

    @Test(arguments: Level.all) func horizontalWordsEqualTheScalarForm(level: Level) throws {
        let kernels = try level.kernels()
        var generator = SeededGenerator(seed: 12)
        for width in Self.widths {
            for taps in [8, 16, 24, 40] {
                for content in Content.allCases {
                    let comment = "words \(content), \(level.testDescription), width \(width), taps \(taps)"
                    let sourceWidth = taps + width / 2
                    let starts = (0..<width).map { Int32(min($0, sourceWidth - taps)) }
                    let shift = Int.random(in: 1...20, using: &generator)
                    let words = content.row(sourceWidth, limit: Int16.max, using: &generator)
                    let weights = weights(width * taps, taps: taps, limit: 32767, using: &generator)
                    try unaligned(words) { source in
                        let result: [Int16] = try output(count: width, comment) {
                            kernels.resample_horizontal_words($0, source, width, starts, weights, taps, Int32(shift))
                        }
                        let expected = ScalarKernels.resampleHorizontal(
                            words, channels: 1, starts: starts, weights: weights, taps: taps, shift: shift,
                            limit: 32767)
                        #expect(result == expected, "\(comment)")
                    }
                }
            }
        }
    }

    @Test(arguments: Level.all) func wordsAboveTheLimitAreClamped(level: Level) throws {
        let kernels = try level.kernels()
        var generator = SeededGenerator(seed: 14)
        for width in Self.widths {
            for limit in [0, 1023, 32767] {
                let words = (0..<width).map { _ in UInt16.random(in: 0...(.max), using: &generator) }
                try unaligned(words) { source in
                    let result: [Int16] = try output(count: width, "limit \(limit)") { place in
                        source.withMemoryRebound(to: UInt8.self, capacity: 2 * width) {
                            kernels.limit_words_row(place, $0, width, Int32(limit))
                        }
                    }
                    #expect(result == words.map { Int16(min(Int($0), limit)) }, "\(level), \(width), \(limit)")
                }
            }
        }
    }

    @Test(arguments: Level.all) func horizontalPlaneBand(level: Level) throws {
        let kernels = try level.kernels()
        var generator = SeededGenerator(seed: 13)
        let bandRows = Int(texel_plane_band_rows)
        for width in Self.widths {
            for (taps, step) in [(2, 2), (4, 0), (6, 10), (20, 4), (36, 6), (150, 24)] {
                for content in Content.allCases {
                    // The last windows extend past the rows.
                    let sourceWidth = max(1, taps + (width - 1) * step - 7)
                    let comment =
                        "plane \(content), \(level.testDescription), width \(width) of \(sourceWidth), taps \(taps)"
                    let starts = (0..<width).map { Int32($0 * step) }
                    let shift = Int.random(in: 1...20, using: &generator)
                    let weights = weights(width * taps, taps: taps, limit: 255, using: &generator)
                    let filled = Int.random(in: 1...bandRows, using: &generator)
                    let rows = (0..<filled).map { _ in content.row(sourceWidth, limit: UInt8.max, using: &generator) }
                    var scratch = [Int16](repeating: 0x5AA5, count: texel_plane_band_scratch(taps))
                    try unaligned(rows.flatMap { $0 }) { base in
                        let sources = (0..<bandRows).map { base + min($0, filled - 1) * sourceWidth }
                        let result: [UInt8] = try output(count: filled * width, comment) { first in
                            let destinations = (0..<bandRows).map { first + min($0, filled - 1) * width }
                            kernels.resample_horizontal_plane_band(
                                destinations, sources, sourceWidth, width, starts, weights, taps, Int32(shift), &scratch
                            )
                        }
                        let padding = [UInt8](repeating: 0, count: 7)
                        let expected = rows.flatMap { row in
                            ScalarKernels.resampleHorizontal(
                                row + padding, channels: 1, starts: starts, weights: weights, taps: taps, shift: shift,
                                limit: 255)
                        }
                        #expect(result == expected, "\(comment)")
                    }
                }
            }
        }
    }

    @Test(arguments: Level.all) func horizontalBandEqualsTheScalarForm(level: Level) throws {
        let kernels = try level.kernels()
        var generator = SeededGenerator(seed: 15)
        let bandRows = Int(texel_band_rows)
        for width in Self.widths {
            for (taps, step) in [(2, 2), (4, 0), (6, 10), (20, 4), (36, 6), (150, 24)] {
                for (content, premultiplies) in zip(Content.allCases + Content.allCases, (0..<8).map { $0 < 4 }) {
                    // The last windows extend past the rows.
                    let sourceWidth = max(1, taps + (width - 1) * step - 7)
                    let comment =
                        "band \(content), \(level.testDescription), width \(width) of \(sourceWidth), taps \(taps)"
                    let starts = (0..<width).map { Int32($0 * step) }
                    let shift = Int.random(in: 1...20, using: &generator)
                    let weights = weights(width * taps, taps: taps, limit: 255, using: &generator)
                    let filled = Int.random(in: 1...bandRows, using: &generator)
                    let rows = (0..<filled).map { _ in
                        content.row(sourceWidth * 4, limit: UInt8.max, using: &generator)
                    }
                    var scratch = [Int16](repeating: 0x5AA5, count: texel_band_scratch(taps))
                    // The hint may be any distance, even to no memory at all.
                    let nextBand = [0, bandRows * sourceWidth * 4, -64, Int.max].randomElement(using: &generator) ?? 0
                    try unaligned(rows.flatMap { $0 }) { base in
                        let sources = (0..<bandRows).map { base + min($0, filled - 1) * sourceWidth * 4 }
                        let result: [UInt8] = try output(count: filled * width * 4, comment) { first in
                            let destinations = (0..<bandRows).map { first + min($0, filled - 1) * width * 4 }
                            kernels.resample_horizontal_band(
                                destinations, sources, nextBand, sourceWidth, width, starts, weights, taps,
                                Int32(shift), &scratch, premultiplies ? 1 : 0)
                        }
                        let padding = [UInt8](repeating: 0, count: 7 * 4)
                        let expected = rows.flatMap { row in
                            ScalarKernels.resampleHorizontal(
                                (premultiplies ? ScalarKernels.premultiply(row) : row) + padding, starts: starts,
                                weights: weights, taps: taps, shift: shift, limit: 255)
                        }
                        #expect(result == expected, "\(comment)")
                    }
                }
            }
        }
    }

    @Test(arguments: Level.all) func transposedPlaneEqualsTheScalarForm(level: Level) throws {
        let kernels = try level.kernels()
        var generator = SeededGenerator(seed: 14)
        for (width, height) in [(1, 1), (3, 40), (16, 16), (33, 15), (48, 31), (65, 64)] {
            let plane = (0..<(width * height)).map { _ in UInt8.random(in: 0...255, using: &generator) }
            try unaligned(plane) { source in
                let comment = "transpose \(level.testDescription), \(width)×\(height)"
                let columns = ScalarKernels.transpose(plane, width: width)
                let result: [UInt8] = try output(count: plane.count, comment) {
                    kernels.transpose_plane($0, height, source, width, height, width)
                }
                #expect(result == columns, "\(comment)")
                // Walking the source rows backwards mirrors the columns of the result.
                let mirrored: [UInt8] = try output(count: plane.count, comment) {
                    kernels.transpose_plane($0, height, source + (height - 1) * width, -width, height, width)
                }
                let rows = stride(from: 0, to: columns.count, by: height)
                #expect(mirrored == rows.flatMap { columns[$0..<($0 + height)].reversed() }, "\(comment)")
            }
        }
    }

    @Test(arguments: Level.all) func verticalResamplingEqualsTheScalarForm(level: Level) throws {
        let kernels = try level.kernels()
        var generator = SeededGenerator(seed: 12)
        for width in Self.widths {
            for taps in [1, 2, 3, 6, 7, 35] {
                for content in Content.allCases {
                    let comment = "vertical \(content), \(level.testDescription), width \(width), taps \(taps)"
                    let shift = Int.random(in: 1...20, using: &generator)
                    let count = width * 4

                    let bytes = (0..<taps).map { _ in content.row(count, limit: UInt8.max, using: &generator) }
                    let byteWeights = weights(taps, taps: taps, limit: 255, using: &generator)
                    try unaligned(bytes.flatMap { $0 }) { base in
                        let rows = (0..<taps).map { base + $0 * count }
                        let result: [UInt8] = try output(count: count, comment) {
                            kernels.resample_vertical_u8($0, rows, byteWeights, taps, count, Int32(shift))
                        }
                        let expected = ScalarKernels.resampleVertical(
                            bytes, weights: byteWeights, shift: shift, limit: 255)
                        #expect(result == expected, "\(comment), u8")
                    }

                    let light = (0..<taps).map { _ in content.row(count, limit: Int16.max, using: &generator) }
                    let lightWeights = weights(taps, taps: taps, limit: 32767, using: &generator)
                    try unaligned(light.flatMap { $0 }) { base in
                        let rows = (0..<taps).map { base + $0 * count }
                        let result: [Int16] = try output(count: count, comment) {
                            kernels.resample_vertical_u16($0, rows, lightWeights, taps, count, Int32(shift))
                        }
                        let expected = ScalarKernels.resampleVertical(
                            light, weights: lightWeights, shift: shift, limit: 32767)
                        #expect(result == expected, "\(comment), u16")
                    }
                }
            }
        }
    }

    @Test(arguments: Level.all) func alphaRowsEqualTheScalarForm(level: Level) throws {
        typealias Kernel = (UnsafeMutablePointer<UInt8>, UnsafePointer<UInt8>, Int) -> Void
        let kernels = try level.kernels()
        let cases: [(name: String, kernel: Kernel, twin: ([UInt8]) -> [UInt8])] = [
            ("premultiply", { kernels.premultiply_row($0, $1, $2) }, ScalarKernels.premultiply),
            ("unpremultiply", { kernels.unpremultiply_row($0, $1, $2) }, ScalarKernels.unpremultiply),
            (
                "flatten straight", { kernels.flatten_row($0, $1, $2, 0x00C8_64FF, false) },
                { ScalarKernels.flatten($0, background: 0x00C8_64FF, isPremultiplied: false) }
            ),
            (
                "flatten premultiplied", { kernels.flatten_row($0, $1, $2, 0x0303_80FE, true) },
                { ScalarKernels.flatten($0, background: 0x0303_80FE, isPremultiplied: true) }
            ),
            ("limit to alpha", { kernels.limit_to_alpha_row($0, $1, $2) }, ScalarKernels.limitToAlpha),
        ]
        var generator = SeededGenerator(seed: 13)
        // Every pair of colour and alpha once, then rows with awkward widths.
        var everyPair: [UInt8] = []
        for alpha in UInt8.min...UInt8.max {
            for color in UInt8.min...UInt8.max { everyPair += [color, 255 - color, color, alpha] }
        }
        let rows = [everyPair] + Self.widths.map { [UInt8].random(count: $0 * 4, using: &generator) }
        for (name, kernel, twin) in cases {
            for row in rows {
                let width = row.count / 4
                let comment = "\(name), \(level.testDescription), width \(width)"
                let expected = twin(row)
                try unaligned(row) { source in
                    let result: [UInt8] = try output(count: row.count, comment) { kernel($0, source, width) }
                    #expect(result == expected, "\(comment)")
                    let inPlace: [UInt8] = try output(count: row.count, comment) {
                        $0.update(from: source, count: row.count)
                        kernel($0, UnsafePointer($0), width)
                    }
                    #expect(inPlace == expected, "\(comment), in place")
                }
            }
        }
    }

    @Test(arguments: Level.all) func linearLightRows(level: Level) throws {
        let kernels = try level.kernels()
        var generator = SeededGenerator(seed: 14)
        for width in Self.widths {
            let comment = "linear light, \(level.testDescription), width \(width)"
            let row = [UInt8].random(count: width * 4, using: &generator)
            try unaligned(row) { source in
                let result: [Int16] = try output(count: row.count, comment) {
                    kernels.linearise_row($0, source, width, LinearLight.fromByte)
                }
                #expect(result == ScalarKernels.linearise(row, curve: LinearLight.fromByte), "\(comment), in")
            }
            // Random alphas, and fully opaque and fully transparent pixels.
            var light = Content.random.row(width * 4, limit: Int16.max, using: &generator)
            for x in 0..<width where x % 3 != 0 { light[x * 4 + 3] = x % 3 == 1 ? 32767 : 0 }
            try unaligned(light) { source in
                let result: [UInt8] = try output(count: light.count, comment) {
                    kernels.delinearise_row($0, source, width, LinearLight.toByte)
                }
                #expect(result == ScalarKernels.delinearise(light, curve: LinearLight.toByte), "\(comment), out")
            }
        }
    }

    @Test(arguments: Level.all) func everyOpaqueByteSurvivesLinearLight(level: Level) throws {
        let kernels = try level.kernels()
        let row = (UInt8.min...UInt8.max).flatMap { [$0, 255 - $0, $0, 255] as [UInt8] }
        let light: [Int16] = try output(count: row.count, "in") {
            kernels.linearise_row($0, row, 256, LinearLight.fromByte)
        }
        let back: [UInt8] = try output(count: row.count, "out") {
            kernels.delinearise_row($0, light, 256, LinearLight.toByte)
        }
        #expect(back == row)
    }

    @Test func levelsAreNamedAndOrdered() {
        let best = texel_best_cpu_level()
        #expect(texel_cpu_level_in_use().rawValue <= best.rawValue)
        #expect(texel_kernels_in_use().pointee.level == texel_cpu_level_in_use())
        for level in Level.all { #expect(level.level.rawValue <= best.rawValue) }
        #expect(Level.all.map(\.testDescription) == Array(["baseline", "v2", "v3", "v4"].prefix(Level.all.count)))
    }
}
