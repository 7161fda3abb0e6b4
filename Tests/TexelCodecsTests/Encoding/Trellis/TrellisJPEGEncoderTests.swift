import Synchronization
import TestSupport
import Testing
import TexelCore
import TexelPixels

@testable import TexelCodecs
@testable import TexelJPEG
@testable import TexelPNG

@Suite struct OptimizingJPEGEncoderTests {
    /// Extremes of size and content.
    private enum Content: CaseIterable {
        case smooth, noise, white, black, red, stripes, checkers

        func image(_ size: PixelSize) throws -> PixelBuffer {
            switch self {
            case .smooth: try .smooth(size)
            case .noise: try .random(width: size.width, height: size.height)
            case .white: try PixelBuffer(width: size.width, height: size.height, filledWith: 0xFFFF_FFFF)
            case .black: try PixelBuffer(width: size.width, height: size.height, filledWith: 0xFF00_0000)
            case .red: try PixelBuffer(width: size.width, height: size.height, filledWith: 0xFFFF_0000)
            case .stripes:
                try .make(width: size.width, height: size.height) { x, _ in x % 2 == 0 ? 0xFFFF_FFFF : 0xFF00_0000 }
            case .checkers:
                try .make(width: size.width, height: size.height) { x, y in (x + y) % 2 == 0 ? 0xFFFF_FFFF : 0xFF00_0000
                }
            }
        }
    }

    /// The maximum mean error of an image, about the error of noise with a medium step in all channels.
    private func bound(_ quality: Int) -> Double { [1: 110, 50: 40, 100: 6][quality] ?? 0 }

    @Test(arguments: [1, 50, 100]) func everyImageComesBack(quality: Int) throws {
        let sizes = [(1, 1), (2, 3), (7, 50), (8, 8), (50, 7), (33, 17), (64, 40)]
        for (width, height) in sizes {
            for content in Content.allCases {
                let image = try content.image(PixelSize(width: width, height: height))
                for subsampling in [ChromaSubsampling.yuv444, .yuv422, .yuv420] {
                    // Subsampling removes most colour of noise.
                    if content == .noise, subsampling != .yuv444 { continue }
                    let options = JPEGOptions(quality: quality, subsampling: subsampling)
                    let decoded = try image.encoded(as: .jpeg(options)).decoded()
                    #expect(decoded.size == image.size)
                    let error = meanDifference(decoded, image)
                    #expect(error <= bound(quality), "\(content), \(width)×\(height), \(subsampling)")
                }
            }
        }
    }

    @Test func stripsAreWhole() throws {
        for (width, height) in [(65_500, 1), (1, 65_500), (65_500, 9)] {
            let image = try PixelBuffer.smooth(PixelSize(width: width, height: height))
            let decoded = try image.encoded(as: .jpeg(), parallelism: 2).decoded()
            #expect(decoded.size == image.size)
            #expect(meanDifference(decoded, image) < 8, "\(width)×\(height)")
        }
    }

    @Test(arguments: ChromaSubsampling.allCases) func threadsChangeNothing(subsampling: ChromaSubsampling) throws {
        for (width, height) in [(1, 1), (100, 75), (129, 260)] {
            let image = try PixelBuffer.random(width: width, height: height)
            let encoding = ImageEncoding.jpeg(JPEGOptions(subsampling: subsampling))
            let alone = try image.encoded(as: encoding)
            for threads in [2, 3] {
                #expect(try image.encoded(as: encoding, parallelism: threads) == alone, "\(width)×\(height)")
            }
        }
    }

    @Test func smallerThanTheLibrarysOwn() throws {
        let image = try TestFolders.testImage("photograph.png").decoded()
        for quality in [30, 60, 80, 90] {
            let sizes = try [Effort.fast, .balanced].map { effort in
                let options = JPEGOptions(quality: quality, subsampling: .yuv420, effort: effort)
                return try image.encoded(as: .jpeg(options)).count
            }
            #expect(sizes[1] * 10 < sizes[0] * 9, "quality \(quality)")
        }
    }

    @Test func stopsWhereverItIsAsked() throws {
        let image = try PixelBuffer.random(width: 50, height: 60)
        let encoding = ImageEncoding.jpeg()
        let asked = Mutex(0)
        _ = try image.encoded(
            as: encoding,
            stop: StopToken {
                asked.withLock { $0 += 1 }
                return nil
            })
        let count = asked.withLock { $0 }
        // Rows of blocks in every stage, and polls inside the library.
        #expect(count > 60)
        for last in stride(from: 1, through: count, by: max(count / 20, 1)) {
            let left = Mutex(last)
            let stop = StopToken {
                left.withLock { left in
                    left -= 1
                    return left > 0 ? nil : .cancelled
                }
            }
            #expect(throws: TexelError.stopped(.cancelled)) { try image.encoded(as: encoding, stop: stop) }
        }
    }

    @Test func bestWritesTheBytesOfBalanced() throws {
        let image = try PixelBuffer.smooth(PixelSize(width: 90, height: 70))
        let files = try [Effort.balanced, .best].map { try image.encoded(as: .jpeg(JPEGOptions(effort: $0))) }
        #expect(files[0] == files[1])
    }

    @Test func planesAndPixelsComeToTheSame() throws {
        // Grey pixels equal their luma.
        let image = try PixelBuffer.make(width: 70, height: 50) { x, y in
            let value = UInt32(x * 2 + y) & 255
            return 0xFF00_0000 | value << 16 | value << 8 | value
        }
        let plane = try Plane(image.size)
        plane.withUnsafeSamples { samples in
            for y in 0..<50 { for x in 0..<70 { samples[y * plane.bytesPerRow + x] = UInt8(image[x, y] & 255) } }
        }
        let encoder = JPEGOptions().encoder(EncodingContext())
        #expect(try encoder.encode([plane], colorSpace: .sRGB).inMemory == image.encoded(as: .jpeg(JPEGOptions())))
    }

