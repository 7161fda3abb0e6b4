import TestImageWriting
import TestSupport
import Testing
import TexelPixels

@testable import TexelCodecs
@testable import TexelJPEG

/// Texel's own decoders of scans make what libjpeg's make. These tests run at each CPU level.
@Suite struct JPEGScanTests {
    /// The number of times that a file is decoded by both.
    private static let comparisonCount = 14

    /// Compares the decoders for every output and scale; returns how often the own one read all of the file.
    @discardableResult private func expectSame(
        _ bytes: [UInt8], _ name: String, threads: Int = 1
    ) -> (begun: Int, finished: Int) {
        var counts = (begun: 0, finished: 0)
        func compare(_ output: JPEGScanOutcome.Output, _ denominator: Int, skipsScans: Bool = false) {
            let own = JPEGScanOutcome(
                bytes, output, denominator: denominator, byLibrary: false, threads: threads, skipsScans: skipsScans)
            let library = JPEGScanOutcome(
                bytes, output, denominator: denominator, byLibrary: true, skipsScans: skipsScans)
            #expect(own == library, "\(name): \(output) at 1/\(denominator), skips scans: \(skipsScans)")
            if own.begins { counts.begun += 1 }
            if own.finishes { counts.finished += 1 }
        }
        for output in [JPEGScanOutcome.Output.rows, .grayRows, .planes] {
            for denominator in [1, 2, 4, 8] { compare(output, denominator) }
        }
        compare(.planes, 8, skipsScans: true)
        compare(.coefficients, 1)
        return counts
    }

    private func bytes(
        _ size: PixelSize, _ color: JPEGWriter.Color, _ sampling: (Int32, Int32) = (1, 1), quality: Int = 90,
        isProgressive: Bool = false, restartInterval: Int = 0, seed: UInt64? = nil
    ) throws -> [UInt8] {
        var writer = JPEGWriter(size, color)
        writer.sampling = sampling
        writer.quality = quality
        writer.isProgressive = isProgressive
        writer.restartInterval = restartInterval
        var generator = SeededGenerator(seed: seed ?? 1)
        let channels = color == .gray ? 1 : 4
        if seed != nil {
            return try writer.bytes(.random(count: size.width * size.height * channels, using: &generator))
        }
        let pixels = Canvas.photograph(size, seed: 5).pixels
        return try writer.bytes(
            pixels.flatMap { pixel in (0..<channels).map { UInt8(truncatingIfNeeded: pixel >> UInt32(8 * $0)) } })
    }

    @Test(arguments: [1, 7, 8, 9, 16, 17, 33, 250])
    func samplesAreThoseOfLibjpeg(width: Int) throws {
        for height in [1, 15, 33] {
            let size = PixelSize(width: width, height: height)
            for sampling: (Int32, Int32) in [(1, 1), (2, 1), (1, 2), (2, 2)] {
                for quality in [5, 60, 90, 100] {
                    let file = try bytes(size, .yCbCr, sampling, quality: quality)
                    #expect(expectSame(file, "\(size) \(sampling) \(quality)").finished == Self.comparisonCount)
                }
            }
            #expect(expectSame(try bytes(size, .gray), "grey \(size)").finished == Self.comparisonCount)
            #expect(expectSame(try bytes(size, .rgb), "RGB \(size)").finished >= 8)
        }
    }

    @Test func noiseHasTheSameSamples() throws {
        for sampling: (Int32, Int32) in [(1, 1), (2, 2)] {
            for quality in [1, 30, 80, 100] {
                let size = PixelSize(width: 90, height: 70)
                let file = try bytes(size, .yCbCr, sampling, quality: quality, seed: 3)
                #expect(expectSame(file, "noise \(sampling) \(quality)").begun == Self.comparisonCount)
            }
        }
    }

