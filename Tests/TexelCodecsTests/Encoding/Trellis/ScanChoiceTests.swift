import TestSupport
import Testing
import TexelCore
import TexelPixels

@testable import TexelCodecs
@testable import TexelJPEG

/// The counted sizes equal those that libjpeg writes.
@Suite struct ScanChoiceTests {
    /// Coefficients of every kind: long runs of empty blocks, large magnitudes, dense blocks, with sizes that leave
    /// blocks outside the image.
    enum Content: CaseIterable { case sparse, dense, large, empty, mixed }

    private func coefficients(
        _ size: PixelSize, _ sampling: (horizontal: Int, vertical: Int), componentCount: Int, _ content: Content,
        seed: UInt64
    ) throws -> JPEGCoefficients {
        var generator = SeededGenerator(seed: seed)
        let chroma = PixelSize(
            width: (size.width + sampling.horizontal - 1) / sampling.horizontal,
            height: (size.height + sampling.vertical - 1) / sampling.vertical)
        let components = try (0..<componentCount).map { index in
            let blocks = try BlockPlane(covering: index == 0 ? size : chroma)
            for block in 0..<blocks.count {
                var kind = content
                if content == .mixed { kind = Content.allCases.randomElement(using: &generator) ?? .sparse }
                let words = blocks.base + block * 64
                for place in 0..<64 {
                    let chance = Int.random(in: 0..<100, using: &generator)
                    words[place] =
                        switch kind {
                        case .empty, .mixed: 0
                        case .sparse: chance < 3 ? Int16.random(in: -3...3, using: &generator) : 0
                        case .dense: Int16.random(in: -9...9, using: &generator)
                        case .large: Int16.random(in: -1023...1023, using: &generator)
                        }
                }
            }
            return JPEGCoefficients.Component(blocks: blocks, quantizer: min(index, 1))
        }
        let table = QuantizationTable(steps: Array(1...64))
        return JPEGCoefficients(
            size: size, sampling: sampling, components: components,
            quantizers: Array(repeating: table, count: min(componentCount, 2)))
    }

    private func file(_ coefficients: JPEGCoefficients, _ script: ScanScript) throws -> [UInt8] {
        try JPEGFileWriter(
            coefficients, scans: script.scans, metadata: WrittenMetadata(), profile: nil, stop: nil
        ).finish().inMemory
    }

    @Test(arguments: Content.allCases, [(1, 1), (2, 1), (2, 2)])
    func countedSizesAreWritten(content: Content, sampling: (Int, Int)) throws {
        for (width, height) in [(1, 1), (8, 8), (17, 9), (100, 75), (200, 16), (3, 300)] {
            for componentCount in [1, 3] {
                let coefficients = try coefficients(
                    PixelSize(width: width, height: height), sampling, componentCount: componentCount, content,
                    seed: UInt64(width * height))
                let choice = try ScanChoice(coefficients, BlockRows(parallelism: 1, stop: nil))
                let comment = "\(width)×\(height), \(componentCount)"
                var sizes: [Int] = []
                for script in [choice.sequential(), try choice.progressive()] {
                    let scans = JPEGScans(try file(coefficients, script))
                    #expect(scans.scanCount == max(script.scans.count, 1), "\(comment)")
                    #expect(scans.byteCount == script.byteCount, "\(comment)")
                    sizes.append(script.byteCount)
                }
                #expect(try choice.smallest(isProgressive: nil).byteCount == sizes.min(), "\(comment)")
            }
        }
    }

    @Test func everyKindOfScanIsCounted() throws {
        let size = PixelSize(width: 90, height: 61)
        for content in Content.allCases {
            let coefficients = try coefficients(size, (2, 2), componentCount: 3, content, seed: 5)
            let masks = try CoefficientMasks(
                coefficients.components[0].blocks, BlockRows(parallelism: 1, stop: nil))
            // Three low bits in later scans, in a spectrum of several bands.
            var scans = [ScanScript.Scan(components: [0, 1, 2], coefficients: 0...0)]
            var expected = 0
            let cuts = [1, 3, 6, 12, 63, 64]
            for (start, end) in [(0, 2), (2, 4), (4, 5)] {
                let band = cuts[start]...(cuts[end] - 1)
                scans.append(ScanScript.Scan(components: [0], coefficients: band, lowBit: 3))
                expected += bytes(BandCounts.first(masks, cuts: cuts, lowBit: 3).scan(from: start, to: end))
                for bit in (0..<3).reversed() {
                    scans.append(ScanScript.Scan(components: [0], coefficients: band, highBit: bit + 1, lowBit: bit))
                    let counts = BandCounts.refinement(masks, cuts: cuts, lowBit: bit)
                    expected += bytes(counts.scan(from: start, to: end))
                }
            }
            let all = JPEGScans(try file(coefficients, ScanScript(scans: scans, byteCount: 0)))
            let means = JPEGScans(try file(coefficients, ScanScript(scans: [scans[0]], byteCount: 0)))
            #expect(all.byteCount - means.byteCount == expected, "\(content)")
        }
    }

    /// Returns the size of a scan with one component.
    private func bytes(_ counts: ScanCounts) -> Int { 10 + counts.size.tableBytes + (counts.size.bits + 7) / 8 }

    @Test func longRunsOfEmptyBlocks() throws {
        // More than the 32,767 blocks of one symbol.
        let size = PixelSize(width: 8 * 260, height: 8 * 260)
        let coefficients = try coefficients(size, (1, 1), componentCount: 1, .empty, seed: 1)
        let script = try ScanChoice(coefficients, BlockRows(parallelism: 2, stop: nil)).progressive()
        #expect(JPEGScans(try file(coefficients, script)).byteCount == script.byteCount)
    }

    @Test func threadsChangeNothing() throws {
        let coefficients = try coefficients(
            PixelSize(width: 300, height: 200), (2, 2), componentCount: 3, .mixed, seed: 3)
        let scripts = try [1, 2, 5].map {
            try ScanChoice(coefficients, BlockRows(parallelism: $0, stop: nil)).smallest(isProgressive: nil)
        }
        #expect(Set(scripts).count == 1)
    }

    @Test func countingStopsWhenAsked() throws {
        let coefficients = try coefficients(
            PixelSize(width: 300, height: 200), (2, 2), componentCount: 3, .mixed, seed: 3)
        for parallelism in [1, 2] {
            #expect(throws: TexelError.stopped(.cancelled)) {
                _ = try ScanChoice(
                    coefficients, BlockRows(parallelism: parallelism, stop: StopToken { .cancelled }))
            }
        }
    }
}