    @Test func markersAreWrittenAsElsewhere() throws {
        let image = try PixelBuffer.smooth(PixelSize(width: 40, height: 30))
        var metadata = WrittenMetadata()
        metadata.density = PixelDensity(horizontal: Rational(300), vertical: Rational(300), unit: .perInch)
        func segments(_ effort: Effort) throws -> [[UInt8]] {
            let file = try JPEGFile(
                InputBytes(try image.encoded(as: .jpeg(JPEGOptions(effort: effort)), metadata: metadata)))
            return file.segments.filter { JPEGFile.Marker.isApplication($0.marker) }.map {
                Array(file.bytes[$0.payload])
            }
        }
        #expect(try segments(.balanced) == segments(.fast))
        #expect(try segments(.best) == segments(.fast))
    }
}

@Suite struct EncodingMemoryTests {
    @Test(arguments: [ChromaSubsampling.automatic, .yuv444])
    func pixelsGoBeforeTheirFrequenciesAreQuantised(subsampling: ChromaSubsampling) throws {
        let watched = WatchedPixels()
        let options = JPEGOptions(subsampling: subsampling)
        _ = try options.encode(
            watched.make(width: 90, height: 200), EncodingContext(stop: watched.stop))
        #expect(watched.shareWithoutPixels > 0.4)
    }

    @Test func onlyTheLastFileTakesTheFrequencies() throws {
        let rows = BlockRows(parallelism: 2, stop: nil)
        let image = try PixelBuffer.random(width: 70, height: 50)
        let frequencies = try ImageCoefficients(image, isGray: false, sampling: (2, 2), rows)
        let encoder = TrellisJPEGEncoder(
            frequencies, isProgressive: nil, metadata: WrittenMetadata(), profile: nil, rows)
        let first = try encoder.encode(quality: 70)
        #expect(try encoder.encode(quality: 70) == first)
        #expect(try encoder.encode(quality: 30) != first)
        #expect(try encoder.encode(quality: 70, isLast: true) == first)
    }
}

@Suite struct JPEGCandidateTests {
    /// Returns lines in two colours.
    private func lines(_ a: UInt32, _ b: UInt32) throws -> PixelBuffer {
        try .make(width: 160, height: 90) { x, y in (x / 3 + y / 4) % 3 == 0 ? a : b }
    }

    @Test func candidatesAreWhatEncodingGives() throws {
        let image = try PixelBuffer.smooth(PixelSize(width: 90, height: 70))
        for qualities in [[80, 80], [50, 98, 80]] {
            let options = JPEGOptions(quality: qualities[0])
            var candidates = try options.encoder(EncodingContext())
                .candidates(of: image, background: .white)
            let files = try qualities.map { try candidates.encode(quality: Double($0), .automatic) }
            for (file, quality) in zip(files, qualities) {
                #expect(try file == image.encoded(as: .jpeg(JPEGOptions(quality: quality))))
            }
        }
    }

    @Test func finerStepsThanWholeQualities() throws {
        let image = try TestFolders.testImage("photograph.png").decoded()
        var candidates = try JPEGOptions().encoder(EncodingContext())
            .candidates(of: image, background: .white)
        let sizes = try stride(from: 70.0, through: 71, by: 0.25).map {
            try candidates.encode(quality: $0, .automatic).count
        }
        #expect(Set(sizes).count == sizes.count && sizes[0] < sizes[sizes.count - 1])
    }

    private func sampling(
        _ image: PixelBuffer, _ subsampling: ChromaSubsampling = .automatic, quality: Int = 75
    ) throws -> String? {
        let options = JPEGOptions(quality: quality, subsampling: subsampling)
        return try image.encoded(as: .jpeg(options)).source().info.chromaSubsampling
    }

    /// The better luma is, the more the colours are missed that 4:2:0 has lost.
    @Test func detailsOfColorCountAtHighQualities() throws {
        var generator = SeededGenerator(seed: 77)
        let image = try PixelBuffer.make(width: 160, height: 120) { x, y in
            let light = UInt32.random(in: 90...130, using: &generator)
            let isPetal = x / 5 % 4 == 1 && y / 3 % 4 == 2
            return 0xFF00_0000 | (light + (isPetal ? 70 : 0)) << 16 | light << 8 | (light - (isPetal ? 40 : 0))
        }
        let chosen = try [10, 60, 99].map { try sampling(image, quality: $0) }
        #expect(chosen.first == "4:2:0" && chosen.last == "4:4:4", "\(chosen)")
        // The choice does not depend on the number of threads.
        for quality in [60, 99] {
            let options = JPEGOptions(quality: quality)
            let files = try [1, 3].map { threads in
                var context = EncodingContext()
                context.parallelism = threads
                return try options.encode(image, context)
            }
            #expect(files[0] == files[1])
        }
    }

    @Test func imagesThatLiveByTheirColorsKeepThemAll() throws {
        let colored = try lines(0xFFE0_1010, 0xFF10_10E0)
        #expect(try sampling(colored) == "4:4:4")
        #expect(try sampling(colored, .yuv420) == "4:2:0")
        #expect(try sampling(lines(0xFF60_5040, 0xFFA0_9080)) == "4:2:0")
        #expect(try sampling(.smooth(PixelSize(width: 131, height: 67))) == "4:2:0")
    }
}