    @Test(arguments: [1, 2, 3, 7, 64]) func restartIntervalsAreRead(interval: Int) throws {
        let size = PixelSize(width: 131, height: 77)
        for sampling: (Int32, Int32) in [(1, 1), (2, 1), (2, 2)] {
            let file = try bytes(size, .yCbCr, sampling, restartInterval: interval)
            #expect(expectSame(file, "\(interval) \(sampling)").finished == Self.comparisonCount)
        }
        let gray = try bytes(size, .gray, restartInterval: interval)
        #expect(expectSame(gray, "grey \(interval)").finished == Self.comparisonCount)
    }

    /// Returns the file with one to three changes at or after a position.
    private func damaged(_ whole: [UInt8], from start: Int, using generator: inout SeededGenerator) -> [UInt8] {
        var file = whole
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
            let position = Int.random(in: start..<file.count, using: &generator)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: file[position] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case 1: file[position] = 0xFF
            case 2: file.remove(at: position)
            default: file.insert(contentsOf: [0xFF, .random(in: 0xC0...0xFF, using: &generator)], at: position)
            }
        }
        return file
    }

    /// libjpeg-turbo's faster loops do not report invalid codes, so that files that it decodes, small ones and damaged
    /// ones, are not read by them.
    @Test(arguments: [40, 200]) func invalidCodesAreReported(side: Int) throws {
        let size = PixelSize(width: side, height: side)
        for sampling: (Int32, Int32) in [(1, 1), (2, 2)] {
            var file = try bytes(size, .yCbCr, sampling, quality: 100, restartInterval: 4, seed: 5)
            let scan = try #require(file.indices.dropLast().last { file[$0] == 0xFF && file[$0 + 1] == 0xDA })
            let restart = try #require(
                file.indices[scan...].dropLast().first { file[$0] == 0xFF && file[$0 + 1] == 0xD0 })
            // 48 set bits: no code consists of ones only.
            file.replaceSubrange((restart + 10)..<(restart + 22), with: (0..<12).map { $0 % 2 == 0 ? 0xFF : 0 })
            let decoded = try CodecChecks(JPEGCodec()).decoded(file)
            #expect(decoded.warnings == ["Corrupt JPEG data: bad Huffman code"], "\(sampling)")
            #expect(decoded.notes.hasDamagedPixels)
        }
    }

    /// libjpeg has the last word about damage, and gives the rows before it only once.
    @Test func damagedFilesHaveTheSameSamplesAndWarnings() throws {
        var generator = SeededGenerator(seed: 11)
        var (begun, finished) = (0, 0)
        for interval in [0, 5] {
            let whole = try bytes(PixelSize(width: 120, height: 90), .yCbCr, (2, 2), restartInterval: interval)
            let scan = try #require((0..<whole.count - 1).last { whole[$0] == 0xFF && whole[$0 + 1] == 0xDA })
            for _ in 0..<60 {
                var file = damaged(whole, from: scan, using: &generator)
                if Bool.random(using: &generator) {
                    file.removeLast(Int.random(in: 1..<file.count - scan, using: &generator))
                }
                let counts = expectSame(file, "interval \(interval)")
                begun += counts.begun
                finished += counts.finished
            }
        }
        #expect(begun > 200 && finished < begun / 2)
    }

    /// Two threads share scans of 128 KB or more.
    @Test(arguments: [0, 50, 5000]) func twoThreadsMakeTheSameSamples(restartInterval: Int) throws {
        let size = PixelSize(width: 900, height: 700)
        for sampling: (Int32, Int32) in [(1, 1), (2, 2)] {
            let file = try bytes(size, .yCbCr, sampling, quality: 92, restartInterval: restartInterval, seed: 4)
            try #require(file.count > 256 << 10)
            #expect(expectSame(file, "\(sampling) \(restartInterval)", threads: 2).finished == Self.comparisonCount)
        }
    }

    @Test func twoThreadsRefuseTheSameDamage() throws {
        var generator = SeededGenerator(seed: 13)
        let whole = try bytes(PixelSize(width: 900, height: 700), .yCbCr, quality: 80, seed: 4)
        for _ in 0..<6 {
            var file = whole
            let position = Int.random(in: 2000..<file.count, using: &generator)
            if Bool.random(using: &generator) {
                file.removeSubrange(position...)
            } else {
                file[position] ^= 0x5A
            }
            for denominator in [1, 8] {
                let outcomes = [true, false].map { byLibrary in
                    JPEGScanOutcome(file, .planes, denominator: denominator, byLibrary: byLibrary, threads: 2)
                }
                #expect(outcomes[0] == outcomes[1], "at \(position), 1/\(denominator)")
            }
        }
    }

    /// The own decoder reads only their coefficients.
    @Test func samplesOfOtherKindsAreLeftToLibjpeg() throws {
        let size = PixelSize(width: 40, height: 30)
        for color in [JPEGWriter.Color.cmyk, .ycck] {
            #expect(expectSame(try bytes(size, color), "\(color)").begun == 1)
        }
        #expect(expectSame(try bytes(size, .yCbCr, (4, 1)), "4:1:1").begun == 1)
    }

    // MARK: Several scans

    @Test(arguments: [1, 7, 8, 9, 16, 17, 33, 250])
    func progressiveFilesHaveTheSameSamples(width: Int) throws {
        for height in [1, 15, 33] {
            let size = PixelSize(width: width, height: height)
            for sampling: (Int32, Int32) in [(1, 1), (2, 1), (1, 2), (2, 2), (4, 1)] {
                for quality in [5, 60, 97] {
                    let file = try bytes(size, .yCbCr, sampling, quality: quality, isProgressive: true)
                    #expect(expectSame(file, "\(size) \(sampling) \(quality)").finished == Self.comparisonCount)
                }
            }
            for color in [JPEGWriter.Color.gray, .cmyk, .ycck] {
                let file = try bytes(size, color, isProgressive: true)
                #expect(expectSame(file, "\(color) \(size)").finished == Self.comparisonCount)
            }
            #expect(expectSame(try bytes(size, .rgb, isProgressive: true), "RGB \(size)").finished >= 8)
        }
    }

    @Test(arguments: [1, 2, 7, 64, 1000]) func progressiveRestartIntervalsAreRead(interval: Int) throws {
        let size = PixelSize(width: 131, height: 77)
        for sampling: (Int32, Int32) in [(1, 1), (2, 1), (2, 2)] {
            let file = try bytes(size, .yCbCr, sampling, isProgressive: true, restartInterval: interval)
            #expect(expectSame(file, "\(interval) \(sampling)").finished == Self.comparisonCount)
        }
        let gray = try bytes(size, .gray, isProgressive: true, restartInterval: interval)
        #expect(expectSame(gray, "grey \(interval)").finished == Self.comparisonCount)
    }

    /// Returns a file with random coefficients: most are 0 in sparse blocks.
    private func file(
        _ size: PixelSize, _ sampling: (horizontal: Int, vertical: Int), componentCount: Int,
        _ scans: [ScanScript.Scan], largest: Int16, density: Int, using generator: inout SeededGenerator
    ) throws -> [UInt8] {
        let chroma = PixelSize(
            width: (size.width + sampling.horizontal - 1) / sampling.horizontal,
            height: (size.height + sampling.vertical - 1) / sampling.vertical)
        let components = try (0..<componentCount).map { index in
            let blocks = try BlockPlane(covering: index == 0 ? size : chroma)
            for word in 0..<blocks.count * 64 {
                let isZero = Int.random(in: 0..<100, using: &generator) >= density
                blocks.base[word] = isZero ? 0 : Int16.random(in: -largest...largest, using: &generator)
            }
            return JPEGCoefficients.Component(blocks: blocks, quantizer: min(index, 1))
        }
        let table = QuantizationTable(steps: Array(1...64))
        let coefficients = JPEGCoefficients(
            size: size, sampling: sampling, components: components,
            quantizers: Array(repeating: table, count: min(componentCount, 2)))
        return try JPEGFileWriter(
            coefficients, scans: scans, metadata: WrittenMetadata(), profile: nil, stop: nil
        ).finish().inMemory
    }

    /// Returns the scans of a band: the highest bits, then one bit after the other.
    private func scans(_ components: [Int], _ band: ClosedRange<Int>, lowBit: Int) -> [ScanScript.Scan] {
        [ScanScript.Scan(components: components, coefficients: band, lowBit: lowBit)]
            + (0..<lowBit).reversed().map { bit in
                ScanScript.Scan(components: components, coefficients: band, highBit: bit + 1, lowBit: bit)
            }
    }

    @Test(arguments: 0..<3) func scansOfAnyBandsAndBitsAreRead(number: Int) throws {
        let sampling = [(1, 1), (2, 1), (2, 2)][number]
        var generator = SeededGenerator(seed: 17)
        for round in 0..<24 {
            let count = round % 3 == 0 ? 1 : 3
            let components = Array(0..<count)
            var script: [ScanScript.Scan] = []
            for group in round % 2 == 0 ? [components] : components.map({ [$0] }) {
                script += scans(group, 0...0, lowBit: Int.random(in: 0...3, using: &generator))
            }
            for component in components {
                var first = 1
                while first <= 63 {
                    let last = min(63, first + Int.random(in: 8...63, using: &generator))
                    script += scans([component], first...last, lowBit: Int.random(in: 0...2, using: &generator))
                    first = last + 1
                }
            }
            let size = PixelSize(
                width: .random(in: 1...90, using: &generator), height: .random(in: 1...60, using: &generator))
            let bytes = try file(
                size, sampling, componentCount: count, script, largest: [1, 9, 1023][round / 3 % 3],
                density: [2, 20, 100][round / 9], using: &generator)
            #expect(expectSame(bytes, "round \(round)").finished == Self.comparisonCount)
        }
    }

    @Test func sequentialFilesWithSeveralScansAreRead() throws {
        var generator = SeededGenerator(seed: 19)
        for groups in [[[0], [1], [2]], [[0], [1, 2]]] {
            let script = groups.map { ScanScript.Scan(components: $0, coefficients: 0...63) }
            let bytes = try file(
                PixelSize(width: 75, height: 41), (2, 2), componentCount: 3, script, largest: 60, density: 15,
                using: &generator)
            #expect(expectSame(bytes, "\(groups)").finished == Self.comparisonCount)
        }
    }

    /// Damage anywhere after the first scan header, so also in tables and headers of other scans.
    @Test func damagedProgressiveFilesHaveTheSameSamplesAndWarnings() throws {
        var generator = SeededGenerator(seed: 23)
        var finished = 0
        for interval in [0, 5] {
            let whole = try bytes(
                PixelSize(width: 120, height: 90), .yCbCr, (2, 2), isProgressive: true, restartInterval: interval)
            let scan = try #require((0..<whole.count - 1).first { whole[$0] == 0xFF && whole[$0 + 1] == 0xDA })
            for _ in 0..<60 {
                var file = damaged(whole, from: scan, using: &generator)
                if Int.random(in: 0..<4, using: &generator) == 0 {
                    file.removeLast(Int.random(in: 1..<file.count - scan, using: &generator))
                }
                finished += expectSame(file, "interval \(interval)").finished
            }
        }
        #expect(finished > 0 && finished < 120 * Self.comparisonCount / 2)
    }

    @Test(.enabled(if: Corpora.isThere)) func theCorporaHaveTheSameSamples() throws {
        let files = Corpora.files("", extensions: ["jpg", "jpeg"])
        var (count, begun, finished) = (0, 0, 0)
        for file in files {
            let bytes = try Corpora.bytes(file)
            guard bytes.count < 1 << 20 else { continue }
            let counts = expectSame(bytes, Corpora.name(of: file))
            count += 1
            begun += counts.begun > 0 ? 1 : 0
            finished += counts.finished > 0 ? 1 : 0
        }
        print("JPEG scans: \(count) files, \(begun) begun, \(finished) read by the own decoder")
        #expect(begun > count / 3)
    }
}
