#if AVIF
    import TestSupport
    import Testing
    import TexelCore
    import TexelPixels

    @testable import TexelAVIF
    @testable import TexelCodecs

    /// Image sequences: timing, repetitions and metadata.
    @Suite struct AVIFAnimationTests {
        private let checks = CodecChecks(AVIFCodec())
        private let size = PixelSize(width: 40, height: 31)

        /// A square that moves over a gradient.
        private func frame(_ index: Int, _ alphaMode: AlphaMode = .straight) throws -> PixelBuffer {
            try PixelBuffer.make(width: size.width, height: size.height, alphaMode: alphaMode) { x, y in
                if index == 4, x < 7, y < 9, alphaMode == .straight { return 0 }
                let isSquare = (index * 5..<(index * 5 + 8)).contains(x) && (5..<13).contains(y)
                return isSquare ? 0xFFE0_2010 : 0xFF00_0000 | UInt32(x * 6) << 16 | UInt32(y * 8) << 8 | 90
            }
        }

        private let delays = [
            FrameDelay(1, 10), FrameDelay(1, 30), FrameDelay(1, 30), FrameDelay(1001, 24000), FrameDelay(3, 1),
        ]

        private func animation(
            playCount: Int = 3, _ alphaMode: AlphaMode = .straight, metadata: WrittenMetadata = WrittenMetadata(),
            parallelism: Int = 1
        ) throws -> [UInt8] {
            let encoder = try AVIFOptions(isLossless: true).animationEncoder(
                AnimationProperties(
                    size: size, playCount: playCount, hasAlpha: alphaMode != .opaque, colorSpace: .sRGB),
                EncodingContext(metadata: metadata, parallelism: parallelism))
            for index in 0..<5 { try encoder.append(try frame(index, alphaMode), delay: delays[index]) }
            return try encoder.finish()
        }

        @Test(arguments: [AlphaMode.opaque, .straight]) func losslessFramesReturn(alphaMode: AlphaMode) throws {
            let bytes = try animation(alphaMode)
            let source = try checks.source(bytes)
            #expect(source.info.isAnimation)
            #expect(source.info.frameCount == 5)
            #expect(source.info.size == size)
            #expect(source.info.hasAlpha == (alphaMode == .straight))
            let animation = try #require(try source.animation(limits: Limits()))
            #expect(animation.playCount == 3)
            // The fourth ends at 0.2083 s, which is rounded.
            #expect(animation.frames.map(\.delay.numerator) == [9000, 3000, 3000, 3754, 270_000])
            #expect(animation.frames.allSatisfy { $0.delay.denominator == 90_000 })
            #expect(animation.fault == nil)
            for index in 0..<5 {
                let decoded = try checks.decoded(bytes, frame: index).image
                expectPixelsEqual(decoded, try frame(index, alphaMode), "frame \(index)")
            }
            // The file as a still image is its first frame.
            expectPixelsEqual(try checks.decoded(bytes).image, try frame(0, alphaMode))
        }

        private func place(of type: String, in bytes: [UInt8]) throws -> Int {
            try #require(bytes.indices.first { bytes[$0...].starts(with: type.utf8) })
        }

        /// Other readers refuse an unknown major brand, and a handler's reserved field that is not 0.
        @Test func copiesAreValid() throws {
            let plain = try animation()
            let valid = try checks.source(plain).rewritten(metadata: WrittenMetadata(), keeping: [.color], stop: nil)
            var bytes = plain
            bytes[10] = 0xFF
            let movie = try place(of: "moov", in: bytes)
            let handler = movie + (try place(of: "hdlr", in: Array(bytes[movie...])))
            bytes[handler + 9] = 0x80
            let source = try checks.source(bytes)
            #expect(source.info.isAnimation)
            #expect(try source.rewritten(metadata: WrittenMetadata(), keeping: [.color], stop: nil) == valid)
        }

        /// Boxes that are understood here, but that other readers refuse.
        @Test func filesWithOddBoxesAreNotCopied() throws {
            let plain = try animation()
            let movie = try place(of: "moov", in: plain)
            func isDamaged(_ change: (inout [UInt8]) throws -> Void) throws -> Bool {
                var bytes = plain
                try change(&bytes)
                return try checks.decoded(bytes, frame: 1).notes.hasDamagedPixels
            }
            #expect(try !isDamaged { _ in })
            // A name that is not ended: the box has no byte after it.
            #expect(
                try isDamaged { bytes in
                    let handler = movie + (try place(of: "hdlr", in: Array(bytes[movie...])))
                    let size = bytes[(handler - 4)..<handler].reduce(0) { $0 << 8 | Int($1) }
                    for index in (handler + 24)..<(handler - 4 + size) { bytes[index] = 65 }
                })
            #expect(try isDamaged { bytes in bytes[try place(of: "elst", in: bytes)] = UInt8(ascii: "E") })
            #expect(
                try isDamaged { bytes in
                    let items = try place(of: "meta", in: bytes)
                    bytes[items + (try place(of: "pitm", in: Array(bytes[items...])))] = UInt8(ascii: "P")
                })
        }

        /// Without a time unit, the delays of the frames are not known.
        @Test func missingTimeUnit() throws {
            var bytes = try animation(.opaque)
            bytes[try place(of: "mdhd", in: bytes)] = UInt8(ascii: "M")
            let animation = try #require(try checks.source(bytes).animation(limits: Limits()))
            #expect(animation.fault == .damaged(.avif, .missing("time unit of the frames")))
        }

        @Test func endlessAndOnce() throws {
            for count in [0, 1, 2, 65_535] {
                let animation = try checks.source(try animation(playCount: count)).animation(limits: Limits())
                #expect(animation?.playCount == count)
            }
        }

        /// Neither the time nor the number of threads changes a byte.
        @Test func bytesAreReproducible() throws {
            #expect(try animation() == animation(parallelism: 3))
            let zeros = [UInt8](repeating: 0, count: 16)
            let bytes = try animation()
            let movie = try #require(bytes.indices.first { bytes[$0...].starts(with: "mvhd".utf8) })
            #expect(bytes[(movie + 8)..<(movie + 24)].elementsEqual(zeros))
        }

        @Test func metadataChangeWithoutAFrame() throws {
            let exif = TestEXIF.block(orientation: .identity)
            let bytes = try animation(metadata: WrittenMetadata(exif: exif))
            #expect(try checks.source(bytes).info.metadata.exif?.hasGPS == true)
            let plain = try checks.source(bytes).rewritten(metadata: WrittenMetadata(), keeping: [.color], stop: nil)
            #expect(try checks.source(plain).info.metadata.exif == nil)
            #expect(plain.count < bytes.count - exif.count)
            let again = try checks.source(plain).rewritten(
                metadata: WrittenMetadata(exif: exif, xmp: Array("<x/>".utf8)), keeping: [.color], stop: nil)
            #expect(try checks.source(again).info.metadata.exif?.bytes == exif)
            for file in [plain, again] {
                #expect(try checks.source(file).animation(limits: Limits())?.playCount == 3)
                for index in 0..<5 {
                    expectPixelsEqual(try checks.decoded(file, frame: index).image, try frame(index))
                }
            }
        }

        @Test func damagedAnimationsNeverTrap() throws {
            let bytes = try animation()
            try checks.checkTruncations(of: bytes, count: 400)
            checks.checkMutations(of: bytes, count: 300, seed: 3)
        }

        @Test func arrivingAnimationsDecodeLikeWholeFiles() async throws {
            try await checks.checkArriving(try animation(), seed: 5)
        }

        /// The frames before the end of a file are there, and the fault says what is missing.
        @Test func cutFileKeepsItsFirstFrames() throws {
            let bytes = try animation(.opaque)
            let animation = try #require(try checks.source(Array(bytes.dropLast(4))).animation(limits: Limits()))
            #expect(animation.frames.count == 4)
            #expect(animation.fault == .truncated(rowsRead: 0, rows: 31))
            #expect(throws: TexelError.missingFrame(9, count: 5)) { try checks.decoded(bytes, frame: 9) }
        }

        @Test func tooManyFramesAreRefused() throws {
            var limits = Limits()
            limits.frames = 4
            let bytes = try animation()
            #expect(throws: TexelError.limitExceeded(.frames, value: 5, allowed: 4)) {
                try checks.source(bytes, limits)
            }
        }

        /// Frames are as transparent as the animation, whatever the first one is.
        @Test func transparencyIsDeclared() throws {
            func encoder(hasAlpha: Bool) throws -> any AnimationEncoder {
                try AVIFOptions(isLossless: true).animationEncoder(
                    AnimationProperties(
                        size: size, playCount: 0, hasAlpha: hasAlpha, colorSpace: .sRGB),
                    EncodingContext())
            }
            let opaque = try encoder(hasAlpha: false)
            try opaque.append(try frame(0, .opaque), delay: delays[0])
            #expect(throws: TexelError.cannotEncode("a frame of an animation without alpha is transparent")) {
                try opaque.append(try frame(4), delay: delays[0])
            }
            let transparent = try encoder(hasAlpha: true)
            try transparent.append(try frame(0, .opaque), delay: delays[0])
            try transparent.append(try frame(4), delay: delays[0])
            let bytes = try transparent.finish()
            expectPixelsEqual(try checks.decoded(bytes, frame: 0).image, try frame(0))
            expectPixelsEqual(try checks.decoded(bytes, frame: 1).image, try frame(4))
        }
    }
#endif
