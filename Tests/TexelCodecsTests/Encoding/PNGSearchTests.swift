import Synchronization
import TestSupport
import Testing
import TexelCore
import TexelPixels

@testable import TexelCodecs
import TexelFormats
@testable import TexelPNG

/// The candidates of the search for the smallest file keep every pixel.
@Suite struct PNGSearchTests {
    /// Returns a file with pixels that have been filtered and compressed by any method.
    private func file(
        _ image: PixelBuffer, _ reduction: PNGPixelFormat, _ parts: [[UInt8]]
    ) throws -> [UInt8] {
        var file = PNGChunkWriter()
        let size = [image.width, image.height].flatMap { PNGChunkWriter.bigEndian(UInt32($0)) }
        file.append("IHDR", size + [UInt8(reduction.bitDepth), UInt8(reduction.colorType.rawValue), 0, 0, 0])
        if reduction.colorType == .palette {
            file.append("PLTE", reduction.palette.flatMap { PNGChunkWriter.bigEndian($0).dropFirst() })
        }
        if !reduction.transparencyChunk.isEmpty { file.append("tRNS", reduction.transparencyChunk) }
        file.append(pixels: parts)
        file.append("IEND", [])
        return file.bytes
    }

    private static let strategies: [FilterStrategy] =
        (UInt8(0)..<5).map(FilterStrategy.fixed) + [
            .magnitudes, .entropy, .likelihood, .pairs, .pairEntropy, .matches, .deflated,
        ]

    @Test(arguments: PNGKind.all)
    func everyWayToStoreAndToFilterKeepsThePixels(kind: PNGKind) throws {
        for width in [1, 19] {
            let image = try kind.image(width: width, height: 7, seed: UInt64(width))
            let reductions = PNGPixelFormat.all(of: image, allowsGray: true, allowsColor: true)
            var variants = reductions + reductions.map(\.inBytes)
            for reduction in reductions where reduction.colorType == .palette {
                let neighbors = ColorNeighbors(image, colors: reduction.palette)
                for order in [
                    PaletteOrder.byLuma(reduction.palette), neighbors.byPopularity, neighbors.byNeighbors,
                ] {
                    #expect(order.sorted() == reduction.palette.sorted())
                    variants.append(reduction.reordered(order))
                }
            }
            for variant in variants {
                for strategy in Self.strategies {
                    let stream = PixelStream(
                        rows: PNGRows(.buffer(image), variant), strategy: strategy, bandSize: 100, stop: nil)
                    let bands = try (0..<stream.bandCount).map { band in
                        try stream.compress(stream.filteredBand(band), band: band, Deflate(level: 1))
                    }
                    let bytes = try file(image, variant, PixelStream.joined(bands, effort: .best))
                    expectPixelsEqual(try bytes.decoded(), image, "\(kind.name), \(width), \(variant), \(strategy)")
                }
            }
        }
    }

    @Test(arguments: Effort.allCases)
    func smallAndPlainImagesKeepTheirPixels(effort: Effort) throws {
        let options = PNGOptions(effort: effort)
        for kind in PNGKind.all {
            for (width, height) in [(1, 1), (3, 5), (33, 17)] {
                let image = try kind.image(width: width, height: height, seed: 3)
                let bytes = try image.encoded(as: .png(options), parallelism: 2)
                expectPixelsEqual(try bytes.decoded(), image, "\(kind.name), \(width)×\(height), \(effort)")
            }
        }
        for color: UInt32 in [0, 0x0012_3456, 0x8012_3456, 0xFF12_3456, 0xFFFF_FFFF, 0xFF80_8080] {
            let image = try PixelBuffer(width: 90, height: 70, filledWith: color)
            let bytes = try image.encoded(as: .png(options), parallelism: 2)
            expectPixelsEqual(try bytes.decoded(), image, "\(color)")
            #expect(try image.encoded(as: .png(options)) == bytes)
            #expect(bytes.count < 150)
        }
    }

    @Test func moreEffortIsNeverMoreBytes() throws {
        for kind in PNGKind.all {
            let image = try PixelBuffer.make(width: 70, height: 50, alphaMode: kind.alphaMode) { x, y in
                kind.pixel(UInt32(x * x / 7 + y * 3))
            }
            let sizes = try Effort.allCases.map { try image.encoded(as: .png(PNGOptions(effort: $0))).count }
            #expect(sizes[1] <= sizes[0] && sizes[2] <= sizes[1], "\(kind.name): \(sizes)")
        }
    }

    /// Gradients with noise, whose best filters differ between rows.
    private func photograph() throws -> PixelBuffer {
        var generator = SeededGenerator(seed: 21)
        return try .make(width: 160, height: 120) { x, y in
            let noise = UInt32.random(in: 0...3, using: &generator)
            let value = UInt32(y % 40 < 20 ? x : 2 * y) % 250 + noise
            return 0xFF00_0000 | value << 16 | (value / 2 + 9) << 8 | noise
        }
    }

