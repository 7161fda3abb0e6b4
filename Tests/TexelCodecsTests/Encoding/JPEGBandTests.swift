import TestSupport
import Testing

import TexelCore
@testable import TexelCodecs
@testable import TexelJPEG
@testable import TexelPixels

/// Very large JPEGs are encoded in bands: here small ones, with a small limit.
@Suite(.timeLimit(.minutes(30))) struct JPEGBandTests {
    private static func image(_ width: Int, _ height: Int, isGray: Bool = false) throws -> PixelBuffer {
        try .grainy(PixelSize(width: width, height: height), isGray: isGray)
    }

    /// Options that encode images of more than `limit` pixels in bands.
    private static func options(
        _ subsampling: ChromaSubsampling = .automatic, quality: Int = 80, limit: Int
    ) -> JPEGOptions {
        var options = JPEGOptions(quality: quality, subsampling: subsampling)
        options.largestWholeImage = limit
        return options
    }

    /// A sequential file of the whole image.
    private static func whole(_ image: PixelBuffer, _ subsampling: ChromaSubsampling) throws -> [UInt8] {
        try JPEGOptions(quality: 80, subsampling: subsampling, isProgressive: false).encode(image, EncodingContext())
    }

    private static func context(_ parallelism: Int) -> EncodingContext {
        let comment = TextComment(bytes: Array("a comment".utf8), encoding: .utf8)
        return EncodingContext(metadata: WrittenMetadata(comments: [comment]), parallelism: parallelism)
    }

    private static func rowEncoded(
        _ image: PixelBuffer, _ options: JPEGOptions, _ context: EncodingContext
    ) throws -> [UInt8] {
        try RowEncoderTests.encoded(image, options, context).content.inMemory
    }

    @Test(arguments: [ChromaSubsampling.yuv444, .yuv422, .yuv420, .automatic], [false, true])
    func rowsAndThreadsDoNotMatter(subsampling: ChromaSubsampling, isGray: Bool) throws {
        for (width, height, limit) in [(201, 203, 40_000), (33, 700, 20_000), (16, 16, 1), (1, 70, 1), (700, 9, 1)] {
            let image = try Self.image(width, height, isGray: isGray)
            let options = Self.options(subsampling, limit: limit)
            let expected = try options.encode(image, Self.context(1))
            for parallelism in [2, 5] {
                let context = Self.context(parallelism)
                #expect(try options.encode(image, context) == expected, "\(width)×\(height), \(parallelism) threads")
                #expect(
                    try Self.rowEncoded(image, options, context) == expected,
                    "rows of \(width)×\(height), \(parallelism) threads")
            }
            let source = try CodecRegistry.shared.open(InputBytes(expected))
            #expect(source.info.size == image.size && !source.info.isProgressive)
            #expect(source.info.metadata.comments.count == 1)
            #expect((source.info.colorModel == .gray) == isGray)
        }
    }

    /// Bands of several rows of MCUs, and enough of them that their numbers repeat.
    @Test func bandsAreRestartIntervals() throws {
        let image = try Self.image(40, 3000)
        let bytes = try Self.options(.yuv420, limit: 119_999).encode(image, Self.context(2))
        // 1,874 pixels hold two rows of MCUs of 48 × 16 pixels.
        let count = (3000 + 31) / 32
        #expect(bytes.restartMarkers == (0..<(count - 1)).map { $0 % 8 })
        #expect(try bytes.decoded().size == image.size)
    }

    /// One band has the coefficients of a sequential file of the whole image.
    @Test(arguments: [ChromaSubsampling.yuv444, .yuv422, .yuv420], [false, true])
    func oneBandIsTheWholeImage(subsampling: ChromaSubsampling, isGray: Bool) throws {
        let image = try Self.image(333, 8, isGray: isGray)
        let band = try Self.options(subsampling, limit: 1).encode(image, EncodingContext())
        let whole = try Self.whole(image, subsampling)
        #expect(band.restartMarkers.isEmpty)
        let isTheSame = try band.decoded() == whole.decoded()
        #expect(isTheSame)
        // Symbols of equal counts may have codes in another order, which changes how many bytes are stuffed.
        #expect(abs(band.count - whole.count) <= 16)
    }

    /// The tables fit all bands together: the file is about as small as one without bands, and as good.
    @Test(arguments: [ChromaSubsampling.yuv444, .yuv420])
    func bandsCostLittle(subsampling: ChromaSubsampling) throws {
        let image = try Self.image(640, 600)
        let bands = try Self.options(subsampling, limit: 640 * 600 - 1).encode(image, EncodingContext())
        let whole = try Self.whole(image, subsampling)
        #expect(bands.restartMarkers.count > 30)
        #expect(Double(bands.count) < 1.06 * Double(whole.count))
        let (expected, found) = (try whole.decoded().psnr(against: image), try bands.decoded().psnr(against: image))
        #expect(abs(found - expected) < 0.2)
    }

    @Test(arguments: [false, true]) func planesInBandsEncodeToTheSameBytes(isGray: Bool) throws {
        for (subsampling, width, height) in [
            (ChromaSubsampling.yuv420, 203, 311), (.yuv422, 203, 311), (.yuv444, 64, 100), (.yuv420, 17, 1),
        ] {
            let options = Self.options(subsampling, limit: width * height - 1)
            let size = PixelSize(width: width, height: height)
            #expect(!options.needsWholeImage(size))
            #expect(options.needsWholeImage(PixelSize(width: width - 1, height: height)))
            let image = try Self.image(width, height, isGray: isGray)
            // Sequential planes of the same subsampling.
            let source = try Self.whole(image, subsampling)
            let decoder = try JPEGImageFile(InputBytes(source), limits: Limits(), stop: nil).planeDecoder(
                DecodeOptions())
            let planes = try decoder.layouts.map { try Plane($0.size) }
            let band = try decoder.makeBand((height + 7) / 8)
            #expect(try decoder.read(into: band))
            for (plane, read) in zip(planes, band.planes) {
                plane.withUnsafeSamples { samples in
                    read.withUnsafeSamples { others in
                        for y in 0..<plane.height {
                            (samples + y * plane.bytesPerRow).update(
                                from: others + y * read.bytesPerRow, count: plane.width)
                        }
                    }
                }
            }
            let expected = try options.planeEncoder(Self.context(1)).encode(planes, colorSpace: .sRGB).inMemory
            for parallelism in [2, 3, 16] {
                let found = try options.planeEncoder(Self.context(parallelism)).encode(planes, colorSpace: .sRGB)
                #expect(found.inMemory == expected, "\(size), \(parallelism) threads")
            }
            let decoded = try expected.decoded()
            #expect(decoded.size == size)
            #expect(try decoded.psnr(against: source.decoded()) > 30)
        }
    }

    @Test func qualityDecidesSubsampling() throws {
        let image = try Self.image(90, 90)
        for (quality, subsampling) in [(89, "4:2:0"), (90, "4:4:4")] {
            let bytes = try Self.options(quality: quality, limit: 1).encode(image, EncodingContext())
            #expect(try CodecRegistry.shared.open(InputBytes(bytes)).info.chromaSubsampling == subsampling)
        }
    }

    @Test func whatIsNotEncodedInBands() {
        let size = PixelSize(width: 100, height: 100)
        #expect(Self.options(limit: 9999).encodesInBands(size))
        #expect(!Self.options(limit: 10_000).encodesInBands(size))
        var options = Self.options(limit: 1)
        options.isProgressive = true
        #expect(!options.encodesInBands(size) && options.needsWholeImage(size))
        for (effort, needsWhole) in [(Effort.fast, false), (.best, true)] {
            var options = Self.options(limit: 1)
            options.effort = effort
            #expect(!options.encodesInBands(size) && options.needsWholeImage(size) == needsWhole)
        }
    }

    @Test func bandsReportStopsAndInvalidQualities() throws {
        let image = try Self.image(100, 100)
        let stop = StopToken()
        stop.cancel()
        #expect(throws: TexelError.stopped(.cancelled)) {
            try Self.options(limit: 1).encode(image, EncodingContext(stop: stop, parallelism: 2))
        }
        #expect(throws: TexelError.self) { try Self.options(quality: 101, limit: 1).encode(image, EncodingContext()) }
    }

    /// The bands wait in a file of their own if they are many bytes, and are read again from there.
    @Test func bytesThatOverflow() throws {
        let image = try Self.image(400, 400)
        let options = Self.options(limit: 1)
        let expected = try options.encode(image, Self.context(1))
        for limit in [0, 1000, expected.count - 1] {
            var context = Self.context(2)
            context.overflow = StoredOutput.overflow(limit)
            #expect(try Self.rowEncoded(image, options, context) == expected)
        }
        var context = Self.context(2)
        context.overflow = StoredOutput.overflow(0, capacity: expected.count / 2)
        #expect(throws: TexelError.stopped(.outputFailed)) { try Self.rowEncoded(image, options, context) }
    }
}
