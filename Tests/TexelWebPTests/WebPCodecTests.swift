#if WebP
    import TestSupport
    import Testing
    import TexelCore
    import TexelPixels

    @testable import TexelCodecs
    @testable import TexelWebP

    /// The properties of every codec, for WebP with and without loss.
    @Suite struct WebPCodecTests {
        private let checks = CodecChecks(WebPCodec())

        private func file(
            _ options: WebPOptions, _ alphaMode: AlphaMode = .straight,
            _ size: PixelSize = PixelSize(width: 61, height: 47)
        ) throws -> [UInt8] {
            try CodecChecks.smoothImage(size, alphaMode).encoded(as: .webP(options))
        }

        @Test func losslessRoundTrips() throws {
            try checks.checkRoundTrips(WebPOptions(isLossless: true))
            try checks.checkRoundTrips(WebPOptions(isLossless: true, effort: .fast))
        }

        @Test func lossyRoundTrips() throws {
            for effort in Effort.allCases {
                try checks.checkRoundTrips(WebPOptions(quality: 95, effort: effort), meanTolerance: 3)
            }
        }

        @Test func metadataSurviveARoundTrip() throws {
            try checks.checkMetadata(WebPOptions())
            try checks.checkMetadata(WebPOptions(isLossless: true))
        }

        /// Only the image's own chunks are copied: other readers refuse a file with others between alpha and colours.
        @Test func chunksInsideTheImageAreNotCopied() throws {
            let plain = try file(WebPOptions())
            let place = try #require(plain.indices.first { plain[$0...].starts(with: "VP8 ".utf8) })
            var bytes = plain
            let chunk = Array("ANIM".utf8) + [5, 0, 0, 0, 1, 2, 3, 4, 5, 0]
            bytes.insert(contentsOf: chunk, at: place)
            let size = bytes.count - 8
            bytes.replaceSubrange(4..<8, with: [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: size >> $0) })
            #expect(try checks.decoded(bytes).image == checks.decoded(plain).image)
            let copy = try checks.source(bytes).rewritten(metadata: WrittenMetadata(), keeping: [.color], stop: nil)
            #expect(copy == plain)
        }

        @Test(arguments: [true, false]) func damagedFilesNeverTrap(isLossless: Bool) throws {
            let bytes = try file(WebPOptions(isLossless: isLossless))
            try checks.checkTruncations(of: bytes)
            checks.checkMutations(of: bytes, count: 500, seed: isLossless ? 1 : 2)
        }

        @Test(arguments: [true, false]) func arrivingFilesDecodeLikeWholeFiles(isLossless: Bool) async throws {
            let image = try PixelBuffer.random(width: 90, height: 70, alphaMode: .straight)
            for seed in 1...4 {
                let bytes = try image.encoded(as: .webP(WebPOptions(isLossless: isLossless)))
                try await checks.checkArriving(bytes, seed: UInt64(seed))
                try await checks.checkArriving(Array(bytes.dropLast(bytes.count / 3)), seed: UInt64(seed))
            }
        }

        /// libwebp uses a second thread from 512 columns on.
        @Test func threadsDoNotChangeThePixels() throws {
            let size = PixelSize(width: 531, height: 75)
            for options in [WebPOptions(), WebPOptions(isLossless: true)] {
                try checks.checkParallelism(try file(options, .opaque, size))
                try checks.checkParallelism(try file(options, .straight, size))
            }
        }

        @Test func largeImagesAreRefusedBeforeDecoding() throws {
            try checks.checkLimits(try file(WebPOptions()))
            try checks.checkLimits(try file(WebPOptions(isLossless: true), .opaque))
        }

        @Test func headerIsComplete() throws {
            let lossy = try checks.source(try file(WebPOptions(), .opaque)).info
            #expect(lossy.coding == "VP8, lossy")
            #expect(lossy.colorModel == .yCbCr)
            #expect(lossy.isLossless == false)
            #expect(!lossy.hasAlpha)
            #expect(lossy.chromaSubsampling == "4:2:0")
            let lossless = try checks.source(try file(WebPOptions(isLossless: true))).info
            #expect(lossless.coding == "VP8L, lossless")
            #expect(lossless.colorModel == .rgba)
            #expect(lossless.isLossless == true)
            #expect(lossless.hasAlpha)
        }

        /// A missing third of the rows is an error; without strictness these rows are black.
        @Test func missingThirdOfRowsIsAnError() throws {
            let image = try PixelBuffer.random(width: 64, height: 96, alphaMode: .opaque)
            let bytes = try image.encoded(as: .webP(WebPOptions(quality: 90)))
            let part = Array(bytes.dropLast(bytes.count / 3))
            #expect {
                try checks.decoded(part)
            } throws: { error in
                guard let error = error as? TexelError, let rowsRead = error.place.row else { return false }
                return error == .truncated(rowsRead: rowsRead, rows: 96) && (30..<80).contains(rowsRead)
            }
            let decoded = try checks.decoded(part, .none)
            #expect(decoded.image[5, 95] == 0xFF00_0000)
            #expect(!decoded.warnings.isEmpty)
            let whole = try checks.decoded(bytes).image
            let top = PixelRectangle(x: 0, y: 0, width: 64, height: 16)
            #expect(try decoded.image.cropped(to: top) == whole.cropped(to: top))
        }

        /// A header that announces alpha for an image without it does not make the image transparent.
        @Test func alphaInTheHeaderAloneIsIgnored() throws {
            let chunks = Array(try file(WebPOptions(), .opaque).dropFirst(12))
            var header = Array("VP8X".utf8) + [10, 0, 0, 0, 0x10, 0, 0, 0, 60, 0, 0, 46, 0, 0]
            header = Array("WEBP".utf8) + header
            let count = UInt8(truncatingIfNeeded: header.count + chunks.count)
            let high = UInt8((header.count + chunks.count) >> 8)
            let bytes = Array("RIFF".utf8) + [count, high, 0, 0] + header + chunks
            let source = try checks.source(bytes)
            #expect(!source.info.hasAlpha)
            #expect(try checks.decoded(bytes).image == checks.decoded(try file(WebPOptions(), .opaque)).image)
        }

        /// Of a file that is cut off no other is written, because its last chunk would reach into the next one.
        @Test func cutFilesAreNotRewritten() throws {
            let source = try checks.source(Array(try file(WebPOptions()).dropLast(2)))
            #expect(throws: TexelError.truncated(rowsRead: 0, rows: 47)) {
                try source.rewritten(metadata: WrittenMetadata(), keeping: [], stop: nil)
            }
        }

        /// Shrinking while decoding gives about the mean of the pixels.
        @Test(arguments: [2, 4, 8]) func shrunkDecodesAreMeansOfThePixels(shrink: Int) throws {
            let size = PixelSize(width: 128, height: 64)
            let bytes = try file(WebPOptions(isLossless: true), .opaque, size)
            #expect(try checks.source(bytes).info.decodeScales == [1, 2, 4, 8])
            let whole = try checks.decoded(bytes).image
            let small = try checks.decoded(bytes, shrink: shrink).image
            #expect(small.size == PixelSize(width: 128 / shrink, height: 64 / shrink))
            expectPixelsEqual(small, try whole.blockMeans(shrink), tolerance: 2)
            let odd = try file(WebPOptions(isLossless: true), .opaque, PixelSize(width: 66, height: 64))
            #expect(try checks.source(odd).info.decodeScales == [1, 2])
        }

        /// The planes of an opaque image with loss are reduced to any size.
        @Test(arguments: [2, 4, 8], [(1, 1), (3, 7), (97, 51), (300, 1)].map { PixelSize(width: $0.0, height: $0.1) })
        func planesShrinkToBlockMeans(shrink: Int, size: PixelSize) throws {
            let bytes = try file(WebPOptions(quality: 90), .opaque, size)
            #expect(try checks.source(bytes).info.decodeScales == [1, 2, 4, 8])
            let whole = try checks.decoded(bytes).image
            let small = try checks.decoded(bytes, shrink: shrink).image
            // Chroma of the whole image is interpolated between samples.
            expectPixelsEqual(small, try whole.blockMeans(shrink), tolerance: 4)
        }

        @Test func profileTravels() throws {
            let displayP3 = ColorSpace.codePoints(try #require(CICP(primaries: 12, transfer: 13)))
            let profile = try #require(try displayP3.embeddableProfile())
            var image = try CodecChecks.smoothImage(PixelSize(width: 20, height: 20), .opaque)
            image.colorSpace = .iccProfile(profile)
            let bytes = try image.encoded(as: .webP(WebPOptions()))
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
            #expect(throws: TexelError.stopped(.cancelled)) {
                try image.encoded(as: .webP(WebPOptions()), stop: token)
            }
            let bytes = try image.encoded(as: .webP(WebPOptions()))
            var options = DecodeOptions()
            options.stop = token
            #expect(throws: TexelError.stopped(.cancelled)) {
                try checks.source(bytes).decodedAsStored(options)
            }
        }

        /// A near-lossless image is one without loss whose pixels were changed before; the search has this step only.
        @Test func nearLosslessIsLosslessWithChangedPixels() throws {
            func settings(_ level: Int, isLossless: Bool = false) -> EncodingSettings {
                var settings = EncodingSettings(isLossless: isLossless)
                settings.parameters[.nearLossless] = level
                return settings
            }
            #expect(!WebPOptions(EncodingSettings()).isLossless)
            #expect(!WebPOptions(settings(60, isLossless: true)).isLossy)
            let options = WebPOptions(settings(60))
            #expect(options.isLossless && options.isLossy && options.nearLossless == 60)
            #expect(!WebPOptions(settings(100)).isLossy)
            let near = WebPCodec().ladder(settings(60))
            #expect(near.steps.map(\.name) == ["near-lossless 60"])
            #expect(WebPCodec().ladder(settings(100)).steps.map(\.name) == ["lossless"])
            let image = try CodecChecks.smoothImage(PixelSize(width: 90, height: 80), .opaque)
            let exact = try checks.decoded(try image.encoded(as: .webP(WebPOptions(isLossless: true)))).image
            expectPixelsEqual(exact, image)
            var noisy = image
            var generator = SeededGenerator(seed: 3)
            noisy.withUnsafeMutablePixels { pixels in
                for index in pixels.indices { pixels[index] ^= UInt32.random(in: 0..<8, using: &generator) << 8 }
            }
            let whole = try noisy.encoded(as: .webP(WebPOptions(isLossless: true)))
            let changed = try noisy.encoded(as: .webP(WebPOptions(isLossless: true, nearLossless: 20)))
            #expect(changed.count < whole.count)
            #expect((1...32).contains(largestDifference(try checks.decoded(changed).image, noisy).value))
        }

        @Test func invalidOptionsAreRefused() throws {
            let image = try PixelBuffer.random(width: 4, height: 4)
            for (options, name) in [
                (WebPOptions(quality: 101), "quality 101"),
                (WebPOptions(isLossless: true, nearLossless: -1), "near-lossless level -1"),
                (WebPOptions(alphaQuality: 200), "alpha quality 200"),
            ] {
                #expect(throws: TexelError.cannotEncode("invalid \(name); a WebP has 0 to 100")) {
                    try image.encoded(as: .webP(options))
                }
            }
            let wide = try PixelBuffer(width: 16_384, height: 1)
            #expect(
                throws: TexelError.cannotEncode("a side of a WebP has at most 16383 pixels; the image is 16384×1")
            ) {
                try wide.encoded(as: .webP(WebPOptions()))
            }
        }

        /// Rising qualities give rising qualities of libwebp, within its range.
        @Test func qualitiesRise() {
            let own = (0...100).map { WebPQuality.own($0) }
            #expect(own.first == 0 && own.last == 100)
            #expect(zip(own, own.dropFirst()).allSatisfy { $0 <= $1 })
            #expect(own[80] == 83.1)
        }

        @Test func damagedHeadersAreRefused() throws {
            let lossy = try file(WebPOptions(), .opaque)
            func expect(_ defect: FormatDefect, _ change: (inout [UInt8]) -> Void, of bytes: [UInt8]) {
                var bytes = bytes
                change(&bytes)
                #expect(throws: TexelError.damaged(.webP, defect)) { try checks.source(bytes) }
            }
            expect(.corrupt("the image is not a VP8 key frame"), { $0[20] |= 1 }, of: lossy)
            expect(.corrupt("VP8 start code"), { $0[23] = 0 }, of: lossy)
            expect(.invalidDimensions(width: 0, height: 47), { ($0[26], $0[27]) = (0, 0) }, of: lossy)
            let lossless = try file(WebPOptions(isLossless: true))
            expect(.invalidValue(0x2E, of: "VP8L signature"), { $0[20] = 0x2E }, of: lossless)
            expect(.invalidValue(1, of: "VP8L version"), { $0[24] |= 0x20 }, of: lossless)
            expect(.missing("image"), { $0[12] = UInt8(ascii: "X") }, of: lossy)
        }
    }
#endif
