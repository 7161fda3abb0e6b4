import CPixelKernels
import TestSupport
import Testing
import TexelFilters
import TexelPixels

/// The kernels that convert YUV to sRGB through light, at every level of this machine against the scalar reference.
@Suite struct YUVColorMapKernelTests {
    typealias Level = KernelTests.Level

    static let codePoints = [(9, 16), (9, 18), (12, 13)]

    private func makeMap(_ sampleBytes: Int, _ points: (Int, Int)) throws -> YUVColorMap {
        let color = YUVColor(
            .bt2020, .limited, codePoints: CICP(primaries: points.0, transfer: points.1))
        return try #require(try YUVColorMap(YUVFormat(.yuv444, bitDepth: sampleBytes == 1 ? 8 : 10), color))
    }

    /// Words as far from neutral as both filters can bring them.
    private func makeWords(_ width: Int, using generator: inout SeededGenerator) -> [Int16] {
        (0..<width).map { _ in Int16.random(in: -24700...24700, using: &generator) }
    }

    @Test(arguments: Level.all) func rowsBecomeBGRA(level: Level) throws {
        let kernels = try level.kernels()
        var generator = SeededGenerator(seed: 71)
        for width in YUVKernelTests.widths {
            for sampleBytes in [1, 2] {
                for (points, content) in Self.codePoints.flatMap({ points in SampleContent.allCases.map { (points, $0) }
                }) {
                    let map = try makeMap(sampleBytes, points)
                    let luma = content.bytes(width * sampleBytes, using: &generator)
                    let words = (0..<2).map { _ in makeWords(width, using: &generator) }
                    let part = WordRow.capacity(width)
                    let padding = [Int16](repeating: 0x5AA5, count: part - width)
                    let chroma = words.flatMap { $0 + padding }
                    for isGray in [false, true] {
                        let (row, aligned) = (ByteRow(width * 4), AlignedRow(width * 4))
                        try withUnaligned(luma) { source in
                            chroma.withUnsafeBufferPointer { chroma in
                                map.withKernelMap { map in
                                    var matrix = texel_yuv_matrix()
                                    for (base, bypassing) in [(row.base, Int32(0)), (aligned.base, 1)] {
                                        kernels.yuv_to_bgra_row(
                                            base, source, Int32(sampleBytes), isGray ? nil : chroma.baseAddress, part,
                                            width, &matrix, map, bypassing)
                                    }
                                }
                            }
                        }
                        let expected = ScalarColorMap(map: map).bgra(
                            luma: luma, sampleBytes: sampleBytes, u: isGray ? [] : words[0], v: isGray ? [] : words[1])
                        let comment = "\(level.testDescription), width \(width), \(sampleBytes) bytes, \(points)"
                        #expect(row.content == expected && aligned.content == expected, "\(comment), \(content)")
                        #expect(row.isIntact && aligned.isIntact, "\(comment): wrote outside")
                    }
                }
            }
        }
    }

    @Test(arguments: Level.all) func pairsOfRowsBecomeBGRA(level: Level) throws {
        let kernels = try level.kernels()
        var generator = SeededGenerator(seed: 72)
        for width in YUVKernelTests.widths {
            for sampleBytes in [1, 2] {
                let map = try makeMap(sampleBytes, Self.codePoints[width % 3])
                let planes = (0..<2).map { _ in
                    (0..<4).map { _ in makeWords(width, using: &generator).map { $0 / 2 } }
                }
                let part = WordRow.capacity(width)
                let padding = [Int16](repeating: 0x5AA5, count: part - width)
                let chroma = (0..<4).flatMap { planes[0][$0] + padding + planes[1][$0] + padding }
                let luma = (0..<2).map { _ in SampleContent.random.bytes(width * sampleBytes, using: &generator) }
                let rows = (ByteRow(width * 4), ByteRow(width * 4))
                try withUnaligned(luma[0]) { upper in
                    try withUnaligned(luma[1]) { lower in
                        try chroma.withUnsafeBufferPointer { chroma in
                            let base = try #require(chroma.baseAddress)
                            map.withKernelMap { map in
                                var matrix = texel_yuv_matrix()
                                var pair = texel_yuv_pair(
                                    destinations: (rows.0.base, rows.1.base), luma: (upper, lower))
                                kernels.yuv420_to_bgra_rows(
                                    &pair, Int32(sampleBytes), (0..<4).map { base + $0 * 2 * part }, part, width,
                                    &matrix, map, 0)
                            }
                        }
                    }
                }
                let (u, v) = (ScalarYUV.blendChroma(planes[0]), ScalarYUV.blendChroma(planes[1]))
                let reference = ScalarColorMap(map: map)
                let comment = "\(level.testDescription), width \(width), \(sampleBytes) bytes"
                #expect(
                    rows.0.content
                        == reference.bgra(luma: luma[0], sampleBytes: sampleBytes, u: u.upper, v: v.upper), "\(comment)"
                )
                #expect(
                    rows.1.content
                        == reference.bgra(luma: luma[1], sampleBytes: sampleBytes, u: u.lower, v: v.lower), "\(comment)"
                )
                #expect(rows.0.isIntact && rows.1.isIntact, "\(comment): wrote outside")
            }
        }
    }
}
