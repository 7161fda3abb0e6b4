#if GIF
    import TestSupport
    import Testing
    import TexelCore
    import TexelPixels

    @testable import TexelCodecs
    @testable import TexelGIF

    /// The properties of every codec, and those of still images.
    @Suite struct GIFCodecTests {
        private let checks = CodecChecks(GIFCodec())

        /// An image of random pixels in `count` colours; color 0 is transparent if `hasAlpha`.
        private func image(
            _ size: PixelSize, colors count: Int, hasAlpha: Bool = false, seed: UInt64 = 1
        ) throws -> PixelBuffer {
            var generator = SeededGenerator(seed: seed)
            var colors = (0..<count).map { UInt32($0) &* 0x9E37_79B1 >> 8 | 0xFF00_0000 }
            if hasAlpha { colors[0] = 0 }
            // Runs, so that strings of all lengths appear.
            var run: (color: UInt32, rest: Int) = (0, 0)
            return try PixelBuffer.make(
                width: size.width, height: size.height, alphaMode: hasAlpha ? .straight : .opaque
            ) { _, _ in
                if run.rest == 0 {
                    let color = colors[Int.random(in: 0..<count, using: &generator)]
                    run = (color, Int.random(in: 1...9, using: &generator))
                }
                run.rest -= 1
                return run.color
            }
        }

        @Test func fewColorsReturnExactly() throws {
            for (index, size) in CodecChecks.sizes.enumerated() {
                for count in [1, 2, 3, 4, 5, 17, 128, 255, 256] {
                    for hasAlpha in [false, true] {
                        let image = try image(size, colors: count, hasAlpha: hasAlpha, seed: UInt64(index))
                        for effort in Effort.allCases {
                            let bytes = try image.encoded(as: .gif(GIFOptions(effort: effort)))
                            let decoded = try checks.decoded(bytes, .warning).image
                            expectPixelsEqual(decoded, image, "\(size) \(count) \(hasAlpha) \(effort)")
                            #expect(decoded.alphaMode == (image.isOpaque ? .opaque : .straight))
                        }
                    }
                }
            }
        }

        @Test func manyColorsAreReduced() throws {
            try checks.checkRoundTrips(GIFOptions(), meanTolerance: 16)
            let image = try CodecChecks.smoothImage(PixelSize(width: 200, height: 150), .opaque)
            let whole = try checks.decoded(try image.encoded(as: .gif())).image
            #expect(Set(whole.pixels).count <= 256)
            #expect(meanDifference(whole, image) < 2)
            let options = GIFOptions(EncodingSettings(palette: PaletteOptions(colors: 9)))
            let reduced = try checks.decoded(try image.encoded(as: .gif(options))).image
            #expect((2...9).contains(Set(reduced.pixels).count))
            // A quality that few colours cannot reach gives the best image of these colours.
            let demanding = PaletteOptions(colors: 4, quality: 99)
            #expect(throws: Never.self) { try image.encoded(as: .gif(GIFOptions(palette: demanding))) }
        }

        @Test func alphaBecomesTransparentOrOpaque() throws {
            let image = try PixelBuffer(
                width: 4, height: 1, pixels: [0x7F12_3456, 0x8012_3456, 0xFF12_3456, 0x0012_3456])
            let decoded = try checks.decoded(try image.encoded(as: .gif()), .warning).image
            #expect(decoded.pixels == [0, 0xFF12_3456, 0xFF12_3456, 0])
        }

        @Test func metadataSurviveARoundTrip() throws {
            try checks.checkMetadata(GIFOptions())
        }

        @Test func damagedFilesNeverTrap() throws {
            let opaque = try image(PixelSize(width: 61, height: 47), colors: 30)
            let transparent = try image(PixelSize(width: 33, height: 90), colors: 256, hasAlpha: true)
            for (index, image) in [opaque, transparent].enumerated() {
                let bytes = try image.encoded(as: .gif())
                try checks.checkTruncations(of: bytes, count: 600)
                checks.checkMutations(of: bytes, count: 1000, seed: UInt64(index))
            }
        }

        @Test func arrivingFilesDecodeLikeWholeFiles() async throws {
            let bytes = try image(PixelSize(width: 70, height: 60), colors: 40).encoded(as: .gif())
            for seed in 1...4 {
                try await checks.checkArriving(bytes, seed: UInt64(seed))
                try await checks.checkArriving(Array(bytes.dropLast(bytes.count / 3)), seed: UInt64(seed))
            }
        }

        @Test func largeImagesAreRefusedBeforeDecoding() throws {
            try checks.checkLimits(try image(PixelSize(width: 61, height: 47), colors: 9).encoded(as: .gif()))
            // The size of an image is limited, too, even if it is outside of the canvas.
            var file = TestGIF(width: 2, height: 2)
            try file.image([1, 1, 1, 1], width: 2, height: 2)
            file.descriptor(width: 2, height: 60_000)
            file.data(minimumSize: 2, codes: [(5, 3)])
            var limits = Limits()
            limits.pixels = 10_000
            #expect(throws: TexelError.limitExceeded(.pixels, value: 120_000, allowed: 10_000)) {
                try checks.decoded(file.ended, frame: 1, limits: limits)
            }
            limits = Limits()
            limits.chunks = 1
            #expect(throws: TexelError.limitExceeded(.chunks, value: 2, allowed: 1)) {
                try checks.source(file.ended, limits)
            }
            let comment = [UInt8](repeating: 65, count: 600)
            let commented = try image(PixelSize(width: 2, height: 2), colors: 2).encoded(
                as: .gif(), metadata: WrittenMetadata(comments: [TextComment(bytes: comment, encoding: .unknown)]))
            limits = Limits()
            limits.metadataBytes = 600
            #expect(throws: TexelError.limitExceeded(.metadataBytes, value: 604, allowed: 600)) {
                try checks.source(commented, limits)
            }
        }

        @Test func tooWideImagesAndInvalidPalettesAreRefused() throws {
            let wide = try PixelBuffer(width: 65_536, height: 1)
            #expect(
                throws: TexelError.cannotEncode("a side of a GIF has at most 65535 pixels; the image is 65536×1")
            ) {
                try wide.encoded(as: .gif())
            }
            for count in [1, 257] {
                let options = GIFOptions(palette: PaletteOptions(colors: count))
                #expect(
                    throws: TexelError.cannotEncode("invalid palette of \(count) colours; a palette has 2 to 256")
                ) {
                    try image(PixelSize(width: 2, height: 2), colors: 2).encoded(as: .gif(options))
                }
            }
        }

        @Test func stoppedCodingThrows() throws {
            let image = try PixelBuffer.random(width: 100, height: 100)
            let token = StopToken()
            token.cancel()
            #expect(throws: TexelError.stopped(.cancelled)) { try image.encoded(as: .gif(), stop: token) }
            var options = DecodeOptions()
            options.stop = token
            let source = try checks.source(try image.encoded(as: .gif()))
            #expect(throws: TexelError.stopped(.cancelled)) { try source.decodedAsStored(options) }
        }

        @Test func headerIsComplete() throws {
            let info = try checks.source(
                try image(PixelSize(width: 90, height: 70), colors: 20, hasAlpha: true).encoded(as: .gif())
            ).info
            #expect(info.format == .gif)
            #expect(info.size == PixelSize(width: 90, height: 70))
            #expect(info.colorModel == .palette)
            #expect(info.bitDepth == 5)
            #expect(info.hasAlpha && !info.isAnimation && !info.isProgressive)
            #expect(info.coding == "GIF89a")
            #expect(info.isLossless == true)
            #expect(info.frameCount == 1)
        }

        /// A profile that a file has is used, and kept with the pixel data; none is written.
        @Test func profilesAreReadButNotWritten() throws {
            let profile = try #require(try ColorSpace.displayP3.embeddableProfile())
            var image = try image(PixelSize(width: 9, height: 7), colors: 20)
            let plain = try image.encoded(as: .gif())
            var file = GIFBlockWriter(bytes: plain)
            // After the header and the colour table.
            let start = try 13 + (3 << checks.source(plain).info.bitDepth)
            var blocks = stride(from: 0, to: profile.bytes.count, by: 255).flatMap { start in
                let block = profile.bytes[start..<min(profile.bytes.count, start + 255)]
                return [UInt8(block.count)] + block
            }
            blocks = [0x21, 0xFF, 11] + Array("ICCRGBG1012".utf8) + blocks + [0]
            file.bytes.insert(contentsOf: blocks, at: start)
            let source = try checks.source(file.bytes)
            #expect(source.info.colorSpace == .iccProfile(profile) && source.info.colorFault == nil)
            let kept = try source.rewritten(metadata: WrittenMetadata(), keeping: [.color], stop: nil)
            #expect(try checks.source(kept).info.colorSpace == .iccProfile(profile))
            let without = try source.rewritten(metadata: WrittenMetadata(), keeping: [], stop: nil)
            #expect(try checks.source(without).info.colorSpace == .sRGB)
            #expect(try checks.decoded(without).image.pixels == image.pixels)
            image.colorSpace = .iccProfile(profile)
            #expect(try checks.decoded(image.encoded(as: .gif())).image == image.convertedToSRGB())

            // A profile that cannot be used is not kept.
            let model = start + 3 + 11 + 1 + 16
            file.bytes.replaceSubrange(model..<(model + 4), with: "CMYK".utf8)
            let broken = try checks.source(file.bytes)
            #expect(broken.info.colorSpace == .sRGB && broken.info.colorFault != nil)
            let copy = try broken.rewritten(metadata: WrittenMetadata(), keeping: [.color], stop: nil)
            #expect(!copy.contains(Array("acsp".utf8)))
        }

        @Test func commentsTravel() throws {
            let comments = ["", "short", String(repeating: "long ", count: 200)].map {
                TextComment(bytes: Array($0.utf8), encoding: .unknown)
            }
            let bytes = try image(PixelSize(width: 9, height: 7), colors: 20).encoded(
                as: .gif(), metadata: WrittenMetadata(comments: comments))
            #expect(try checks.source(bytes).info.metadata.comments == comments)
        }

        /// More colours give a better image, and about the steps of the ladder.
        @Test func ladderRises() throws {
            let ladder = GIFCodec().ladder(EncodingSettings())
            #expect(ladder.steps.count == 255)
            #expect(zip(ladder.steps, ladder.steps.dropFirst()).allSatisfy { $0.score < $1.score && $0.size < $1.size })
            #expect(GIFCodec().ladder(EncodingSettings(palette: PaletteOptions(colors: 16))).steps.count == 15)
        }
    }
#endif
