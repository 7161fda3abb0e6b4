import CPixelKernels
import TestSupport
import Testing

@testable import TexelMetrics
@testable import TexelPixels

/// Every kernel of the metrics at every level of this machine against its scalar reference, bit for bit.
@Suite struct MetricKernelTests {
    typealias Level = KernelTests.Level
    static let widths = [1, 2, 3, 4, 5, 7, 8, 9, 11, 12, 15, 16, 17, 31, 33, 64, 95, 1030, 2049]

    @Test(arguments: Level.all) func bytesBecomeLightAndLuma(level: Level) throws {
        let kernels = try level.kernels()
        var generator = SeededGenerator(seed: 71)
        let curve = TransferCurve.floatLights
        for width in Self.widths {
            let bytes = [UInt8].random(count: width * 4 + 1, using: &generator)
            let colors = try (0..<3).map { _ in try MetricRow(marked: width) }
            defer { withExtendedLifetime(colors) {} }
            let luma = try MetricRow(marked: width)
            bytes.withUnsafeBufferPointer { bytes in
                guard let base = bytes.baseAddress else { return }
                kernels.metric_light_row(
                    colors[0].pointer, colors[1].pointer, colors[2].pointer, base + 1, width, curve)
                kernels.metric_luma_row(luma.pointer, base + 1, width)
            }
            let pixels = Array(bytes.dropFirst())
            for (channel, color) in colors.enumerated() {
                let expected = (0..<width).map { curve[Int(pixels[4 * $0 + 2 - channel])] }
                #expect(color.values == expected && color.isIntact, "width \(width), channel \(channel)")
            }
            #expect(luma.values.bits == ScalarKernels.luma(pixels).bits && luma.isIntact, "width \(width)")
        }
    }

    @Test(arguments: Level.all) func rowsAreHalved(level: Level) throws {
        let kernels = try level.kernels()
        var generator = SeededGenerator(seed: 72)
        for width in Self.widths {
            let rows = (0..<2).map { _ in [Float].random(width, in: 0...1, using: &generator) }
            let sources = try rows.map { try MetricRow($0) }
            defer { withExtendedLifetime(sources) {} }
            let result = try MetricRow(marked: (width + 1) / 2)
            kernels.metric_halve_rows(result.pointer, sources[0].source, sources[1].source, width)
            #expect(result.values.bits == ScalarKernels.halve(rows[0], rows[1]).bits, "width \(width)")
            #expect(result.isIntact, "width \(width)")
        }
    }

    @Test(arguments: Level.all) func lightBecomesXYB(level: Level) throws {
        let kernels = try level.kernels()
        var generator = SeededGenerator(seed: 73)
        for width in Self.widths {
            var colors = (0..<3).map { _ in [Float].random(width, in: 0...1, using: &generator) }
            // Black, white, red, green and blue.
            for (x, corner) in [0, 7, 1, 2, 4].enumerated() where x < width {
                for channel in 0..<3 { colors[channel][x] = corner >> channel & 1 == 1 ? 1 : 0 }
            }
            let sources = try colors.map { try MetricRow($0) }
            defer { withExtendedLifetime(sources) {} }
            let results = try (0..<3).map { _ in try MetricRow(marked: width) }
            defer { withExtendedLifetime(results) {} }
            kernels.metric_xyb_row(
                results[0].pointer, results[1].pointer, results[2].pointer, sources[0].source, sources[1].source,
                sources[2].source, width)
            let expected = (0..<width).map {
                ScalarKernels.xyb(red: colors[0][$0], green: colors[1][$0], blue: colors[2][$0])
            }
            #expect(results[0].values.bits == expected.map(\.x).bits, "width \(width), X")
            #expect(results[1].values.bits == expected.map(\.y).bits, "width \(width), Y")
            #expect(results[2].values.bits == expected.map(\.b).bits, "width \(width), B")
            for result in results {
                #expect(result.values.allSatisfy { (0...1).contains($0) })
                #expect(result.isIntact && result.rest.allSatisfy { $0 == 0 }, "width \(width)")
            }
        }
    }

