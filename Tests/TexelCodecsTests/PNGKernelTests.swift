import CPixelKernels
import TestSupport
import Testing

@testable import TexelCodecs
@testable import TexelPNG

/// Compares every PNG kernel at every CPU level of this machine with its scalar reference, byte for byte.
@Suite struct PNGKernelTests {
    /// The bytes per pixel, for samples of 8 and 16 bits.
    static let channels = [1, 2, 3, 4, 6, 8]
    static let widths = [1, 2, 3, 5, 15, 16, 17, 21, 22, 31, 33, 63, 64, 65, 127, 130, 2731, 11000]

    struct Level: CustomTestStringConvertible, Sendable {
        let level: texel_cpu_level
        var testDescription: String { String(cString: texel_cpu_level_name(level)) }

        func kernels() throws -> texel_kernels { try #require(texel_kernels_at(level)).pointee }

        static var all: [Level] {
            [texel_cpu_baseline, texel_cpu_v2, texel_cpu_v3, texel_cpu_v4]
                .filter { texel_kernels_at($0) != nil }.map { Level(level: $0) }
        }
    }

    /// Rows of noise, rows of extreme values, and rows of few values, in which Paeth distances tie.
    private enum Content: CaseIterable {
        case random, extreme, few

        func row(_ count: Int, using generator: inout SeededGenerator) -> [UInt8] {
            (0..<count).map { _ in
                switch self {
                case .random: UInt8.random(in: 0...255, using: &generator)
                case .extreme: [0, 128, 255][Int.random(in: 0..<3, using: &generator)]
                case .few: UInt8.random(in: 100...103, using: &generator)
                }
            }
        }
    }

