#if JXL
    import TestSupport
    import Testing
    import TexelCore
    import TexelPixels

    @testable import TexelCodecs
    @testable import TexelJXL

    /// Animations: timing, composition and metadata.
    @Suite struct JXLAnimationTests {
        private let checks = CodecChecks(JXLCodec())
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

        private func animation(
            _ options: JXLOptions = JXLOptions(isLossless: true), playCount: Int = 3,
            metadata: WrittenMetadata = WrittenMetadata(), colorSpace: ColorSpace = .sRGB
        ) throws -> [UInt8] {
            let encoder = try options.animationEncoder(
                AnimationProperties(size: size, playCount: playCount, hasAlpha: true, colorSpace: colorSpace),
                EncodingContext(metadata: metadata))
            for index in 0..<5 {
                var frame = try frame(index)
                frame.colorSpace = colorSpace
                try encoder.append(frame, delay: delays[index])
            }
            return try encoder.finish()
        }

        @Test func losslessFramesReturn() throws {
            let bytes = try animation()
            let source = try checks.source(bytes)
            #expect(source.info.isAnimation)
            #expect(source.info.frameCount == 5)
            #expect(source.info.size == size)
            let animation = try #require(try source.animation(limits: Limits()))
            #expect(animation.playCount == 3)
            // Thirtieths of a second are whole ticks.
            #expect(
                animation.frames.map(\.delay)
                    == delays.map { FrameDelay($0.numerator * 90_000 / $0.denominator, 90_000) })
            #expect(animation.fault == nil)
            for index in [4, 0, 1, 2, 3, 4, 1] {
                expectPixelsEqual(try checks.decoded(bytes, frame: index).image, try frame(index), "frame \(index)")
            }
            // In any order by one decoder, and as the canvas draws them.
            let canvas = try AnimationCanvas(animation)
            for index in 0..<5 {
                try canvas.draw(index, DecodeOptions())
                let decoder = try animation.decoder(of: 4 - index, DecodeOptions())
                expectPixelsEqual(try decoder.readImage(), try frame(4 - index), "frame \(4 - index)")
            }
            // The file as a still image is its first frame.
            expectPixelsEqual(try checks.decoded(bytes).image, try frame(0))
        }

        @Test func lossyFramesAreClose() throws {
            let bytes = try animation(JXLOptions(quality: 95))
            for index in 0..<5 {
                #expect(meanDifference(try checks.decoded(bytes, frame: index).image, try frame(index)) < 5)
            }
        }

        /// libjxl cannot combine parts of frames in other colours than sRGB's.
        @Test func lossyFramesOfOtherColorsAreDecoded() throws {
            let displayP3 = ColorSpace.codePoints(try #require(CICP(primaries: 12, transfer: 13)))
            let profile = try #require(try displayP3.embeddableProfile())
            for colorSpace in [displayP3, .iccProfile(profile)] {
                let bytes = try animation(JXLOptions(quality: 95), colorSpace: colorSpace)
                for index in 0..<5 {
                    #expect(meanDifference(try checks.decoded(bytes, frame: index).image, try frame(index)) < 5)
                }
            }
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
            checks.checkMutations(of: bytes, count: 300, seed: 3)
        }

        /// The frames before the end of a file are there, and the fault says what is missing. The last frame has no
        /// size in its header: that its last bytes are missing is an error when it is decoded.
        @Test func cutFileKeepsItsFirstFrames() throws {
            let bytes = try animation()
            let half = Array(bytes.prefix(bytes.count * 2 / 3))
            let animation = try #require(try checks.source(half).animation(limits: Limits()))
            #expect((1...3).contains(animation.frames.count))
            #expect(animation.fault == .truncated(rowsRead: 0, rows: 31))
            for index in animation.frames.indices {
                expectPixelsEqual(try checks.decoded(half, frame: index).image, try frame(index))
            }
            let cut = Array(bytes.dropLast(3))
            #expect(throws: TexelError.truncated(rowsRead: 0, rows: 31)) { try checks.decoded(cut, frame: 4) }
            expectPixelsEqual(try checks.decoded(cut, frame: 3).image, try frame(3))
            #expect(throws: TexelError.missingFrame(9, count: 5)) { try checks.decoded(bytes, frame: 9) }
        }

        /// An animation of which only the first frame is there does not pass for a sound still image.
        @Test func cutAfterTheFirstFrame() throws {
            let bytes = try animation()
            let sources = (1..<8).compactMap { try? checks.source(Array(bytes.prefix(bytes.count * $0 / 8))) }
                .filter { $0.info.frameCount == 1 }
            #expect(!sources.isEmpty)
            for source in sources {
                #expect(source.info.isAnimation)
                #expect(try source.animation(limits: Limits())?.fault != nil)
            }
        }

        @Test func tooManyFramesAreRefused() throws {
            var limits = Limits()
            limits.frames = 4
            let bytes = try animation()
            #expect(throws: TexelError.limitExceeded(.frames, value: 5, allowed: 4)) {
                try checks.source(bytes, limits)
            }
        }

        @Test func noFramesAndFramesOfOtherSizesAreRefused() throws {
            let properties = AnimationProperties(
                size: size, playCount: 0, hasAlpha: true, colorSpace: .sRGB)
            let encoder = try JXLOptions().animationEncoder(properties, EncodingContext())
            #expect(throws: TexelError.cannotEncode("an animation without frames")) { try encoder.finish() }
            try encoder.append(try frame(0), delay: FrameDelay(1, 10))
            #expect(throws: TexelError.cannotEncode("a frame of 1×1 pixels in an animation of 40×31")) {
                try encoder.append(try PixelBuffer(width: 1, height: 1), delay: FrameDelay(1, 10))
            }
            try encoder.append(try frame(1), delay: FrameDelay(1, 10))
            #expect(try checks.source(try encoder.finish()).info.frameCount == 2)
        }
    }
#endif
