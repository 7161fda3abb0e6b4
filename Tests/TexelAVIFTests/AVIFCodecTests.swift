#if AVIF
    import TestSupport
    import Testing
    import TexelCore
    import TexelPixels

    @testable import TexelAVIF
    @testable import TexelCodecs

    /// The properties of every codec, for AVIF with and without loss.
    @Suite struct AVIFCodecTests {
        private let checks = CodecChecks(AVIFCodec())

        private func file(
            _ options: AVIFOptions = AVIFOptions(), _ alphaMode: AlphaMode = .straight,
            _ size: PixelSize = PixelSize(width: 61, height: 47), metadata: WrittenMetadata = WrittenMetadata()
        ) throws -> [UInt8] {
            try CodecChecks.smoothImage(size, alphaMode).encoded(as: .avif(options), metadata: metadata)
        }

        @Test func losslessRoundTrips() throws {
            try checks.checkRoundTrips(AVIFOptions(isLossless: true))
            try checks.checkRoundTrips(AVIFOptions(isLossless: true, effort: .fast))
        }

        @Test func lossyRoundTrips() throws {
            for effort in Effort.allCases {
                for subsampling in ChromaSubsampling.allCases {
                    try checks.checkRoundTrips(
                        AVIFOptions(quality: 95, subsampling: subsampling, effort: effort), meanTolerance: 3)
                }
            }
        }

        /// Grey images are stored without chroma, and every level returns.
        @Test func grayIsExact() throws {
            let image = try PixelBuffer.make(width: 16, height: 16) { x, y in
                0xFF00_0000 | UInt32(x + 16 * y) * 0x1_0101
            }
            let bytes = try image.encoded(as: .avif(AVIFOptions(isLossless: true)))
            let info = try checks.source(bytes).info
            #expect(info.colorModel == .gray)
            #expect(info.chromaSubsampling == nil)
            expectPixelsEqual(try checks.decoded(bytes).image, image)
        }

        @Test func metadataSurviveARoundTrip() throws {
            try checks.checkMetadata(AVIFOptions())
            try checks.checkMetadata(AVIFOptions(isLossless: true))
        }

        @Test(arguments: [true, false]) func damagedFilesNeverTrap(isLossless: Bool) throws {
            let bytes = try file(AVIFOptions(isLossless: isLossless))
            try checks.checkTruncations(of: bytes)
            checks.checkMutations(of: bytes, count: 400, seed: isLossless ? 1 : 2)
        }

        @Test func arrivingFilesDecodeLikeWholeFiles() async throws {
            let image = try PixelBuffer.random(width: 90, height: 70, alphaMode: .straight)
            let metadata = WrittenMetadata(exif: TestEXIF.block(orientation: .identity))
            for seed in 1...4 {
                let bytes = try image.encoded(as: .avif(AVIFOptions(quality: 90)), metadata: metadata)
                try await checks.checkArriving(bytes, seed: UInt64(seed))
                try await checks.checkArriving(Array(bytes.dropLast(bytes.count / 3)), seed: UInt64(seed))
            }
        }

        @Test func threadsDoNotChangeThePixels() throws {
            for options in [AVIFOptions(), AVIFOptions(isLossless: true)] {
                try checks.checkParallelism(try file(options, .opaque))
                try checks.checkParallelism(try file(options))
            }
        }

        @Test func largeImagesAreRefusedBeforeDecoding() throws {
            let bytes = try file()
            try checks.checkLimits(bytes)
            try checks.checkLimits(try file(AVIFOptions(isLossless: true), .opaque))
            var limits = Limits()
            limits.codecBytes = 61 * 47
            #expect(throws: TexelError.limitExceeded(.codecBytes, value: 61 * 47 * 5 / 2, allowed: 61 * 47)) {
                try checks.decoded(bytes, limits: limits)
            }
            limits = Limits()
            limits.chunks = 10
            #expect(throws: TexelError.limitExceeded(.chunks, value: 11, allowed: 10)) {
                try checks.source(bytes, limits)
            }
            limits = Limits()
            limits.metadataBytes = 100
            let exif = WrittenMetadata(exif: TestEXIF.block(orientation: .identity))
            #expect {
                try checks.source(try file(metadata: exif), limits)
            } throws: { error in
                (error as? TexelError)?.kind == .limitExceeded(.metadataBytes) && "\(error)".hasSuffix(" 100")
            }
        }

        @Test func headerIsComplete() throws {
            let lossy = try checks.source(try file(AVIFOptions(), .opaque)).info
            #expect(lossy.coding == "AV1, Main profile")
            #expect(lossy.colorModel == .yCbCr)
            #expect(lossy.bitDepth == 8)
            #expect(!lossy.hasAlpha)
            #expect(lossy.chromaSubsampling == "4:2:0")
            #expect(lossy.colorSpace == .sRGB)
            #expect(lossy.decodeScales == [1, 2, 4, 8])
            let lossless = try checks.source(try file(AVIFOptions(isLossless: true))).info
            #expect(lossless.coding == "AV1, High profile")
            #expect(lossless.colorModel == .rgba)
            #expect(lossless.hasAlpha)
            #expect(lossless.chromaSubsampling == "4:4:4")
            #expect(lossless.decodeScales == [1])
        }

        /// libaom divides the rows of superblocks among threads; the image has several of them.
        @Test(arguments: Effort.allCases) func threadsDoNotChangeBytes(effort: Effort) throws {
            var generator = SeededGenerator(seed: 4)
            let image = try PixelBuffer.make(width: 420, height: 330) { x, y in
                let noise = UInt32.random(in: 0..<24, using: &generator)
                return 0xFF00_0000 | UInt32(x / 2) << 16 | UInt32((x ^ y) & 127) << 8 | UInt32(y / 2) + noise
            }
            for options in [AVIFOptions(effort: effort), AVIFOptions(isLossless: true, effort: .fast)] {
                var context = EncodingContext()
                context.parallelism = 1
                let bytes = try options.encode(image, context)
                for count in [2, 3, 8] {
                    context.parallelism = count
                    #expect(try options.encode(image, context) == bytes, "\(count) threads")
                }
            }
        }

        /// Each band of rows is converted by itself; the pixels do not depend on the bands.
        @Test(arguments: [ChromaSubsampling.yuv420, .yuv422, .yuv444]) func bandsDoNotChangeThePixels(
            subsampling: ChromaSubsampling
        ) throws {
            let image = try PixelBuffer.random(width: 37, height: 211)
            let bytes = try image.encoded(as: .avif(AVIFOptions(quality: 60, subsampling: subsampling)))
            let whole = try checks.decoded(bytes).image
            for count in [1, 2, 3, 7, 64, 65, 211] {
                let decoder = try checks.source(bytes).decoder()
                var rows = [UInt32](repeating: 0, count: 37 * 211)
                try rows.withUnsafeMutableBytes { memory in
                    let base = try #require(memory.baseAddress)
                    for y in Swift.stride(from: 0, to: 211, by: count) {
                        try decoder.readRows(min(count, 211 - y), into: base + y * 148, bytesPerRow: 148)
                    }
                }
                #expect(rows == whole.pixels, "\(count) rows at a time")
            }
        }

        /// Shrinking while decoding gives about the mean of the pixels, also if the sides are not divisible.
        @Test(arguments: [2, 4, 8], [ChromaSubsampling.yuv420, .yuv422, .yuv444])
        func shrunkDecodesAreMeansOfThePixels(shrink: Int, subsampling: ChromaSubsampling) throws {
            let bytes = try file(
                AVIFOptions(quality: 95, subsampling: subsampling), .opaque, PixelSize(width: 131, height: 69))
            let whole = try checks.decoded(bytes).image
            let small = try checks.decoded(bytes, shrink: shrink).image
            expectPixelsEqual(small, try whole.blockMeans(shrink), tolerance: 3)
        }

        /// Coloured details keep their colours, photographs do not need that.
        @Test func subsamplingFollowsTheContent() throws {
            let text = try PixelBuffer.make(width: 64, height: 64) { x, y in
                (x ^ y) & 1 == 0 ? 0xFFFF_0000 : 0xFF00_00FF
            }
            func sampling(_ image: PixelBuffer, _ options: AVIFOptions) throws -> String? {
                try checks.source(image.encoded(as: .avif(options))).info.chromaSubsampling
            }
            #expect(try sampling(text, AVIFOptions()) == "4:4:4")
            #expect(try sampling(text, AVIFOptions(subsampling: .yuv420)) == "4:2:0")
            #expect(try sampling(text, AVIFOptions(subsampling: .yuv422)) == "4:2:2")
            let smooth = try CodecChecks.smoothImage(PixelSize(width: 64, height: 64), .opaque)
            #expect(try sampling(smooth, AVIFOptions()) == "4:2:0")
            #expect(try sampling(smooth, AVIFOptions(quality: 98)) == "4:4:4")
        }

        /// An orientation in EXIF becomes one of the container, which alone counts.
        @Test(arguments: Orientation.allCases) func orientationMovesFromEXIFToTheContainer(orientation: Orientation)
            throws
        {
            let bytes = try file(metadata: WrittenMetadata(exif: TestEXIF.block(orientation: orientation)))
            let info = try checks.source(bytes).info
            #expect(info.orientation == orientation)
            #expect(info.metadata.exif?.orientation == .identity)
            #expect(info.size == PixelSize(width: 61, height: 47))
            // An EXIF block that has nothing else is not needed.
            let alone = try file(metadata: WrittenMetadata(exif: EXIF.block(orientation: orientation)))
            #expect(try checks.source(alone).info.orientation == orientation)
            #expect((try checks.source(alone).info.metadata.exif == nil) == (orientation != .identity))
            // Metadata change, the orientation stays.
            let plain = try checks.source(bytes).rewritten(metadata: WrittenMetadata(), keeping: [.color], stop: nil)
            #expect(try checks.source(plain).info.orientation == orientation)
            #expect(try checks.source(plain).info.metadata.exif == nil)
        }

        @Test func profileTravels() throws {
            let displayP3 = ColorSpace.codePoints(try #require(CICP(primaries: 12, transfer: 13)))
            let profile = try #require(try displayP3.embeddableProfile())
            var image = try CodecChecks.smoothImage(PixelSize(width: 20, height: 20), .opaque)
            image.colorSpace = .iccProfile(profile)
            let bytes = try image.encoded(as: .avif())
            #expect(try checks.source(bytes).info.colorSpace == image.colorSpace)
            let without = try checks.source(bytes).rewritten(metadata: WrittenMetadata(), keeping: [], stop: nil)
            #expect(try checks.source(without).info.colorSpace == .sRGB)
            #expect(without.count < bytes.count - profile.bytes.count)
            #expect(try checks.decoded(without).image.pixels == checks.decoded(bytes).image.pixels)
            let with = try checks.source(bytes).rewritten(metadata: WrittenMetadata(), keeping: [.color], stop: nil)
            #expect(try checks.source(with).info.colorSpace == image.colorSpace)
        }

        @Test(arguments: [(12, 13), (9, 16), (9, 18), (1, 1)]) func codePointsTravel(numbers: (Int, Int)) throws {
            var image = try CodecChecks.smoothImage(PixelSize(width: 20, height: 20), .opaque)
            image.colorSpace = .codePoints(try #require(CICP(primaries: numbers.0, transfer: numbers.1)))
            for isLossless in [true, false] {
                let bytes = try image.encoded(as: .avif(AVIFOptions(isLossless: isLossless)))
                #expect(try checks.source(bytes).info.colorSpace == image.colorSpace)
            }
        }

        /// The removed bytes are nowhere in the file.
        @Test func removedMetadataAreGone() throws {
            let secret = Array("SECRET-PLACE".utf8)
            let xmp = Array("<x:xmpmeta xmlns:x='adobe:ns:meta/'>SECRET-PLACE</x:xmpmeta>".utf8)
            let bytes = try file(metadata: WrittenMetadata(exif: TestEXIF.block(orientation: .identity), xmp: xmp))
            func holds(_ bytes: [UInt8]) -> Bool {
                bytes.indices.dropLast(secret.count).contains { bytes[$0..<($0 + secret.count)].elementsEqual(secret) }
            }
            #expect(holds(bytes))
            let plain = try checks.source(bytes).rewritten(metadata: WrittenMetadata(), keeping: [.color], stop: nil)
            #expect(!holds(plain))
            // No byte of the two blocks and of what refers to them is left over.
            #expect(try plain.count <= file().count)
            #expect(try checks.decoded(plain).image == checks.decoded(bytes).image)
        }

        /// Bytes after the image are copied, even if they are not a box.
        @Test func whatFollowsIsKept() throws {
            let end: [UInt8] = [0, 0, 0, 3, 0x7A, 0x9B, 0x79, 0x28, 1, 2, 3]
            let bytes = try file() + end
            let written = WrittenMetadata(exif: TestEXIF.block(orientation: .identity))
            let rewritten = try checks.source(bytes).rewritten(metadata: written, keeping: [.color], stop: nil)
            #expect(rewritten.suffix(end.count) == end[...] && rewritten.count > bytes.count)
            #expect(try checks.decoded(rewritten).image == checks.decoded(bytes).image)
        }

        @Test func invalidOptionsAndSizesAreRefused() throws {
            let image = try CodecChecks.smoothImage(PixelSize(width: 4, height: 4), .opaque)
            #expect(throws: TexelError.cannotEncode("invalid quality 101; an AVIF has 0 to 100")) {
                try image.encoded(as: .avif(AVIFOptions(quality: 101)))
            }
            #expect(throws: TexelError.cannotEncode("invalid alpha quality -1; an AVIF has 0 to 100")) {
                try image.encoded(as: .avif(AVIFOptions(alphaQuality: -1)))
            }
            let wide = try PixelBuffer(width: 65_536, height: 1, filledWith: 0xFF00_0000)
            #expect(
                throws: TexelError.cannotEncode("a side of an AVIF has at most 65535 pixels; the image is 65536×1")
            ) { try wide.encoded(as: .avif()) }
        }

        @Test func stoppedCodingThrows() throws {
            let stop = StopToken()
            stop.cancel()
            let image = try CodecChecks.smoothImage(PixelSize(width: 64, height: 64), .opaque)
            #expect(throws: TexelError.stopped(.cancelled)) { try image.encoded(as: .avif(), stop: stop) }
            var options = DecodeOptions()
            options.stop = stop
            let source = try checks.source(try image.encoded(as: .avif()))
            #expect(throws: TexelError.stopped(.cancelled)) { try source.decodedAsStored(options) }
        }

        /// An encode that takes longer is abandoned, and later images are encoded all the same.
        @Test func encodingIsAbandoned() throws {
            let image = try PixelBuffer.random(width: 700, height: 500)
            #expect(throws: TexelError.stopped(.timedOut)) {
                try image.encoded(as: .avif(AVIFOptions(effort: .best)), stop: StopToken(timeout: .milliseconds(60)))
            }
            let encoder = try AVIFOptions(effort: .best).animationEncoder(
                AnimationProperties(
                    size: image.size, playCount: 0, hasAlpha: false, colorSpace: .sRGB),
                EncodingContext(stop: StopToken(timeout: .milliseconds(60))))
            // libaom may keep the frames until the end.
            #expect(throws: TexelError.stopped(.timedOut)) {
                for _ in 0..<2 { try encoder.append(image, delay: FrameDelay(1, 10)) }
                _ = try encoder.finish()
            }
            // Also for a caller that goes on.
            #expect(throws: TexelError.stopped(.timedOut)) { try encoder.finish() }
            UninterruptibleCall.waitForAbandoned()
            let small = try CodecChecks.smoothImage(PixelSize(width: 8, height: 8), .opaque)
            #expect(try small.encoded(as: .avif(), stop: StopToken()) == small.encoded(as: .avif()))
        }

        @Test func alphaQualityChangesAlphaOnly() throws {
            let image = try PixelBuffer.random(width: 64, height: 64, alphaMode: .straight)
            let exact = try checks.decoded(try image.encoded(as: .avif(AVIFOptions(quality: 50)))).image
            #expect(zip(exact.pixels, image.pixels).allSatisfy { $0 >> 24 == $1 >> 24 })
            let options = AVIFOptions(quality: 50, alphaQuality: 20)
            let coarse = try checks.decoded(try image.encoded(as: .avif(options))).image
            #expect(zip(coarse.pixels, exact.pixels).allSatisfy { $0 & 0xFF_FFFF == $1 & 0xFF_FFFF })
            #expect(!zip(coarse.pixels, image.pixels).allSatisfy { $0 >> 24 == $1 >> 24 })
        }

        @Test func brandsDecide() throws {
            let codec = AVIFCodec()
            func head(_ brand: String) -> [UInt8] { [0, 0, 0, 32] + Array("ftyp\(brand)".utf8) + [0, 0, 0, 0] }
            #expect(codec.recognizes(head("avif")))
            #expect(codec.recognizes(head("avis")))
            #expect(!codec.recognizes(head("heic")))
            #expect(!codec.recognizes(Array(head("avif").dropLast(5))))
            // The first compatible brand that names a coding decides if the major brand names none.
            func head(_ brands: [String]) -> [UInt8] {
                [0, 0, 0, UInt8(12 + 4 * brands.count)]
                    + Array("ftyp\(brands[0])\u{0}\u{0}\u{0}\u{0}\(brands.dropFirst().joined())".utf8)
            }
            #expect(codec.recognizes(head(["mif1", "miaf", "avif"])))
            #expect(codec.recognizes(head(["msf1", "avis", "heic"])))
            #expect(!codec.recognizes(head(["mif1", "heic", "avif"])))
            #expect(!codec.recognizes(head(["mif1", "miaf"])))
            // A brand after the box, and one in the minor version.
            #expect(!codec.recognizes(Array(head(["mif1", "miaf", "avif"]).enumerated().map { $0 == 3 ? 20 : $1 })))
            #expect(!codec.recognizes([0, 0, 0, 20] + Array("ftypmif1avifmiaf".utf8)))
            var file = AVIFSamples.eightBits422
            file.replaceSubrange(8..<12, with: "mif1".utf8)
            #expect(try CodecRegistry([codec]).open(InputBytes(file)).info.format == .avif)
        }

        @Test func libraryIsKnown() throws {
            let library = try #require(AVIFCodec().libraries.first)
            #expect(library.name == "libavif")
            #expect(library.version?.contains("aom") == true)
            #expect(library.path?.contains("libavif") == true)
        }

        @Test func tuningFollowsTheVersionOfLibaom() {
            #expect(AVIFTuning.name("dav1d [dec]:1.0.0, aom [enc/dec]:v3.6.0, rav1e [enc]:0.5.1 (v0.5.1)") == nil)
            #expect(AVIFTuning.name("dav1d [dec]:1.5.1, aom [enc/dec]:v3.12.1") == "iq")
            #expect(AVIFTuning.name("aom [enc/dec]:v4.0.0") == "iq")
            #expect(AVIFTuning.name("aom [enc/dec]:unknown") == nil)
            #expect(AVIFTuning.name("") == nil)
        }

        @Test func betterQualitiesHaveSmallerQuantizers() {
            for (effort, hasWholeChroma) in [
                (Effort.fast, false), (.balanced, true), (.balanced, false), (.best, true),
            ] {
                let quantizers = (0...100).map {
                    AVIFQuality.quantizer($0, hasWholeChroma: hasWholeChroma, effort)
                }
                #expect(quantizers == quantizers.sorted(by: >))
                #expect(quantizers.allSatisfy { (1...63).contains($0) })
                #expect(quantizers.last == 1)
            }
            let scores = (1...100).map { AVIFQuality.typicalValues($0).score }
            #expect(scores == scores.sorted())
        }
    }
#endif
