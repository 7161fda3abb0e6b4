import CPixelKernels
import TestSupport
import Testing
import TexelPixels

/// Every YUV kernel at every level of this machine against its scalar reference, byte for byte.
@Suite struct YUVKernelTests {
    typealias Level = KernelTests.Level
    static let widths = Array(1...70) + [127, 128, 129, 200]

    @Test(arguments: Level.all) func chromaBecomesWords(level: Level) throws {
        let kernels = try level.kernels()
        var generator = SeededGenerator(seed: 41)
        for width in Self.widths {
            for sampleBytes in [1, 2] {
                for content in SampleContent.allCases {
                    let comment = "\(level.testDescription), width \(width), \(sampleBytes) bytes, \(content)"
                    // Two-byte samples have any value: those above 1023 count as 1023.
                    let samples = content.bytes(width * sampleBytes, using: &generator)
                    let expected = ScalarYUV.widenChroma(samples, sampleBytes: sampleBytes)
                    var row = WordRow(width)
                    var (even, odd) = (WordRow(width), WordRow(width))
                    try withUnaligned(samples) { source in
                        kernels.widen_chroma_row(&row.words, source, Int32(sampleBytes), width)
                        kernels.split_chroma_row(
                            &even.words, &odd.words, source, Int32(sampleBytes), width)
                    }
                    #expect(row.first(width) == expected, "\(comment)")
                    #expect(even.first((width + 1) / 2) == expected.every(2, from: 0), "\(comment), even")
                    #expect(odd.first(width / 2) == expected.every(2, from: 1), "\(comment), odd")
                    #expect(row.isIntact && even.isIntact && odd.isIntact, "\(comment): wrote outside")
                }
            }
        }
    }

    @Test(arguments: Level.all) func chromaIsDoubled(level: Level) throws {
        let kernels = try level.kernels()
        var generator = SeededGenerator(seed: 42)
        for width in Self.widths {
            for content in SampleContent.allCases {
                let comment = "\(level.testDescription), width \(width), \(content)"
                let source = ScalarYUV.widenChroma(content.bytes(width, using: &generator), sampleBytes: 1)
                // The two columns past each edge repeat it; vectors read further.
                let edge = [Int16](repeating: source[width - 1], count: 2)
                let padded = [source[0], source[0]] + source + edge + [Int16](repeating: 0x5AA5, count: 32)
                var (even, odd) = (WordRow(width), WordRow(width))
                padded.withUnsafeBufferPointer {
                    guard let base = $0.baseAddress else { return }
                    kernels.double_chroma_row(&even.words, &odd.words, base + 2, width)
                }
                let expected = ScalarYUV.doubleChroma(source)
                #expect(even.first(width) == expected.even, "\(comment), even")
                #expect(odd.first(width) == expected.odd, "\(comment), odd")
                #expect(even.isIntact && odd.isIntact, "\(comment): wrote outside")
            }
        }
    }

    @Test(arguments: Level.all) func chromaRowsAreBlended(level: Level) throws {
        let kernels = try level.kernels()
        var generator = SeededGenerator(seed: 43)
        for width in Self.widths {
            for content in SampleContent.allCases {
                let comment = "\(level.testDescription), width \(width), \(content)"
                // The range after doubling: up to 1.23 times as far below neutral.
                let rows = (0..<4).map { _ in
                    ScalarYUV.widenChroma(content.bytes(width, using: &generator), sampleBytes: 1)
                        .map { Int16(min(16383, Int($0) * 5 / 4)) }
                }
                var (upper, lower) = (WordRow(width), WordRow(width))
                let padding = [Int16](repeating: 0, count: WordRow.capacity(width) - width)
                let stride = WordRow.capacity(width)
                rows.flatMap { $0 + padding }.withUnsafeBufferPointer {
                    guard let base = $0.baseAddress else { return }
                    kernels.blend_chroma_rows(
                        &upper.words, &lower.words, (0..<4).map { base + $0 * stride }, width)
                }
                let expected = ScalarYUV.blendChroma(rows)
                #expect(upper.first(width) == expected.upper, "\(comment), upper")
                #expect(lower.first(width) == expected.lower, "\(comment), lower")
                #expect(upper.isIntact && lower.isIntact, "\(comment): wrote outside")
            }
        }
    }

    @Test(arguments: Level.all) func rowsBecomeBGRA(level: Level) throws {
        let kernels = try level.kernels()
        var generator = SeededGenerator(seed: 44)
        for width in Self.widths {
            for (sampleBytes, color) in YUVColor.all.flatMap({ [(1, $0), (2, $0)] }) {
                for content in SampleContent.allCases {
                    let comment = "\(level.testDescription), width \(width), \(sampleBytes) bytes, \(color), \(content)"
                    let factors = YUVFactors(YUVFormat(.yuv444, bitDepth: sampleBytes == 1 ? 8 : 10), color)
                    var matrix = texel_yuv_matrix(
                        luma: factors.luma, black: factors.black, red_v: factors.redV, green_u: factors.greenU,
                        green_v: factors.greenV, blue_u: factors.blueU)
                    let luma = content.bytes(width * sampleBytes, using: &generator)
                    // The range after both filters.
                    let words = (0..<2).map { _ in
                        (0..<width).map { _ in Int16.random(in: -24700...24700, using: &generator) }
                    }
                    let part = WordRow.capacity((width + 1) / 2)
                    var chroma = [Int16](repeating: 0x5AA5, count: 4 * part)
                    for (plane, values) in words.enumerated() {
                        for (x, value) in values.enumerated() { chroma[(2 * plane + x % 2) * part + x / 2] = value }
                    }
                    for isGray in [false, true] {
                        let row = ByteRow(width * 4)
                        try withUnaligned(luma) { source in
                            chroma.withUnsafeBufferPointer {
                                kernels.yuv_to_bgra_row(
                                    row.base, source, Int32(sampleBytes),
                                    isGray ? nil : $0.baseAddress, part, width, &matrix, 0)
                            }
                        }
                        let expected = ScalarYUV.bgra(
                            luma: luma, sampleBytes: sampleBytes, u: isGray ? [] : words[0], v: isGray ? [] : words[1],
                            factors: factors)
                        #expect(row.content == expected, "\(comment), grey \(isGray)")
                        #expect(row.isIntact, "\(comment): wrote outside")

                        // Non-temporal stores, which need aligned rows.
                        let line = 64
                        let aligned = UnsafeMutableRawBufferPointer.allocate(
                            byteCount: width * 4 + line, alignment: line)
                        defer { aligned.deallocate() }
                        _ = aligned.initializeMemory(as: UInt8.self, repeating: 0xA5)
                        try withUnaligned(luma) { source in
                            chroma.withUnsafeBufferPointer {
                                guard let base = aligned.assumingMemoryBound(to: UInt8.self).baseAddress else { return }
                                kernels.yuv_to_bgra_row(
                                    base, source, Int32(sampleBytes), isGray ? nil : $0.baseAddress, part, width,
                                    &matrix, 1)
                            }
                        }
                        #expect(Array(aligned.prefix(width * 4)) == expected, "\(comment), past the cache")
                        #expect(aligned.dropFirst(width * 4).allSatisfy { $0 == 0xA5 })
                    }
                }
            }
        }
    }
}
