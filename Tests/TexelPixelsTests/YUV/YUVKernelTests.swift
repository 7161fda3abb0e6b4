import CPixelKernels
import TestSupport
import Testing
import TexelFilters
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

    @Test(arguments: Level.all) func differencesAreTurned(level: Level) throws {
        let kernels = try level.kernels()
        var generator = SeededGenerator(seed: 45)
        for width in Self.widths {
            for content in SampleContent.allCases {
                for sampleBytes in [1, 2] {
                    let planes = (0..<2).map { _ in
                        ScalarYUV.widenChroma(
                            content.bytes(width * sampleBytes, using: &generator), sampleBytes: sampleBytes)
                    }
                    var (u, v) = (WordRow(width), WordRow(width))
                    u.words.replaceSubrange(0..<width, with: planes[0])
                    v.words.replaceSubrange(0..<width, with: planes[1])
                    kernels.turn_chroma_rows(&u.words, &v.words, width)
                    let expected = ScalarYUV.turnChroma(green: planes[0], orange: planes[1])
                    let comment = "\(level.testDescription), width \(width), \(sampleBytes) bytes, \(content)"
                    #expect(u.first(width) == expected.u && v.first(width) == expected.v, "\(comment)")
                    #expect(u.isIntact && v.isIntact, "\(comment): wrote outside")
                }
            }
        }
    }

    @Test(arguments: Level.all) func alphaIsSet(level: Level) throws {
        let kernels = try level.kernels()
        var generator = SeededGenerator(seed: 46)
        for width in Self.widths {
            for content in SampleContent.allCases {
                for sampleBytes in [1, 2] {
                    let samples = content.bytes(width * sampleBytes, using: &generator)
                    let pixels = SampleContent.random.bytes(width * 4, using: &generator)
                    let row = ByteRow(width * 4)
                    row.base.update(from: pixels, count: width * 4)
                    try withUnaligned(samples) { kernels.set_alpha_row(row.base, $0, Int32(sampleBytes), width) }
                    let alpha = ScalarYUV.alpha(samples, sampleBytes: sampleBytes)
                    let expected = pixels.indices.map { $0 % 4 == 3 ? alpha[$0 / 4] : pixels[$0] }
                    let comment = "\(level.testDescription), width \(width), \(sampleBytes) bytes, \(content)"
                    #expect(row.content == expected, "\(comment)")
                    #expect(row.isIntact, "\(comment): wrote outside")
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
                var row = WordRow(2 * width)
                padded.withUnsafeBufferPointer {
                    guard let base = $0.baseAddress else { return }
                    kernels.double_chroma_row(&row.words, base + 2, width)
                }
                let expected = ScalarYUV.doubleChroma(source)
                #expect(row.first(2 * width).every(2, from: 0) == expected.even, "\(comment), even")
                #expect(row.first(2 * width).every(2, from: 1) == expected.odd, "\(comment), odd")
                #expect(row.isIntact, "\(comment): wrote outside")
            }
        }
    }

    @Test(arguments: Level.all) func pairsOfRowsBecomeBGRA(level: Level) throws {
        typealias Row = UnsafeMutablePointer<UInt8>?
        let kernels = try level.kernels()
        var generator = SeededGenerator(seed: 43)
        for width in Self.widths {
            let cases = SampleContent.allCases.flatMap { content -> [(Int, SampleContent)] in
                [(1, content), (2, content)]
            }
            for (sampleBytes, content) in cases {
                let comment = "\(level.testDescription), width \(width), \(sampleBytes) bytes, \(content)"
                let factors = YUVFactors(
                    YUVFormat(.yuv420, bitDepth: sampleBytes == 1 ? 8 : 10), YUVColor(.bt709, .limited))
                // The range after doubling: up to 1.23 times as far below neutral.
                func chromaRow() -> [Int16] {
                    let samples = ScalarYUV.widenChroma(content.bytes(width, using: &generator), sampleBytes: 1)
                    return samples.map { Int16(min(16383, Int($0) * 5 / 4)) }
                }
                let planes = (0..<2).map { _ in (0..<4).map { _ in chromaRow() } }
                let part = WordRow.capacity(width)
                let padding = [Int16](repeating: 0x5AA5, count: part - width)
                let chroma = (0..<4).flatMap { planes[0][$0] + padding + planes[1][$0] + padding }
                let luma = (0..<2).map { _ in content.bytes(width * sampleBytes, using: &generator) }
                let (u, v) = (ScalarYUV.blendChroma(planes[0]), ScalarYUV.blendChroma(planes[1]))
                let expected = [(u.upper, v.upper), (u.lower, v.lower)].enumerated().map { row, chroma in
                    ScalarYUV.bgra(
                        luma: luma[row], sampleBytes: sampleBytes, u: chroma.0, v: chroma.1, factors: factors)
                }

                func convert(to rows: (Row, Row), bypassingCache: Bool = false) throws {
                    var matrix = texel_yuv_matrix(factors)
                    try withUnaligned(luma[0]) { upper in
                        try withUnaligned(luma[1]) { lower in
                            try chroma.withUnsafeBufferPointer {
                                let base = try #require($0.baseAddress)
                                var pair = texel_yuv_pair(destinations: rows, luma: (upper, lower))
                                kernels.yuv420_to_bgra_rows(
                                    &pair, Int32(sampleBytes), (0..<4).map { base + $0 * 2 * part }, part, width,
                                    &matrix, nil, bypassingCache ? 1 : 0)
                            }
                        }
                    }
                }
                let rows = (ByteRow(width * 4), ByteRow(width * 4))
                try convert(to: (rows.0.base, rows.1.base))
                #expect([rows.0.content, rows.1.content] == expected, "\(comment)")
                #expect(rows.0.isIntact && rows.1.isIntact, "\(comment): wrote outside")

                let single = (ByteRow(width * 4), ByteRow(width * 4))
                try convert(to: (single.0.base, nil))
                try convert(to: (nil, single.1.base))
                #expect([single.0.content, single.1.content] == expected, "\(comment), one at a time")
                #expect(single.0.isIntact && single.1.isIntact, "\(comment), one at a time: wrote outside")

                let aligned = (AlignedRow(width * 4), AlignedRow(width * 4))
                try convert(to: (aligned.0.base, aligned.1.base), bypassingCache: true)
                #expect([aligned.0.content, aligned.1.content] == expected, "\(comment), past the cache")
                #expect(aligned.0.isIntact && aligned.1.isIntact, "\(comment), past the cache: wrote outside")
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
                    var matrix = texel_yuv_matrix(factors)
                    let luma = content.bytes(width * sampleBytes, using: &generator)
                    // The range after both filters.
                    let words = (0..<2).map { _ in
                        (0..<width).map { _ in Int16.random(in: -24700...24700, using: &generator) }
                    }
                    let part = WordRow.capacity(width)
                    let padding = [Int16](repeating: 0x5AA5, count: part - width)
                    let chroma = words.flatMap { $0 + padding }
                    for isGray in [false, true] {
                        let row = ByteRow(width * 4)
                        try withUnaligned(luma) { source in
                            chroma.withUnsafeBufferPointer {
                                kernels.yuv_to_bgra_row(
                                    row.base, source, Int32(sampleBytes),
                                    isGray ? nil : $0.baseAddress, part, width, &matrix, nil, 0)
                            }
                        }
                        let expected = ScalarYUV.bgra(
                            luma: luma, sampleBytes: sampleBytes, u: isGray ? [] : words[0], v: isGray ? [] : words[1],
                            factors: factors)
                        #expect(row.content == expected, "\(comment), grey \(isGray)")
                        #expect(row.isIntact, "\(comment): wrote outside")

                        let aligned = AlignedRow(width * 4)
                        try withUnaligned(luma) { source in
                            chroma.withUnsafeBufferPointer {
                                kernels.yuv_to_bgra_row(
                                    aligned.base, source, Int32(sampleBytes), isGray ? nil : $0.baseAddress, part,
                                    width, &matrix, nil, 1)
                            }
                        }
                        #expect(aligned.content == expected, "\(comment), past the cache")
                        #expect(aligned.isIntact, "\(comment), past the cache: wrote outside")
                    }
                }
            }
        }
    }
}

extension texel_yuv_matrix {
    fileprivate init(_ factors: YUVFactors) {
        self.init(
            luma: factors.luma, black: factors.black, red_v: factors.redV, green_u: factors.greenU,
            green_v: factors.greenV, blue_u: factors.blueU)
    }
}
