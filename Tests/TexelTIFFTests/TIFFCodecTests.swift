#if TIFF
    import TestSupport
    import Testing
    import TexelCore
    import TexelPixels

    @testable import TexelCodecs
    @testable import TexelTIFF

    /// The properties of every codec, for TIFF with and without loss.
    @Suite struct TIFFCodecTests {
        private let checks = CodecChecks(TIFFCodec())

        private func file(
            _ options: TIFFOptions, _ alphaMode: AlphaMode = .straight,
            _ size: PixelSize = PixelSize(width: 61, height: 47)
        ) throws -> [UInt8] {
            try CodecChecks.smoothImage(size, alphaMode).encoded(as: .tiff(options))
        }

        @Test(arguments: Effort.allCases) func losslessRoundTrips(effort: Effort) throws {
            try checks.checkRoundTrips(TIFFOptions(effort: effort))
        }

        @Test func lossyRoundTrips() throws {
            for subsampling in ChromaSubsampling.allCases {
                try checks.checkRoundTrips(
                    TIFFOptions(compression: .jpeg(quality: 95), subsampling: subsampling), meanTolerance: 3)
            }
        }

        @Test func metadataSurviveARoundTrip() throws {
            try checks.checkMetadata(TIFFOptions())
            try checks.checkMetadata(TIFFOptions(compression: .jpeg(quality: 80)))
        }

        @Test func damagedFilesNeverTrap() throws {
            let deflated = try file(TIFFOptions())
            try checks.checkTruncations(of: deflated)
            checks.checkMutations(of: deflated, count: 500, seed: 1)
            let jpeg = try file(TIFFOptions(compression: .jpeg(quality: 80)), .opaque)
            try checks.checkTruncations(of: jpeg)
            checks.checkMutations(of: jpeg, count: 500, seed: 2)
        }

        @Test(arguments: [TIFFOptions(), TIFFOptions(compression: .jpeg(quality: 80))])
        func arrivingFilesDecodeLikeWholeFiles(options: TIFFOptions) async throws {
            let bytes = try PixelBuffer.random(width: 90, height: 70).encoded(as: .tiff(options))
            for seed in 1...4 {
                try await checks.checkArriving(bytes, seed: UInt64(seed))
                try await checks.checkArriving(Array(bytes.dropLast(bytes.count / 3)), seed: UInt64(seed))
            }
        }

        @Test func largeImagesAreRefusedBeforeDecoding() throws {
            try checks.checkLimits(try file(TIFFOptions()))
            try checks.checkLimits(try file(TIFFOptions(compression: .jpeg(quality: 80)), .opaque))
        }

        @Test func profileTravels() throws {
            let displayP3 = ColorSpace.codePoints(try #require(CICP(primaries: 12, transfer: 13)))
            let profile = try #require(try displayP3.embeddableProfile())
            var image = try CodecChecks.smoothImage(PixelSize(width: 20, height: 20), .opaque)
            image.colorSpace = .iccProfile(profile)
            let bytes = try image.encoded(as: .tiff())
            #expect(try checks.source(bytes).info.colorSpace == image.colorSpace)
            let without = try checks.source(bytes).rewritten(metadata: WrittenMetadata(), keeping: [], stop: nil)
            #expect(try checks.source(without).info.colorSpace == .sRGB)
            #expect(without.count < bytes.count - profile.bytes.count)
            #expect(try checks.decoded(without).image.pixels == checks.decoded(bytes).image.pixels)
        }

        @Test func stoppedCodingThrows() throws {
            let image = try PixelBuffer.random(width: 300, height: 300)
            let token = StopToken()
            token.cancel()
            #expect(throws: TexelError.stopped(.cancelled)) { try image.encoded(as: .tiff(), stop: token) }
            var options = DecodeOptions()
            options.stop = token
            #expect(throws: TexelError.stopped(.cancelled)) {
                try checks.source(image.encoded(as: .tiff())).decodedAsStored(options)
            }
        }

        /// Grey is stored as one sample, and a quality selects JPEG, except for transparent images.
        @Test func pixelsAndQualitySelectTheEncoding() throws {
            func info(_ options: TIFFOptions, _ alphaMode: AlphaMode, gray: Bool = false) throws -> ImageInfo {
                let image = try PixelBuffer.make(width: 40, height: 40, alphaMode: alphaMode) { x, y in
                    let alpha = alphaMode == .opaque ? 0xFF00_0000 : UInt32(x + 1) << 24
                    return alpha | UInt32(x) * 0x1_0101 & (gray ? 0xFF_FFFF : 0xFF_FF00)
                }
                return try checks.source(try image.encoded(as: .tiff(options))).info
            }
            let jpeg = TIFFOptions(compression: .jpeg(quality: 80))
            #expect(try info(TIFFOptions(), .opaque).coding == "deflate with predictor, strips")
            #expect(try info(TIFFOptions(), .opaque, gray: true).colorModel == .gray)
            #expect(try info(TIFFOptions(reducesLosslessly: false), .opaque, gray: true).colorModel == .rgb)
            #expect(try info(TIFFOptions(), .straight).colorModel == .rgba)
            let lossy = try info(jpeg, .opaque)
            #expect(lossy.coding == "JPEG, strips" && lossy.isLossless == false && lossy.chromaSubsampling == "4:2:0")
            #expect(try info(jpeg, .opaque, gray: true).colorModel == .gray)
            #expect(try info(jpeg, .straight).coding == "deflate with predictor, strips")
            #expect(!TIFFOptions(EncodingSettings()).isLossy && TIFFOptions(EncodingSettings(quality: 70)).isLossy)
            #expect(!TIFFOptions(EncodingSettings(quality: 70, isLossless: true)).isLossy)
            #expect(throws: TexelError.cannotEncode("invalid quality 0; a TIFF with JPEG has 1 to 100")) {
                try info(TIFFOptions(compression: .jpeg(quality: 0)), .opaque)
            }
        }

        /// The qualities of a search rise, and end without loss.
        @Test func qualitiesRiseAndEndLossless() throws {
            let ladder = TIFFCodec().ladder(EncodingSettings())
            #expect(ladder.steps.count == 101 && ladder.losslessCount == 1)
            #expect(zip(ladder.steps, ladder.steps.dropFirst()).allSatisfy { $0.score < $1.score && $0.size < $1.size })
            #expect(TIFFCodec().ladder(EncodingSettings(isLossless: true)).steps.map(\.name) == ["lossless"])
        }

        /// Density and captions besides what all formats have.
        @Test func captionsAndDensityAreWritten() throws {
            let captions = Array("8BIM".utf8) + [4, 4, 0, 0, 0, 0, 0, 4, 0x1C, 2, 0x78, 0]
            for prefix in [[], Array("Photoshop 3.0\0".utf8)] {
                let metadata = WrittenMetadata(iptc: prefix + captions)
                let bytes = try PixelBuffer.random(width: 4, height: 4).encoded(as: .tiff(), metadata: metadata)
                #expect(try checks.source(bytes).info.metadata.iptc == captions)
            }
            let density = try #require(
                PixelDensity(horizontal: Rational(300), vertical: Rational(150), unit: .perInch))
            let image = try PixelBuffer.random(width: 4, height: 4)
            let bytes = try image.encoded(as: .tiff(), metadata: WrittenMetadata(density: density))
            #expect(try checks.source(bytes).info.metadata.density == density)
        }
    }
#endif