    @Test func compressingAgainIsFewerBytesForPhotographs() throws {
        let image = try photograph()
        var options = PNGOptions()
        let quick = try image.encoded(as: .png(options))
        options.compresses = true
        #expect(try image.encoded(as: .png(options)).count <= quick.count)
    }

    @Test func compressingAgainKeepsThePixels() throws {
        var options = PNGOptions()
        options.compresses = true
        for image in [try photograph()] + (try PNGKind.all.map { try $0.image(width: 90, height: 80, seed: 4) }) {
            let bytes = try image.encoded(as: .png(options))
            #expect(try image.encoded(as: .png(options), parallelism: 3) == bytes)
            expectPixelsEqual(try bytes.decoded(), image, "\(image.size)")
        }
    }

    // MARK: One transparent colour

    private func keyed(transparent: UInt32, isGray: Bool, besides: UInt32? = nil) throws -> PixelBuffer {
        try .make(width: 60, height: 50, alphaMode: .straight) { x, y in
            if let besides, x == 30, y == 30 { return besides }
            let value = UInt32(x * 4 + y / 50)
            return x < 10
                ? transparent : 0xFF00_0000 | (isGray ? value * 0x01_0101 : value << 16 | UInt32(y * 5) << 8 | value)
        }
    }

    @Test func oneTransparentColorNeedsNoAlphaChannel() throws {
        for (isGray, color) in [(false, 0x0000_0000), (false, 0x00FF_FF01), (true, 0), (true, 0x0001_0101)]
            as [(Bool, UInt32)]
        {
            let image = try keyed(transparent: color, isGray: isGray)
            let reductions = PNGPixelFormat.all(of: image, allowsGray: true, allowsColor: true)
            #expect(!reductions.contains { [.rgba, .grayAlpha].contains($0.colorType) })
            for effort in Effort.allCases {
                let bytes = try image.encoded(as: .png(PNGOptions(effort: effort)))
                expectPixelsEqual(try bytes.decoded(), image, "\(isGray) \(color) \(effort)")
                #expect(try bytes.source().info.hasAlpha)
            }
        }
    }

    /// The colour of transparent pixels also occurs opaque, or there are two, or one pixel is half transparent.
    @Test(arguments: [0xFF08_0808, 0x0001_0203, 0x8008_0808] as [UInt32])
    func otherTransparencyNeedsAnAlphaChannel(besides: UInt32) throws {
        let image = try keyed(transparent: 0x0008_0808, isGray: false, besides: besides)
        let reductions = PNGPixelFormat.all(of: image, allowsGray: true, allowsColor: true)
        #expect(reductions.allSatisfy { $0.transparent == nil && $0.colorType != .rgb })
        expectPixelsEqual(try image.encoded(as: .png(PNGOptions())).decoded(), image, "\(besides)")
    }

    /// The pixels are those of the palette at every effort, packed or not with 16 colours, in any order with more.
    @Test(arguments: Effort.allCases, [2, 16, 200])
    func palettesAreStoredExactly(effort: Effort, colors: Int) throws {
        for alphaMode in [AlphaMode.opaque, .straight] {
            let image = try PixelBuffer.random(width: 61, height: 40, alphaMode: alphaMode)
            let palette = PaletteOptions(colors: colors)
            let quantized = try #require(try image.quantized(palette))
            let bytes = try image.encoded(as: .png(PNGOptions(effort: effort, palette: palette)))
            expectPixelsEqual(try bytes.decoded(), quantized, "\(alphaMode)")
        }
    }

