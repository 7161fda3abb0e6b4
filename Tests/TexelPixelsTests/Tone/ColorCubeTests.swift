import CPixelKernels
import TestSupport
import Testing

@testable import TexelPixels

/// The kernel of three-dimensional tables against its definition, and tables against interpolation in floating point.
@Suite struct ColorCubeTests {
    /// The definition of `cube_color_row` for one channel.
    private func scalar(_ pixel: [UInt8], channel: Int, _ places: [UInt64], _ entries: [Int16]) -> UInt8 {
        let axes = (0..<3).map { places[$0 * 256 + Int(pixel[$0])] }
        let sorted = axes.map { $0 & 0xFFFF_FFFF }.sorted(by: >)
        var entry = axes.reduce(0) { $0 + Int($1 >> 32) }
        var (sum, rest) = (0, 1 << 14)
        for axis in sorted {
            let fraction = Int(axis >> 17)
            sum += Int(entries[entry * 4 + channel]) * (rest - fraction)
            entry += Int(axis & 0x1FFFF)
            rest = fraction
        }
        sum += Int(entries[entry * 4 + channel]) * rest
        return UInt8(min(max((sum + 1 << 19) >> 20, 0), 255))
    }

    @Test(arguments: KernelTests.Level.all) func kernelsEqualTheScalarForm(level: KernelTests.Level) throws {
        let kernels = try level.kernels()
        var generator = SeededGenerator(seed: 8)
        for (index, width) in (KernelTests.widths + [128, 130]).enumerated() {
            let size = [2, 3, 5, 9, 17][index % 5]
            let isExtreme = index % 3 == 0
            let entries = (0..<(size * size * size * 4)).map { _ -> Int16 in
                isExtreme
                    ? [.min, .max, 0, 16_320].randomElement(using: &generator) ?? 0
                    : .random(in: .min ... .max, using: &generator)
            }
            let places = [size * size, size, 1].flatMap { step in
                (0...255).map { _ in
                    let fraction = UInt64(
                        isExtreme
                            ? [0, 1, 16_383, 16_384].randomElement(using: &generator) ?? 0
                            : Int.random(in: 0...16_384, using: &generator))
                    return UInt64(Int.random(in: 0..<(size - 1), using: &generator) * step) << 32 | fraction << 17
                        | UInt64(step)
                }
            }
            // The row begins at an odd address.
            let row = [UInt8].random(count: width * 4 + 1, using: &generator)
            var result = [UInt8](repeating: 7, count: width * 4 + 2)
            row.withUnsafeBufferPointer { row in
                result.withUnsafeMutableBufferPointer { result in
                    guard let source = row.baseAddress, let destination = result.baseAddress else { return }
                    kernels.cube_color_row(destination + 1, source + 1, width, places, entries)
                }
            }
            var expected: [UInt8] = [7]
            for x in 0..<width {
                let pixel = Array(row[(x * 4 + 1)...].prefix(4))
                expected += (0..<3).map { scalar(pixel, channel: $0, places, entries) } + [pixel[3]]
            }
            #expect(result == expected + [7], "width \(width)")
            // In place.
            var changed = row
            changed.withUnsafeMutableBufferPointer { row in
                guard let pixels = row.baseAddress else { return }
                kernels.cube_color_row(pixels + 1, pixels + 1, width, places, entries)
            }
            #expect(changed[1...] == expected[1...])
        }
    }

    // MARK: Tables

    private static func table(
        _ size: Int, _ domain: ColorLUT.Domain = ColorLUT.Domain(), _ value: (Int, Int, Int) -> [Float]
    ) -> ColorLUT {
        let values = (0..<size).flatMap { blue in
            (0..<size).flatMap { green in (0..<size).flatMap { red in value(red, green, blue) } }
        }
        return ColorLUT(title: nil, shape: .cube, size: size, domain: domain, values: values)
    }

    private func result(_ table: ColorLUT, _ row: [UInt8]) -> [UInt8] {
        var result = row
        result.withUnsafeMutableBufferPointer { row in
            guard let pixels = row.baseAddress else { return }
            ColorCube(table).run(from: pixels, to: pixels, width: row.count / 4)
        }
        return result
    }

    private func colors() -> [UInt8] {
        let steps = Array(stride(from: 0, through: 255, by: 15)) + [1, 2, 127, 128, 254]
        return steps.flatMap { b in
            steps.flatMap { g in steps.flatMap { r in [UInt8(b), UInt8(g), UInt8(r), UInt8(r)] } }
        }
    }

    @Test(arguments: [2, 3, 16, 17, 33, 64]) func identityTablesChangeNothing(size: Int) {
        let last = Float(size - 1)
        let table = Self.table(size) { [Float($0) / last, Float($1) / last, Float($2) / last] }
        #expect(result(table, colors()) == colors())
    }

    @Test func constantTablesGiveOneColor() {
        let table = Self.table(5) { _, _, _ in [1.5, -0.5, 0.2] }
        for pixel in stride(from: 0, to: 40, by: 4) {
            #expect(Array(result(table, colors())[pixel..<(pixel + 3)]) == [51, 0, 255])
        }
    }

    /// The result is the rounded one of tetrahedral interpolation, or next to it where it is close to a half.
    @Test(arguments: [2, 4, 17, 32]) func interpolationIsTetrahedral(size: Int) {
        var generator = SeededGenerator(seed: UInt64(size))
        let domain = ColorLUT.Domain(lower: [0.1, 0, -0.5], upper: [0.9, 0.5, 1.5])
        let table = Self.table(size, domain) { _, _, _ in
            (0..<3).map { _ in Float.random(in: -0.5...1.5, using: &generator) }
        }
        let row = colors()
        let changed = result(table, row)
        var largest = 0.0
        for pixel in stride(from: 0, to: row.count, by: 4) {
            let places = (0..<3).map { table.place(of: Double(row[pixel + 2 - $0]) / 255, channel: $0) }
            var corner = places.map { min(Int($0), size - 2) }
            let fractions = zip(places, corner).map { $0 - Double($1) }
            func value(_ channel: Int) -> Double {
                Double(table.values[((corner[2] * size + corner[1]) * size + corner[0]) * 3 + channel])
            }
            var color = (0..<3).map(value)
            for axis in (0..<3).sorted(by: { fractions[$0] > fractions[$1] }) {
                let before = (0..<3).map(value)
                corner[axis] += 1
                for channel in 0..<3 { color[channel] += (value(channel) - before[channel]) * fractions[axis] }
            }
            for channel in 0..<3 {
                let expected = min(max(color[channel], 0), 1) * 255
                largest = max(largest, abs(Double(changed[pixel + 2 - channel]) - expected))
            }
        }
        // Half a step of rounding, 1/128 for the entries, and the fractions' 2⁻¹⁵ of up to two times the range.
        #expect(largest < 0.54, "\(largest)")
    }

    @Test func curvesAreInterpolatedLinearly() throws {
        let table = try ColorLUT(cubeText: "LUT_1D_SIZE 3\n0 1 0\n0.25 0 0\n1 1 0.5\n")
        let curves = try #require(table.curves)
        let expected: [[Double]] = [[0, 0.125, 0.25, 0.625, 1], [1, 0.5, 0, 0.5, 1], [0, 0, 0, 0.25, 0.5]]
        for (channel, values) in expected.enumerated() {
            let found = [0, 0.25, 0.5, 0.75, 1].map { curves.value($0, channel: channel) }
            #expect(found == values)
        }
    }
}
