import TestImageWriting
import TestSupport
import Testing
import TexelPixels

/// Texel's own decoder of a scan makes what libjpeg's makes. These tests run at each CPU level.
@Suite struct JPEGScanTests {
    /// Compares the decoders for every output and scale; returns how often the own one read all of the file.
    @discardableResult private func expectSame(
        _ bytes: [UInt8], _ name: String, threads: Int = 1
    ) -> (begun: Int, finished: Int) {
        var counts = (begun: 0, finished: 0)
        for output in JPEGScanOutcome.Output.allCases {
            for denominator in [1, 2, 4, 8] {
                let own = JPEGScanOutcome(
                    bytes, output, denominator: denominator, byLibrary: false, threads: threads)
                let library = JPEGScanOutcome(bytes, output, denominator: denominator, byLibrary: true)
                #expect(own == library, "\(name): \(output) at 1/\(denominator)")
                if own.begins { counts.begun += 1 }
                if own.finishes { counts.finished += 1 }
            }
        }
        return counts
    }

    private func bytes(
        _ size: PixelSize, _ color: JPEGWriter.Color, _ sampling: (Int32, Int32) = (1, 1), quality: Int = 90,
        restartInterval: Int = 0, seed: UInt64? = nil
    ) throws -> [UInt8] {
        var writer = JPEGWriter(size, color)
        writer.sampling = sampling
        writer.quality = quality
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
                    #expect(expectSame(file, "\(size) \(sampling) \(quality)").finished == 12)
                }
            }
            #expect(expectSame(try bytes(size, .gray), "grey \(size)").finished == 12)
            #expect(expectSame(try bytes(size, .rgb), "RGB \(size)").finished >= 8)
        }
    }

    @Test func noiseHasTheSameSamples() throws {
        for sampling: (Int32, Int32) in [(1, 1), (2, 2)] {
            for quality in [1, 30, 80, 100] {
                let size = PixelSize(width: 90, height: 70)
                let file = try bytes(size, .yCbCr, sampling, quality: quality, seed: 3)
                #expect(expectSame(file, "noise \(sampling) \(quality)").begun == 12)
            }
        }
    }

    @Test(arguments: [1, 2, 3, 7, 64]) func restartIntervalsAreRead(interval: Int) throws {
        let size = PixelSize(width: 131, height: 77)
        for sampling: (Int32, Int32) in [(1, 1), (2, 1), (2, 2)] {
            let file = try bytes(size, .yCbCr, sampling, restartInterval: interval)
            #expect(expectSame(file, "\(interval) \(sampling)").finished == 12)
        }
        #expect(expectSame(try bytes(size, .gray, restartInterval: interval), "grey \(interval)").finished == 12)
    }

    /// libjpeg has the last word about damage, and gives the rows before it only once.
    @Test func damagedFilesHaveTheSameSamplesAndWarnings() throws {
        var generator = SeededGenerator(seed: 11)
        var (begun, finished) = (0, 0)
        for interval in [0, 5] {
            let whole = try bytes(PixelSize(width: 120, height: 90), .yCbCr, (2, 2), restartInterval: interval)
            let scan = try #require((0..<whole.count - 1).last { whole[$0] == 0xFF && whole[$0 + 1] == 0xDA })
            for _ in 0..<60 {
                var file = whole
                for _ in 0..<Int.random(in: 1...3, using: &generator) {
                    let position = Int.random(in: scan..<file.count, using: &generator)
                    switch Int.random(in: 0..<4, using: &generator) {
                    case 0: file[position] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
                    case 1: file[position] = 0xFF
                    case 2: file.remove(at: position)
                    default: file.insert(contentsOf: [0xFF, .random(in: 0xC0...0xFF, using: &generator)], at: position)
                    }
                }
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
            #expect(expectSame(file, "\(sampling) \(restartInterval)", threads: 2).finished == 12)
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

    @Test func filesOfOtherKindsAreLeftToLibjpeg() throws {
        let size = PixelSize(width: 40, height: 30)
        for color in [JPEGWriter.Color.cmyk, .ycck] {
            #expect(expectSame(try bytes(size, color), "\(color)").begun == 0)
        }
        #expect(expectSame(try bytes(size, .yCbCr, (4, 1)), "4:1:1").begun == 0)
        #expect(expectSame(try TestFolders.testImage("progressive.jpg"), "progressive").begun == 0)
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
