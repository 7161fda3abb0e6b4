#if WebP
    import TestSupport
    import Testing
    import TexelCore
    import TexelPixels

    @testable import TexelCodecs
    @testable import TexelWebP

    /// Animations: timing, composition and metadata.
    @Suite struct WebPAnimationTests {
        private let checks = CodecChecks(WebPCodec())
        private let size = PixelSize(width: 40, height: 31)

        /// A square that moves over a gradient, and leaves a hole in the last frame.
        private func frame(_ index: Int) throws -> PixelBuffer {
            try PixelBuffer.make(width: size.width, height: size.height, alphaMode: .straight) { x, y in
                if index == 4, x < 7, y < 9 { return 0 }
                let isSquare = (index * 5..<(index * 5 + 8)).contains(x) && (5..<13).contains(y)
                return isSquare ? 0xFFE0_2010 : 0xFF00_0000 | UInt32(x * 6) << 16 | UInt32(y * 8) << 8 | 90
            }
        }

        private let delays = [
            FrameDelay(1, 10), FrameDelay(1, 30), FrameDelay(1, 30), FrameDelay(1, 30), FrameDelay(3, 1),
        ]

        private func animation(playCount: Int = 3, metadata: WrittenMetadata = WrittenMetadata()) throws -> [UInt8] {
            let encoder = try WebPOptions(isLossless: true).animationEncoder(
                AnimationProperties(size: size, playCount: playCount, hasAlpha: true, colorSpace: .sRGB),
                EncodingContext(metadata: metadata))
            for index in 0..<5 { try encoder.append(try frame(index), delay: delays[index]) }
            return try encoder.finish()
        }

        @Test func losslessFramesReturn() throws {
            let source = try checks.source(try animation())
            #expect(source.info.isAnimation)
            #expect(source.info.frameCount == 5)
            #expect(source.info.size == size)
            let animation = try #require(try source.animation(limits: Limits()))
            #expect(animation.playCount == 3)
            // Thirtieths of a second in milliseconds, without a growing error.
            #expect(animation.frames.map(\.delay.numerator) == [100, 33, 34, 33, 3000])
            #expect(animation.fault == nil)
            for index in 0..<5 {
                let decoded = try checks.decoded(try self.animation(), frame: index).image
                expectPixelsEqual(decoded, try frame(index), "frame \(index)")
            }
            // The file as a still image is its first frame.
            expectPixelsEqual(try checks.decoded(try self.animation()).image, try frame(0))
        }

        /// Drawings are smaller without loss.
        @Test(arguments: Effort.allCases) func lossIsNeverLargerThanNone(effort: Effort) throws {
            func bytes(_ options: WebPOptions) throws -> [UInt8] {
                let encoder = try options.animationEncoder(
                    AnimationProperties(size: size, playCount: 0, hasAlpha: true, colorSpace: .sRGB),
                    EncodingContext())
                for index in 0..<12 {
                    let drawing = try PixelBuffer.make(width: size.width, height: size.height) { x, y in
                        (x * 7 + y * 3 + index * 5) % 11 < 4 ? 0xFF10_2030 : 0xFFF0_E0D0
                    }
                    try encoder.append(drawing, delay: FrameDelay(1, 10))
                }
                return try encoder.finish()
            }
            let exact = try bytes(WebPOptions(isLossless: true, effort: effort == .fast ? .fast : .balanced))
            #expect(try bytes(WebPOptions(quality: 90, effort: effort)).count <= exact.count)
        }

        /// libwebpmux encodes the only frame again when it makes the file.
        @Test(arguments: [false, true]) func equalFramesBecomeOne(isLossless: Bool) throws {
            let encoder = try WebPOptions(isLossless: isLossless).animationEncoder(
                AnimationProperties(size: size, playCount: 0, hasAlpha: true, colorSpace: .sRGB),
                EncodingContext())
            for _ in 0..<2 { try encoder.append(try frame(1), delay: FrameDelay(1, 10)) }
            let decoded = try checks.decoded(try encoder.finish()).image
            #expect(meanDifference(decoded, try frame(1)) < 4)
        }

        @Test func endlessAndOnce() throws {
            for count in [0, 1, 65_535] {
                let animation = try checks.source(try animation(playCount: count)).animation(limits: Limits())
                #expect(animation?.playCount == count)
            }
        }

        @Test func metadataChangeWithoutAFrame() throws {
            let exif = TestEXIF.block(orientation: .identity)
            let bytes = try animation(metadata: WrittenMetadata(exif: exif))
            #expect(try checks.source(bytes).info.metadata.exif?.hasGPS == true)
            let plain = try checks.source(bytes).rewritten(metadata: WrittenMetadata(), keeping: [.color], stop: nil)
            #expect(try plain == animation())
        }

        @Test func damagedAnimationsNeverTrap() throws {
            let bytes = try animation()
            try checks.checkTruncations(of: bytes)
            checks.checkMutations(of: bytes, count: 600, seed: 3)
        }

        /// The frames before the end of a file are there, and the fault says what is missing.
        @Test func cutFileKeepsItsFirstFrames() throws {
            let bytes = try animation()
            let animation = try #require(
                try checks.source(Array(bytes.dropLast(10))).animation(limits: Limits()))
            #expect(animation.frames.count == 4)
            #expect(animation.fault == .truncated(rowsRead: 0, rows: 31))
            #expect(throws: TexelError.missingFrame(9, count: 5)) { try checks.decoded(bytes, frame: 9) }
        }

        /// Canvas that no frame covers is transparent without a flag of the file, as libwebp shows it; the flag is
        /// written.
        @Test func uncoveredCanvasIsTransparent() throws {
            let square = try PixelBuffer(width: 8, height: 8, filledWith: 0xFFC0_3040)
                .encoded(as: ImageEncoding(WebPOptions(isLossless: true)))
            let canvas = PixelSize(width: 16, height: 16)
            let image = InputBytes(square.dropFirst(WebPFile.signatureSize))
            func file(_ first: PixelRectangle, clears: Bool) -> [UInt8] {
                let areas = [first, PixelRectangle(x: 0, y: 0, width: 8, height: 8)]
                return WebPContainer(size: canvas, hasAlpha: false).animation(
                    playCount: 0,
                    frames: areas.map {
                        WebPContainer.Frame(
                            area: $0, milliseconds: 100, blends: true, clears: clears,
                            chunks: [image[0..<image.count]])
                    })
            }
            let bytes = file(PixelRectangle(x: 4, y: 4, width: 8, height: 8), clears: false)
            #expect(bytes[20] & 0x10 == 0)
            let source = try checks.source(bytes)
            #expect(source.info.hasAlpha)
            for frame in 0..<2 {
                let decoded = try checks.decoded(bytes, frame: frame).image
                #expect(decoded.pixels[15] == 0 && decoded.pixels[5 * 16 + 5] == 0xFFC0_3040)
                #expect(decoded.alphaMode == .straight)
            }
            let copy = try source.rewritten(metadata: WrittenMetadata(), keeping: [], stop: nil)
            #expect(copy[20] & 0x10 != 0)
        }

        /// A file whose frames have alpha, but whose flag says otherwise, is copied with the flag.
        @Test func copiesHaveTheFlagOfAlpha() throws {
            var bytes = try animation()
            #expect(bytes[20] & 0x10 != 0)
            bytes[20] &= ~0x10
            let copy = try checks.source(bytes).rewritten(metadata: WrittenMetadata(), keeping: [], stop: nil)
            #expect(copy[20] & 0x10 != 0)
        }

        @Test func tooManyFramesAreRefused() throws {
            var limits = Limits()
            limits.frames = 4
            let bytes = try animation()
            #expect(throws: TexelError.limitExceeded(.frames, value: 5, allowed: 4)) {
                try checks.source(bytes, limits)
            }
        }
    }
#endif