    @Test(arguments: Level.all) func rowsAreMultiplied(level: Level) throws {
        let kernels = try level.kernels()
        var generator = SeededGenerator(seed: 74)
        for width in Self.widths {
            let rows = (0..<2).map { _ in [Float].random(width, in: -1...1, using: &generator) }
            let sources = try rows.map { try MetricRow($0) }
            defer { withExtendedLifetime(sources) {} }
            let results = try (0..<3).map { _ in try MetricRow(marked: width) }
            defer { withExtendedLifetime(results) {} }
            kernels.metric_multiply_rows(
                results[0].pointer, results[1].pointer, results[2].pointer, sources[0].source, sources[1].source,
                width)
            for (result, factors) in zip(results, [(0, 1), (0, 0), (1, 1)]) {
                let expected = zip(rows[factors.0], rows[factors.1]).map { $0 * $1 }
                #expect(result.values.bits == expected.bits && result.isIntact, "width \(width), \(factors)")
            }
        }
    }

    @Test(arguments: Level.all) func windowsAreAveraged(level: Level) throws {
        let kernels = try level.kernels()
        var generator = SeededGenerator(seed: 75)
        for width in Self.widths {
            for radius in [0, 1, 4, 5, 16] {
                let weights = [Float].random(radius + 1, in: 0...0.3, using: &generator)
                let rows = (0..<(2 * radius + 1)).map { _ in [Float].random(width, in: 0...255, using: &generator) }
                let sources = try rows.map { try MetricRow($0) }
                defer { withExtendedLifetime(sources) {} }
                let (across, down) = (try MetricRow(marked: width), try MetricRow(marked: width))
                kernels.metric_window_row(across.pointer, sources[0].source, width, weights, Int32(radius))
                kernels.metric_window_rows(down.pointer, sources.map(\.source), width, weights, Int32(radius))
                let comment = "width \(width), radius \(radius)"
                #expect(across.values.bits == ScalarKernels.windowed(rows[0], weights: weights).bits, "\(comment)")
                #expect(down.values.bits == ScalarKernels.windowed(rows: rows, weights: weights).bits, "\(comment)")
                #expect(across.isIntact && down.isIntact, "\(comment)")
            }
        }
    }

    /// Includes numbers of so different magnitude that their fused product and sum needs rounding to single precision.
    @Test(arguments: Level.all) func rowsAreBlurredAcross(level: Level) throws {
        let kernels = try level.kernels()
        var generator = SeededGenerator(seed: 76)
        for width in Self.widths {
            for count in [1, 4, 5] {
                var rows = (0..<count).map { _ in [Float].random(width, in: 0...1, using: &generator) }
                rows[0] = rows[0].map { $0 < 0.5 ? $0 * 0x1p-30 : 1 }
                let sources = try rows.map { try MetricRow($0) }
                defer { withExtendedLifetime(sources) {} }
                let results = try (0..<count).map { _ in try MetricRow(marked: width) }
                defer { withExtendedLifetime(results) {} }
                kernels.metric_blur_across(
                    results.map(\.pointer), sources.map(\.source), count, width, [.sigmaOneAndAHalf])
                for (row, result) in zip(rows, results) {
                    let expected = ScalarKernels.blurAcross(row, .sigmaOneAndAHalf)
                    #expect(result.values.bits == expected.bits, "width \(width), \(count) rows")
                    #expect(result.isIntact, "width \(width), \(count) rows")
                }
            }
        }
    }

