import CPixelKernels
import TestSupport
import Testing

import TexelCore
@testable import TexelMetrics
@testable import TexelPixels

@Suite struct ButteraugliTests {
    /// Waves, edges and noise in all three colours.
    private func original(_ size: PixelSize) throws -> PixelBuffer {
        var generator = SeededGenerator(seed: 41)
        let noise = (0..<(size.width * size.height)).map { _ in UInt32.random(in: 0..<12, using: &generator) }
        return try .make(width: size.width, height: size.height) { x, y in
            let wave = UInt32((x * x / 9 + y * 5) % 180) + 30
            let edge: UInt32 = (x / 11 + y / 7) % 2 == 0 ? 40 : 200
            let grain = noise[y * size.width + x]
            return 0xFF00_0000 | (wave + grain) << 16 | (edge + grain) << 8 | (wave + edge) / 2
        }
    }

    private func disturbed(_ image: PixelBuffer) throws -> PixelBuffer {
        try .make(width: image.width, height: image.height) { x, y in
            let pixel = image[x, y]
            let shifts: [UInt32] = [16, 8, 0]
            return shifts.reduce(0xFF00_0000) { result, shift in
                let step = (x / 4 * 3 + y / 4 * 5 + Int(shift)) % 23 - 11
                return result | UInt32(min(max(Int(pixel >> shift & 255) + step, 0), 255)) << shift
            }
        }
    }

    /// Sizes around the limits: eight pixels, both scales from fifteen on, several bands.
    @Test(arguments: [(8, 8), (14, 30), (15, 15), (33, 21), (16, 300), (70, 37)])
    func distancesEqualTheScalarForm(width: Int, height: Int) throws {
        let first = try original(PixelSize(width: width, height: height))
        let second = try disturbed(first)
        let expected = ScalarButteraugli.distance(first, second)
        let distance = try second.butteraugli(against: first)
        #expect(abs(distance.maximum - expected.maximum) < 1e-4 * expected.maximum, "\(distance) \(expected)")
        #expect(abs(distance.norm3 - expected.norm3) < 1e-4 * expected.norm3, "\(distance) \(expected)")
    }

    @Test func threadsDoNotChangeTheDistance() throws {
        let first = try original(PixelSize(width: 90, height: 700))
        let second = try disturbed(first)
        let reference = try ButteraugliReference(first)
        let alone = try reference.distance(of: second)
        for threads in [0, 2, 3, 9] { #expect(try reference.distance(of: second, threads: threads) == alone) }
    }

    @Test func stoppedComparisonsReturnNil() throws {
        let image = try original(PixelSize(width: 40, height: 300))
        let reference = try ButteraugliReference(image)
        #expect(try reference.distance(of: image, threads: 2) { true } == nil)
    }

    @Test func sizesMustAgree() throws {
        let (first, second) = (
            try original(PixelSize(width: 20, height: 20)), try original(PixelSize(width: 21, height: 20))
        )
        #expect(throws: TexelError.self) { try second.butteraugli(against: first) }
        #expect(throws: TexelError.self) { try second.differenceMap(against: first, by: .butteraugli) }
    }

    /// Transparent pixels have no colour, and what is hidden on black or white counts.
    @Test func hiddenColorsDoNotCount() throws {
        let size = PixelSize(width: 40, height: 30)
        func image(_ hidden: UInt32, _ visible: UInt32) throws -> PixelBuffer {
            try .make(width: size.width, height: size.height, alphaMode: .straight) { x, y in
                x < 20 ? hidden : visible | UInt32(y % 2) << 24
            }
        }
        let first = try image(0x00FF_0000, 0xFE40_8020)
        #expect(try image(0x0000_00FF, 0xFE40_8020).butteraugli(against: first).maximum == 0)
        let opaque = try image(0xFF00_0000, 0xFE40_8020)
        #expect(try opaque.butteraugli(against: first).maximum > 1)
        let white = try image(0xFFFF_FFFF, 0xFE40_8020)
        #expect(try white.butteraugli(against: first).maximum > 1)
        // An opaque copy, laid on white, is equal on one of the backgrounds.
        #expect(try first.flattened(on: .white).butteraugli(against: first).norm3 < 0.2)
    }

    // MARK: Kernels

    /// Every level gives the same bits.
    @Test func everyLevelGivesTheSameBits() throws {
        var generator = SeededGenerator(seed: 42)
        let kernels = try KernelTests.Level.all.map { try $0.kernels().butteraugli }
        for width in [1, 7, 15, 16, 17, 40, 95, 257] {
            let rows = try (0..<9).map { _ in
                let row = try MetricRow([Float].random(width, in: -30...30, using: &generator))
                if width > 2 { row.pointer[1] = -0.0; row.pointer[2] = 0 }
                return row
            }
            defer { withExtendedLifetime(rows) {} }
            let results = try kernels.map { try outputs(of: $0, rows, width) }
            for result in results.dropFirst() { #expect(result == results[0], "width \(width)") }
        }
    }

    /// The bits that kernels write for rows of values of both signs.
    private func outputs(
        of kernels: texel_butteraugli_kernels, _ rows: [MetricRow], _ width: Int
    ) throws -> [[UInt32]] {
        let sources = rows.map(\.source)
        let results = try (0..<6).map { _ in try MetricRow([Float](repeating: 0.5, count: width)) }
        defer { withExtendedLifetime(results) {} }
        var bits: [[UInt32]] = []
        func record() { bits += results.map { $0.values.bits } }
        let scales = [Float](repeating: 1.25, count: (width + 15) / 16 * 16)
        kernels.blur_row(results[0].pointer, sources[0], scales, width, [0.4, 0.2, 0.1], 2)
        let pointers = results.map(\.pointer)
        let light = try rows.prefix(6).map { row in try MetricRow(row.values.map { abs($0) / 30 }) }
        defer { withExtendedLifetime(light) {} }
        kernels.adapted_colors(
            Array(pointers[1..<4]), light[0..<3].map(\.source), light[3..<6].map(\.source), width)
        record()
        kernels.split_low(Array(pointers[0..<3]), Array(pointers[3..<6]), width)
        record()
        kernels.split_medium(Array(pointers[0..<3]), Array(pointers[3..<5]), Array(sources[0..<3]), width)
        record()
        kernels.split_high(Array(pointers[0..<2]), Array(pointers[2..<4]), Array(sources[3..<5]), width)
        record()
        var weights = texel_line_weights(norm: 70, difference: 3, deviation: 5)
        kernels.weighted_differences(pointers[0], sources[0], sources[1], width, &weights)
        kernels.add_line_sums(pointers[1], sources, width, true)
        kernels.add_line_sums(pointers[2], sources, width, false)
        kernels.add_squares(pointers[3], sources[2], sources[3], 1.5, width)
        kernels.add_asymmetric_squares(pointers[4], sources[4], sources[5], 0.7, 1.3, width)
        kernels.activity(pointers[5], Array(sources[0..<2]), Array(sources[2..<4]), width)
        record()
        kernels.erode(pointers[0], Array(sources[0..<3]), width)
        kernels.visible_differences(
            pointers[1], light[0].source, sources[0], sources[1], light[1].source, light[2].source, width)
        kernels.add_half(pointers[2], sources[3], width)
        record()
        var sums = [0.0, 0, 0]
        let maximum = kernels.add_powers(&sums, light[0].source, 0.25, width)
        bits.append(
            [maximum.bitPattern] + sums.flatMap { [UInt32($0.bitPattern >> 32), UInt32($0.bitPattern & 0xFFFF_FFFF)] })
        return bits
    }
}
