import CPixelKernels
import TestSupport
import Testing
import TexelFilters
import TexelPixels

/// Every kernel from BGRA to YUV at every level of this machine against its scalar reference, byte for byte.
@Suite struct YUVWritingKernelTests {
    typealias Level = KernelTests.Level
    static let widths = YUVKernelTests.widths

    private func matrix(_ factors: RGBFactors) -> texel_rgb_matrix {
        func tuple(_ channels: RGBFactors.Channels) -> (Int16, Int16, Int16) {
            (channels.blue, channels.green, channels.red)
        }
        return texel_rgb_matrix(
            luma: tuple(factors.luma), u: tuple(factors.u), v: tuple(factors.v), black: factors.black)
    }

    /// Returns words of 1/64, as far from neutral as halved rows can be.
    private func words(_ count: Int, _ content: SampleContent, using generator: inout SeededGenerator) -> [Int16] {
        content.bytes(count, using: &generator).map { Int16((Int($0) * 2 - 255) * 10007 / 255) }
    }

    @Test(arguments: Level.all) func pixelsBecomeSamples(level: Level) throws {
        let kernels = try level.kernels()
        var generator = SeededGenerator(seed: 61)
        for width in Self.widths {
            for color in YUVColor.all {
                for content in SampleContent.allCases {
                    let comment = "\(level.testDescription), width \(width), \(color), \(content)"
                    let factors = RGBFactors(color)
                    var matrix = matrix(factors)
                    let pixels = content.bytes(width * 4, using: &generator)
                    let luma = ByteRow(width)
                    let part = WordRow.capacity(width)
                    var chroma = WordRow(4 * part)
                    try withUnaligned(pixels) { source in
                        kernels.bgra_to_luma_row(luma.base, source, width, &matrix)
                        kernels.bgra_to_chroma_row(&chroma.words, part, source, width, &matrix)
                    }
                    #expect(luma.content == ScalarYUV.luma(bgra: pixels, factors: factors), "\(comment)")
                    #expect(luma.isIntact && chroma.isIntact, "\(comment): wrote outside")
                    for (plane, channels) in [factors.u, factors.v].enumerated() {
                        let expected = ScalarYUV.chroma(bgra: pixels, factors: channels)
                        let row = (0..<width).map { chroma.words[(2 * plane + $0 % 2) * part + $0 / 2] }
                        #expect(row == expected, "\(comment), plane \(plane)")
                    }
                }
            }
        }
    }

    @Test(arguments: Level.all) func columnsAreHalved(level: Level) throws {
        let kernels = try level.kernels()
        var generator = SeededGenerator(seed: 62)
        for width in Self.widths {
            for content in SampleContent.allCases {
                // Chroma words that bytes can give.
                let row = content.bytes(width, using: &generator).map { Int16((Int($0) * 2 - 255) * 32) }
                let count = (width + 1) / 2
                let beyond = [Int16](repeating: row[width - 1], count: 5 - width % 2)
                let padded = [Int16](repeating: row[0], count: 4) + row + beyond
                let rest = [Int16](repeating: 0x5AA5, count: 32)
                var result = WordRow(count)
                let (even, odd) = (padded.every(2, from: 0) + rest, padded.every(2, from: 1) + rest)
                even.withUnsafeBufferPointer { even in
                    odd.withUnsafeBufferPointer { odd in
                        guard let even = even.baseAddress, let odd = odd.baseAddress else { return }
                        kernels.halve_chroma_row(&result.words, even + 2, odd + 2, count)
                    }
                }
                let comment = "\(level.testDescription), width \(width), \(content)"
                #expect(result.first(count) == ScalarYUV.halveChroma(row), "\(comment)")
                #expect(result.isIntact, "\(comment): wrote outside")
            }
        }
    }

    @Test(arguments: Level.all) func rowsAreHalved(level: Level) throws {
        let kernels = try level.kernels()
        var generator = SeededGenerator(seed: 63)
        for width in Self.widths {
            for content in SampleContent.allCases {
                let rows = (0..<8).map { _ in words(width, content, using: &generator) }
                let stride = WordRow.capacity(width)
                let padding = [Int16](repeating: 0x5AA5, count: stride - width)
                var result = WordRow(width)
                rows.flatMap { $0 + padding }.withUnsafeBufferPointer {
                    guard let base = $0.baseAddress else { return }
                    kernels.halve_chroma_rows(&result.words, (0..<8).map { base + $0 * stride }, width)
                }
                let comment = "\(level.testDescription), width \(width), \(content)"
                #expect(result.first(width) == ScalarYUV.halveChromaRows(rows), "\(comment)")
                #expect(result.isIntact, "\(comment): wrote outside")
            }
        }
    }

    @Test(arguments: Level.all) func wordsBecomeSamples(level: Level) throws {
        let kernels = try level.kernels()
        var generator = SeededGenerator(seed: 64)
        for width in Self.widths {
            for content in SampleContent.allCases {
                let row = words(width, content, using: &generator)
                let rest = [Int16](repeating: 0x5AA5, count: 64)
                let (plain, zipped) = (ByteRow(width), ByteRow(width))
                kernels.narrow_chroma_row(plain.base, row + rest, width)
                kernels.zip_chroma_row(zipped.base, row.every(2, from: 0) + rest, row.every(2, from: 1) + rest, width)
                let comment = "\(level.testDescription), width \(width), \(content)"
                #expect(plain.content == ScalarYUV.narrowChroma(row), "\(comment)")
                #expect(zipped.content == plain.content, "\(comment)")
                #expect(plain.isIntact && zipped.isIntact, "\(comment): wrote outside")
            }
        }
    }
}