    /// Runs `kernel` on a row at an odd address, and checks that it writes no further bytes.
    private func output(
        count: Int, _ comment: String, _ kernel: (UnsafeMutablePointer<UInt8>) -> Void
    ) throws -> [UInt8] {
        var row = [UInt8](repeating: 0xA5, count: count + 80)
        try row.withUnsafeMutableBufferPointer { kernel(try #require($0.baseAddress) + 1) }
        #expect(row[0] == 0xA5 && row[(count + 1)...].allSatisfy { $0 == 0xA5 }, "\(comment): wrote outside")
        return Array(row[1...count])
    }

    @Test(arguments: Level.all) func filtersEqualTheScalarForm(level: Level) throws {
        let kernels = try level.kernels()
        var generator = SeededGenerator(seed: 31)
        for width in Self.widths {
            for channels in Self.channels {
                for content in Content.allCases where width < 1000 || channels == 3 {
                    let comment = "\(content), width \(width), channels \(channels)"
                    let count = width * channels
                    let margin = [UInt8](repeating: 0, count: channels)
                    let row = content.row(count, using: &generator)
                    let above = content.row(count, using: &generator)
                    var costs = [UInt64](repeating: 7, count: 5)
                    try (margin + row).withUnsafeBufferPointer { row in
                        try (margin + above).withUnsafeBufferPointer { above in
                            let (row, above) = (try #require(row.baseAddress), try #require(above.baseAddress))
                            kernels.png_filter_costs(&costs, row + channels, above + channels, count, channels)
                        }
                    }
                    #expect(costs == ScalarPNGKernels.costs(row, above: above, channels: channels), "\(comment)")
                    for type in 0..<5 {
                        let filtered = try (margin + row).withUnsafeBufferPointer { row in
                            try (margin + above).withUnsafeBufferPointer { above in
                                let (row, above) = (try #require(row.baseAddress), try #require(above.baseAddress))
                                return try output(count: count, comment) {
                                    kernels.png_filter_row(
                                        $0, row + channels, above + channels, count, channels, Int32(type))
                                }
                            }
                        }
                        let expected = ScalarPNGKernels.filter(row, above: above, channels: channels, type: type)
                        #expect(filtered == expected, "filter \(type), \(comment)")

                        // Up to eight bytes after the row may be written.
                        let padding = [UInt8](repeating: 9, count: 8)
                        var restored = [UInt8](repeating: 0xA5, count: count + 12)
                        kernels.png_unfilter_row(
                            &restored, filtered + padding, above + padding, count, channels, Int32(type))
                        #expect(Array(restored[..<count]) == row, "filter \(type) undone, \(comment)")
                        #expect(restored[(count + 8)...].allSatisfy { $0 == 0xA5 }, "\(comment): wrote outside")
                    }
                }
            }
        }
    }

    @Test(arguments: Level.all) func unfilteringTwoRows(level: Level) throws {
        let kernels = try level.kernels()
        var generator = SeededGenerator(seed: 33)
        let padding = [UInt8](repeating: 9, count: 8)
        for width in Self.widths where width < 1000 {
            for channels in Self.channels {
                for content in Content.allCases {
                    let count = width * channels
                    let rows = (0..<3).map { _ in content.row(count, using: &generator) }
                    for types in (0..<25).map({ [$0 / 5, $0 % 5] }) {
                        let filtered = (0..<2).map { index in
                            ScalarPNGKernels.filter(
                                rows[index + 1], above: rows[index], channels: channels, type: types[index])
                        }
                        let stride = count + 12
                        var restored = [UInt8](repeating: 0xA5, count: 2 * stride)
                        restored.withUnsafeMutableBufferPointer { restored in
                            guard let base = restored.baseAddress else { return }
                            (filtered[0] + padding).withUnsafeBufferPointer { first in
                                (filtered[1] + padding).withUnsafeBufferPointer { second in
                                    guard let first = first.baseAddress, let second = second.baseAddress else { return }
                                    kernels.png_unfilter_two_rows(
                                        [base, base + stride], [first, second], rows[0] + padding, count, channels,
                                        types.map { Int32($0) })
                                }
                            }
                        }
                        let comment: Comment = "filters \(types), \(content), width \(width), channels \(channels)"
                        #expect(Array(restored[..<count]) == rows[1], comment)
                        #expect(Array(restored[stride..<(stride + count)]) == rows[2], comment)
                        #expect(restored[(stride + count + 8)...].allSatisfy { $0 == 0xA5 }, comment)
                        #expect(restored[(count + 8)..<stride].allSatisfy { $0 == 0xA5 }, comment)
                    }
                }
            }
        }
    }

    @Test(arguments: Level.all) func narrowedSamplesEqualTheScalarForm(level: Level) throws {
        let kernels = try level.kernels()
        let samples = (UInt16.min...UInt16.max).flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        for count in Self.widths + [samples.count / 2] {
            let row = Array(samples.suffix(count * 2))
            let narrow = try output(count: count, "\(count) samples") { kernels.png_narrow_row($0, row, count) }
            #expect(narrow == ScalarPNGKernels.narrow(row), "\(count) samples")
        }
    }

    @Test(arguments: Level.all) func packedRowsEqualTheScalarForm(level: Level) throws {
        let kernels = try level.kernels()
        var generator = SeededGenerator(seed: 32)
        for width in Self.widths {
            let pixels = Content.random.row(width * 4, using: &generator)
            let rgb = try output(count: width * 3, "RGB, width \(width)") { kernels.pack_rgb_row($0, pixels, width) }
            #expect(rgb == ScalarPNGKernels.pack(pixels, order: [2, 1, 0]), "width \(width)")
            let opaque = try output(count: width * 4, "BGRA, width \(width)") { kernels.unpack_rgb_row($0, rgb, width) }
            #expect(opaque == ScalarPNGKernels.unpackRGB(rgb), "width \(width)")
            let rgba = try output(count: width * 4, "RGBA, width \(width)") { kernels.pack_rgba_row($0, pixels, width) }
            #expect(rgba == ScalarPNGKernels.pack(pixels, order: [2, 1, 0, 3]), "width \(width)")
        }
    }
}
