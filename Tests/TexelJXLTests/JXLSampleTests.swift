#if JXL
    import TestSupport
    import Testing
    import TexelPixels

    @testable import TexelCodecs
    @testable import TexelJXL

    /// Files of each kind, made by another encoder, against the samples that they were made of.
    @Suite struct JXLSampleTests {
        private let checks = CodecChecks(JXLCodec())
        private let size = PixelSize(width: 9, height: 5)

        private func image(
            _ colorSpace: ColorSpace = .sRGB, alphaMode: AlphaMode = .opaque, _ sample: (Int, Int, Int) -> Int
        ) throws -> PixelBuffer {
            var image = try PixelBuffer.make(width: size.width, height: size.height, alphaMode: alphaMode) { x, y in
                let alpha = alphaMode == .opaque ? 255 : sample(x, y, 3)
                return UInt32(alpha) << 24 | UInt32(sample(x, y, 0)) << 16 | UInt32(sample(x, y, 1)) << 8
                    | UInt32(sample(x, y, 2))
            }
            image.colorSpace = colorSpace
            return image
        }

        /// Rounds a sample of a larger range to 8 bits.
        private func rounded(_ value: Int, _ largest: Int) -> Int { (value * 255 + largest / 2) / largest }

        @Test func allDepthsDecodeToEightBits() throws {
            let gray = try checks.source(JXLSamples.gray16).info
            #expect(gray.colorModel == .gray && gray.bitDepth == 16 && !gray.hasAlpha && gray.coding == "Modular")
            #expect(gray.isLossless == nil)
            expectPixelsEqual(
                try checks.decoded(JXLSamples.gray16).image,
                try image { x, y, _ in rounded((x * 7000 + y * 900) % 65_536, 65_535) })
            let rgb = try checks.source(JXLSamples.rgb10).info
            #expect(rgb.colorModel == .rgb && rgb.bitDepth == 10)
            expectPixelsEqual(
                try checks.decoded(JXLSamples.rgb10).image,
                try image { x, y, c in rounded((x * 100 + y * 30 + c * 7) % 1024, 1023) })
            let float = try checks.source(JXLSamples.float32).info
            #expect(float.bitDepth == 32)
            expectPixelsEqual(
                try checks.decoded(JXLSamples.float32).image,
                try image { x, y, c in
                    let value = Double(x - 1) / 6 + Double(y) / 16 + Double(c) / 64
                    return Int((min(max(value, 0), 1) * 255).rounded())
                }, tolerance: 1)
        }

        @Test func premultipliedAlphaBecomesStraight() throws {
            let gray = try checks.source(JXLSamples.grayAlpha).info
            #expect(gray.colorModel == .grayAlpha && gray.hasAlpha)
            expectPixelsEqual(
                try checks.decoded(JXLSamples.grayAlpha).image,
                try image(alphaMode: .straight) { x, y, c in JXLSamples.rgb8(x, y, c == 3 ? 1 : 0) })
            let premultiplied = try checks.decoded(JXLSamples.premultiplied).image
            #expect(premultiplied.alphaMode == .straight)
            expectPixelsEqual(
                premultiplied,
                try image(alphaMode: .straight) { x, y, c in
                    let (value, alpha) = (JXLSamples.rgb8(x, y, c), JXLSamples.rgb8(x, y, 3))
                    return c == 3 ? alpha : min(255, rounded(value, alpha))
                }, tolerance: 1)
        }

        @Test func codestreamColorsAreRead() throws {
            for (bytes, primaries, transfer) in [
                (JXLSamples.displayP3, 12, 13), (JXLSamples.pq, 9, 16), (JXLSamples.hlg, 9, 18),
                (JXLSamples.linear, 1, 8),
            ] {
                let space = ColorSpace.codePoints(
                    try #require(CICP(primaries: primaries, transfer: transfer)))
                #expect(try checks.source(bytes).info.colorSpace == space)
                expectPixelsEqual(try checks.decoded(bytes).image, try image(space, JXLSamples.rgb8))
            }
            // Numbers that H.273 lacks become a profile.
            for bytes in [JXLSamples.gamma, JXLSamples.customWhite] {
                let info = try checks.source(bytes).info
                guard case .iccProfile(let profile) = info.colorSpace else {
                    Issue.record("\(info.colorSpace)")
                    continue
                }
                #expect(profile.colorModel == .rgb)
                expectPixelsEqual(try checks.decoded(bytes).image, try image(info.colorSpace, JXLSamples.rgb8))
            }
        }

        /// XYB becomes the colours that the file declares.
        @Test func colorsOfXYB() throws {
            let info = try checks.source(JXLSamples.pqXYB).info
            #expect(info.coding == "VarDCT" && info.isLossless == false)
            for (bytes, original) in [(JXLSamples.pqXYB, JXLSamples.pq), (JXLSamples.p3XYB, JXLSamples.displayP3)] {
                let decoded = try checks.decoded(bytes).image
                let exact = try checks.decoded(original).image
                #expect(decoded.colorSpace == exact.colorSpace)
                #expect(meanDifference(decoded, exact) < 8)
            }
        }

        @Test func progressiveFilesDecode() throws {
            let decoded = try checks.decoded(JXLSamples.progressive).image
            #expect(meanDifference(decoded, try image(.sRGB, JXLSamples.rgb8)) < 6)
        }

        /// Every sample survives any damage.
        @Test func damagedSamplesNeverTrap() throws {
            let samples = [
                JXLSamples.gray16, JXLSamples.premultiplied, JXLSamples.pqXYB, JXLSamples.customWhite,
                JXLSamples.progressive,
            ]
            for (seed, bytes) in samples.enumerated() {
                try checks.checkTruncations(of: bytes)
                checks.checkMutations(of: bytes, count: 200, seed: UInt64(seed))
            }
        }
    }
#endif