    /// The stop occurs during quantisation.
    @Test func choosingColorsCanBeStopped() throws {
        let image = try PixelBuffer.random(width: 300, height: 300)
        let asked = Atomic(0)
        let stop = StopToken { asked.add(1, ordering: .relaxed).newValue > 4 ? .cancelled : nil }
        #expect(throws: TexelError.stopped(.cancelled)) {
            try image.encoded(as: .png(PNGOptions(palette: PaletteOptions())), stop: stop)
        }
        #expect(asked.load(ordering: .relaxed) < 8)
    }

    // MARK: Parts

    @Test func partsOfZopfliMakeOneStream() throws {
        var generator = SeededGenerator(seed: 11)
        let image = try PixelBuffer.make(width: 100, height: 80) { _, _ in
            0xFF00_0000 | UInt32.random(in: 0...3, using: &generator) * 0x0B_0B0B
        }
        let reduction = try #require(
            PNGPixelFormat.all(of: image, allowsGray: true, allowsColor: false).first)
        let stream = PixelStream(
            rows: PNGRows(.buffer(image), reduction), strategy: .fixed(0), bandSize: 1 << 20, stop: nil)
        let filtered = try stream.filteredBand(0)
        for cuts in [[0, filtered.count], [0, 1, 700, filtered.count], [0, 2000, 2001, 2002, 5000, filtered.count]] {
            var bits = Zopfli.Bits()
            for (begin, end) in zip(cuts, cuts.dropFirst()) {
                bits.append(Zopfli.compressed(filtered, begin..<end, iterations: 2, isLast: end == filtered.count))
            }
            #expect(bits.bytes.count == (bits.count + 7) / 8)
            var checksum = Adler32()
            checksum.append(filtered.withUnsafeBytes(Adler32.checksum), count: filtered.count)
            let bytes = try file(image, reduction, [Zlib.header(.best) + bits.bytes + checksum.bytes])
            expectPixelsEqual(try bytes.decoded(), image, "\(cuts)")
        }
    }

    @Test func bitsFollowEachOther() {
        var generator = SeededGenerator(seed: 12)
        for _ in 0..<200 {
            var (bits, expected) = (Zopfli.Bits(), [Bool]())
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let part = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                    Bool.random(using: &generator)
                }
                var bytes = [UInt8](repeating: 0, count: (part.count + 7) / 8)
                for (index, bit) in part.enumerated() where bit { bytes[index / 8] |= 1 << UInt8(index % 8) }
                bits.append(Zopfli.Bits(bytes: bytes, count: part.count))
                expected += part
            }
            #expect(bits.count == expected.count && bits.bytes.count == (expected.count + 7) / 8)
            for (index, bit) in expected.enumerated() {
                #expect((bits.bytes[index / 8] >> UInt8(index % 8) & 1 == 1) == bit)
            }
        }
    }

    // MARK: Filters

    /// The filters that are read from a stream make the same stream, in any number of bands.
    @Test func chosenFiltersAreKept() throws {
        let rows = PNGRows(.buffer(try photograph()), PNGPixelFormat(unreduced: .opaque))
        for strategy in Self.strategies {
            var stream = PixelStream(rows: rows, strategy: strategy, bandSize: 20_000, stop: nil)
            let filtered = try (0..<stream.bandCount).map { try stream.filteredBand($0) }
            let bands = try filtered.indices.map { band in
                try stream.compress(filtered[band], band: band, Deflate(level: 1))
            }
            stream.strategy = .chosen(bands.flatMap(\.filters))
            #expect(try (0..<stream.bandCount).map { try stream.filteredBand($0) } == filtered, "\(strategy)")
        }
    }

    /// Matches are found in the row itself and in earlier rows, and cost less than their literals.
    @Test func repeatedRowsCostLessThanNewOnes() throws {
        var generator = SeededGenerator(seed: 22)
        let row = (0..<300).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let bytes = row + row + (0..<300).map { _ in UInt8.random(in: 0...255, using: &generator) }
        var matches = try RowMatches()
        let first = matches.cost(of: bytes, at: 0, count: 300)
        #expect(first == matches.literalsCost(of: bytes, count: 300))
        matches.add(bytes, at: 0, count: 300)
        #expect(matches.cost(of: bytes, at: 300, count: 300) < first / 20)
        #expect(matches.cost(of: bytes, at: 600, count: 300) > first / 2)
        let repeated = (0..<300).map { UInt8($0 % 30 * 8) }
        #expect(try RowMatches().cost(of: repeated, at: 0, count: 300) < first / 5)
    }

    /// Estimates neither read nor find matches outside the rows, also in short and far ones.
    @Test func estimatesEndWithTheirRows() throws {
        for count in [1, 2, 3, 8, 9, 70_000] {
            let bytes = [UInt8](repeating: 7, count: 3 * count)
            var matches = try RowMatches()
            for row in 0..<3 {
                let cost = matches.cost(of: bytes, at: row * count, count: count)
                #expect(cost >= 0 && cost <= matches.literalsCost(of: bytes, count: count))
                matches.add(bytes, at: row * count, count: count)
            }
        }
    }

    // MARK: Measures

    @Test func theTermsOfAnEntropyAreExactEnough() {
        var last = -1
        for count in [1, 2, 3, 4, 5, 7, 8, 100, 255, 4095, 4096, 4097, 1 << 20, 5_000_000] as [UInt32] {
            let term = EntropyTable.shared.term(count)
            #expect(term > last)
            last = term
            // A logarithm with 16 fraction bits, truncated.
            let exact = (0..<32).contains { 1 << $0 == count } ? Int(count) * count.trailingZeroBitCount << 16 : nil
            if let exact { #expect(term == exact) }
        }
        #expect(EntropyTable.shared.term(0) == 0)
        // 3 × log₂ 3 = 4.75489.
        #expect(abs(EntropyTable.shared.term(3) - 311_616) < 8)
    }

    @Test func differentPairsAreCountedOnce() {
        let entropy = RowEntropy()
        let rows: [(bytes: [UInt8], pairs: Int)] = [
            ([1], 0), ([1, 2], 1), ([1, 2, 1, 2], 2), ([0, 0, 0, 0], 1), ([0, 1, 2, 3, 0, 1], 4),
        ]
        for _ in 0..<2 {  // counts of the first pass are cleared
            for row in rows {
                #expect(entropy.differentPairs(row.bytes, count: row.bytes.count) == row.pairs)
            }
        }
        let (plain, mixed) = ([UInt8](repeating: 7, count: 64), (0..<64).map { UInt8($0 * 4) })
        #expect(entropy.ofBytes(plain, count: 64) < entropy.ofBytes(mixed, count: 64))
        #expect(entropy.ofPairs(plain, count: 64) < entropy.ofPairs(mixed, count: 64))
    }
}