    @Test(arguments: Level.all) func rowsAreBlurredDown(level: Level) throws {
        let kernels = try level.kernels()
        var generator = SeededGenerator(seed: 77)
        for width in Self.widths {
            for scale in [Float(1), 0x1p-12, 0x1p-25] {
                let numbers = (0..<8).map { _ in [Float].random(width, in: -1...1, using: &generator) }
                    .enumerated().map { index, row in index < 3 ? row.map { $0 * scale } : row }
                let rows = try numbers.map { try MetricRow($0) }
                defer { withExtendedLifetime(rows) {} }
                let result = try MetricRow(marked: width)
                kernels.metric_blur_down(
                    result.pointer, rows[0..<3].map(\.pointer), rows[3..<6].map(\.source), rows[6].source,
                    rows[7].source, width, [.sigmaOneAndAHalf])
                let expected = ScalarKernels.blurDown(
                    before: Array(numbers[0..<3]), previous: Array(numbers[3..<6]), upper: numbers[6],
                    lower: numbers[7], .sigmaOneAndAHalf)
                #expect(result.values.bits == expected.row.bits && result.isIntact, "width \(width), \(scale)")
                for k in 0..<3 {
                    #expect(rows[k].values.bits == expected.oscillators[k].bits, "width \(width), \(scale), \(k)")
                }
            }
        }
    }

    @Test(arguments: Level.all) func errorsAreSummed(level: Level) throws {
        let kernels = try level.kernels()
        var generator = SeededGenerator(seed: 78)
        for width in Self.widths {
            let numbers = (0..<4).map { _ in [Float].random(width, in: 0...1, using: &generator) }
            let squares = (0..<3).map { _ in [Float].random(width, in: 1...1.2, using: &generator) }
            let rows = try numbers.map { try MetricRow($0) }
            defer { withExtendedLifetime(rows) {} }
            let squareRows = try squares.map { try MetricRow($0) }
            defer { withExtendedLifetime(squareRows) {} }
            var (structure, edges, similarity) = ([0.5, 0.25], [1.0, 2, 3, 4], 8.0)
            kernels.metric_structure_errors(
                &structure, rows[0].source, rows[1].source, squareRows[0].source, squareRows[1].source,
                squareRows[2].source, width)
            kernels.metric_edge_errors(
                &edges, rows[0].source, rows[1].source, rows[2].source, rows[3].source, width)
            kernels.metric_similarity_sum(
                &similarity, rows[0].source, rows[1].source, squareRows[0].source, squareRows[1].source,
                squareRows[2].source, width)

            let structureErrors = (0..<width).map {
                SSIMULACRA2Error.structure(
                    means: (numbers[0][$0], numbers[1][$0]), squares: (squares[0][$0], squares[1][$0]),
                    product: squares[2][$0])
            }
            let expectedStructure = zip([0.5, 0.25], ScalarKernels.errorSums(structureErrors)).map { $0 + $1 }
            #expect(structure == expectedStructure, "width \(width)")
            let edgeErrors = (0..<width).map {
                SSIMULACRA2Error.edge(numbers[0][$0], mean: numbers[1][$0], numbers[2][$0], mean: numbers[3][$0])
            }
            let edgeSums = ScalarKernels.errorSums(edgeErrors) + ScalarKernels.errorSums(edgeErrors.map { -$0 })
            #expect(edges == zip([1, 2, 3, 4], edgeSums).map { $0 + $1 }, "width \(width)")
            let similarities = (0..<width).map {
                ScalarKernels.similarity(
                    means: (numbers[0][$0], numbers[1][$0]), squares: (squares[0][$0], squares[1][$0]),
                    product: squares[2][$0])
            }
            #expect(similarity == 8 + ScalarKernels.sum(similarities), "width \(width)")
        }
    }

    @Test(arguments: Level.all) func squaredDifferencesAreSummed(level: Level) throws {
        let kernels = try level.kernels()
        var generator = SeededGenerator(seed: 79)
        for width in Self.widths + [4095, 4097, 9000] {
            let rows = (0..<2).map { _ in [UInt8].random(count: width * 4, using: &generator) }
            #expect(
                kernels.metric_squared_differences(rows[0], rows[1], width)
                    == ScalarKernels.squaredDifferences(rows[0], rows[1]), "width \(width)")
            let (black, white) = ([UInt8](repeating: 0, count: width * 4), [UInt8](repeating: 255, count: width * 4))
            #expect(kernels.metric_squared_differences(black, white, width) == UInt64(width) * 3 * 255 * 255)
        }
    }
}
