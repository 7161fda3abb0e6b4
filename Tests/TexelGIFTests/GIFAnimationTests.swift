#if GIF
    import TestSupport
    import Testing
    import TexelCore
    import TexelPixels

    @testable import TexelCodecs
    @testable import TexelGIF

    /// Animations that are written: timing, composition, colours.
    @Suite struct GIFAnimationTests {
        private let checks = CodecChecks(GIFCodec())

        private func encoded(
            _ frames: [PixelBuffer], delays: [FrameDelay], options: GIFOptions = GIFOptions(), playCount: Int = 0,
            hasAlpha: Bool = true, metadata: WrittenMetadata = WrittenMetadata(), parallelism: Int = 1
        ) throws -> [UInt8] {
            let encoder = try options.animationEncoder(
                AnimationProperties(
                    size: frames[0].size, playCount: playCount, hasAlpha: hasAlpha,
                    colorSpace: .sRGB),
                EncodingContext(metadata: metadata, parallelism: parallelism))
            for (frame, delay) in zip(frames, delays) { try encoder.append(frame, delay: delay) }
            return try encoder.finish()
        }

        private func delays(_ count: Int) -> [FrameDelay] { (0..<count).map { FrameDelay($0 + 2, 100) } }

        /// Expects the frames of a file to be `frames`, which all differ.
        private func expectFrames(
            _ bytes: [UInt8], _ frames: [PixelBuffer], _ comment: String = "",
            sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            let animation = try #require(try checks.source(bytes).animation(limits: Limits()))
            #expect(animation.frames.count == frames.count, "\(comment)", sourceLocation: sourceLocation)
            #expect(
                animation.frames.map(\.delay) == delays(frames.count), "\(comment)", sourceLocation: sourceLocation)
            for index in frames.indices {
                let decoded = try checks.decoded(bytes, .error, frame: index).image
                expectPixelsEqual(decoded, frames[index], "\(comment) frame \(index)", sourceLocation: sourceLocation)
            }
        }

        /// Shapes of few colours that appear, move and vanish, over an opaque or a transparent background.
        private func frames(
            _ count: Int, _ size: PixelSize, seed: UInt64, isTransparent: Bool, colorCount: Int = 12
        ) throws -> [PixelBuffer] {
            var generator = SeededGenerator(seed: seed)
            let colors = (0..<colorCount).map { UInt32($0) &* 0x9E37_79B1 >> 8 | 0xFF00_0000 }
            var image = try PixelBuffer(
                width: size.width, height: size.height, filledWith: isTransparent ? 0 : colors[0],
                alphaMode: .straight)
            return (0..<count).map { number in
                if isTransparent, Int.random(in: 0..<4, using: &generator) == 0 {
                    image.withUnsafeMutablePixels { $0.update(repeating: 0) }
                }
                for _ in 0..<Int.random(in: 1...3, using: &generator) {
                    let left = Int.random(in: 0..<size.width, using: &generator)
                    let top = Int.random(in: 0..<size.height, using: &generator)
                    let isHole = isTransparent && Bool.random(using: &generator)
                    let start = Int.random(in: 0..<colorCount, using: &generator)
                    for y in top..<min(size.height, top + Int.random(in: 1...9, using: &generator)) {
                        for x in left..<min(size.width, left + Int.random(in: 1...9, using: &generator)) {
                            image[x, y] = isHole ? 0 : colors[(start + x * y) % colorCount]
                        }
                    }
                }
                // Each frame differs from the one before.
                image[0, 0] = colors[number % 2 + 1]
                return image
            }
        }

        /// Each frame draws 255 colours of its own over the others, as many as a GIF holds beside transparency.
        @Test func framesWithTablesOfTheirOwnReturnExactly() throws {
            var image = try PixelBuffer(width: 40, height: 20, filledWith: 0xFF80_8080, alphaMode: .opaque)
            let frames = (0..<4).map { number in
                for index in 0..<255 {
                    image[(index * 3 + number) % 40, (index * 3 + number) / 40 % 20] =
                        0xFF00_0000 | UInt32(number + 1) << 16 | UInt32(index)
                }
                return image
            }
            for options in [GIFOptions(), GIFOptions(isLossless: true)] {
                try expectFrames(
                    try encoded(frames, delays: delays(4), options: options, hasAlpha: false), frames)
            }
        }

        @Test func bytesDoNotDependOnThreads() throws {
            for (isTransparent, colorCount) in [(false, 12), (true, 700), (false, 90_000)] {
                let frames = try frames(
                    11, PixelSize(width: 40, height: 31), seed: 3, isTransparent: isTransparent,
                    colorCount: colorCount)
                let expected = try encoded(frames, delays: delays(11), hasAlpha: isTransparent)
                for parallelism in [2, 3, 8] {
                    let bytes = try encoded(
                        frames, delays: delays(11), hasAlpha: isTransparent, parallelism: parallelism)
                    #expect(bytes == expected, "\(colorCount) colours, \(parallelism) threads")
                }
            }
        }

        /// The transparent index of a frame is a colour that it does not draw, so that it needs no bit of its own.
        @Test func transparencyNeedsNoOtherIndex() throws {
            let first = try PixelBuffer.make(width: 16, height: 16) { x, y in
                0xFF00_0000 | UInt32((x + y * 16) % 128) << 8
            }
            var second = first
            for x in 0..<16 { second[x, 3] = first[15 - x, 9] }
            let bytes = try encoded([first, second], delays: delays(2), hasAlpha: false)
            try expectFrames(bytes, [first, second])
            // The table has 128 colours.
            #expect(bytes[10] & 0x87 == 0x86)
        }

        /// A file has a colour table even if no pixel has a colour.
        @Test func transparentFramesHaveATable() throws {
            let frames = [try PixelBuffer(width: 3, height: 2)]
            let bytes = try encoded(frames, delays: delays(1))
            #expect(bytes[10] & 0x80 != 0)
            #expect(try checks.decoded(bytes).image.pixels.allSatisfy { $0 == 0 })
        }

        @Test func losslessRefusesWhatAGIFCannotHold() throws {
            let options = GIFOptions(isLossless: true)
            let colorful = try PixelBuffer.make(width: 20, height: 20) { x, y in 0xFF00_0000 | UInt32(x * 20 + y) }
            let half = try PixelBuffer(width: 20, height: 20, filledWith: 0x8000_0000, alphaMode: .straight)
            for (image, reason) in [
                (colorful, "an image has more colours than a GIF can have"),
                (half, "a GIF has no partly transparent pixels"),
            ] {
                #expect(throws: TexelError.notLossless(reason)) {
                    try encoded([image], delays: delays(1), options: options)
                }
                #expect(throws: TexelError.notLossless(reason)) { try image.encoded(as: .gif(options)) }
            }
        }

        @Test(arguments: [false, true]) func fewColorsReturnExactly(isTransparent: Bool) throws {
            for seed in 0..<40 as Range<UInt64> {
                let size = PixelSize(width: [1, 5, 31, 40][Int(seed % 4)], height: [7, 1, 23, 40][Int(seed % 4)])
                let frames = try frames(8, size, seed: seed, isTransparent: isTransparent)
                for effort in Effort.allCases {
                    let bytes = try encoded(
                        frames, delays: delays(8), options: GIFOptions(effort: effort), hasAlpha: isTransparent)
                    try expectFrames(bytes, frames, "seed \(seed) \(effort)")
                }
            }
        }

        /// Frames of 256 opaque colours each: each has its own table, without a transparent index.
        @Test func tablesOfTheirOwn() throws {
            let frames = try (0..<5).map { number in
                try PixelBuffer.make(width: 16, height: 16) { x, y in
                    0xFF00_0000 | UInt32(number) << 16 | UInt32(x * 16 + y)
                }
            }
            for hasAlpha in [false, true] {
                let bytes = try encoded(frames, delays: delays(5), hasAlpha: hasAlpha)
                try expectFrames(bytes, frames)
            }
            // Pixels of 256 colours change, and one, of one of these colours, does not.
            let one = try PixelBuffer.make(width: 16, height: 17) { x, y in 0xFF00_0000 | UInt32(x + y % 16 * 16) }
            let other = try PixelBuffer.make(width: 16, height: 17) { x, y in
                let index = y < 16 ? x + y * 16 : 15 - x
                return index == 0 ? 0xFF00_0000 : 0xFF01_0000 | UInt32(index)
            }
            try expectFrames(try encoded([one, other], delays: delays(2)), [one, other])
            // Part of the last frame vanishes: the colours before leave no room for a transparent index.
            var last = frames[1]
            for x in 0..<16 { last[x, 3] = 0 }
            let wrong = try encoded([frames[0], frames[1], last], delays: delays(3), hasAlpha: false)
            let animation = try #require(try checks.source(wrong).animation(limits: Limits()))
            let decoded = try checks.decoded(wrong, frame: animation.frames.count - 1).image
            #expect((0..<16).allSatisfy { decoded[$0, 3] == 0 && decoded[$0, 4] != 0 })
            #expect(meanDifference(decoded, last) < 1)
            #expect(animation.frames.map(\.delay.numerator).reduce(0, +) == 9)
        }

        /// More colours in all frames than one table has.
        @Test(arguments: [false, true]) func sharedAndOwnTables(isTransparent: Bool) throws {
            for seed in 0..<6 as Range<UInt64> {
                let frames = try frames(
                    12, PixelSize(width: 40, height: 31), seed: seed, isTransparent: isTransparent, colorCount: 700)
                let bytes = try encoded(frames, delays: delays(12))
                // Little of a frame changes, so few colours are drawn at once.
                for (index, frame) in frames.enumerated() {
                    let decoded = try checks.decoded(bytes, frame: index).image
                    #expect(meanDifference(decoded, frame) < 1.5, "seed \(seed) frame \(index)")
                    let holes = zip(decoded.pixels, frame.pixels).allSatisfy { ($0 == 0) == ($1 == 0) }
                    #expect(holes, "seed \(seed) frame \(index)")
                }
            }
        }

        /// Where the source does not change, neither does the file, in spite of dithering.
        @Test func unchangedPixelsDoNotFlicker() throws {
            let size = PixelSize(width: 90, height: 70)
            let frames = try (0..<4).map { number in
                try PixelBuffer.make(width: size.width, height: size.height) { x, y in
                    let isBall = (x - 20 - number * 9) * (x - 20 - number * 9) + (y - 30) * (y - 30) < 200
                    return isBall
                        ? 0xFFF0_3000 | UInt32(x * 2 + number)
                        : 0xFF00_0000 | UInt32(x * 2) << 16 | UInt32(y * 3) << 8 | UInt32(x + y)
                }
            }
            let bytes = try encoded(frames, delays: delays(4), hasAlpha: false)
            let decoded = try (0..<4).map { try checks.decoded(bytes, frame: $0).image }
            for index in 1..<4 {
                for y in 0..<size.height {
                    for x in 0..<size.width where frames[index][x, y] == frames[index - 1][x, y] {
                        #expect(decoded[index][x, y] == decoded[index - 1][x, y])
                    }
                }
                #expect(meanDifference(decoded[index], frames[index]) < 4)
            }
            // Only what changes is stored.
            let animation = try #require(try checks.source(bytes).animation(limits: Limits()))
            #expect(animation.frames.dropFirst().allSatisfy { $0.area.width <= 41 && $0.area.height <= 29 })
        }

        @Test func equalFramesAreMerged() throws {
            let (first, second) = (
                try PixelBuffer.make(width: 5, height: 4) { x, _ in 0xFF00_0000 | UInt32(x) },
                try PixelBuffer.make(width: 5, height: 4) { x, y in 0xFF00_0000 | UInt32(x + y) }
            )
            let bytes = try encoded(
                [first, first, second, second, second, first],
                delays: [30_000, 50_000, 4, 5, 6, 7].map { FrameDelay($0, 100) })
            let animation = try #require(try checks.source(bytes).animation(limits: Limits()))
            // A delay that is too long for one image is divided.
            #expect(animation.frames.map(\.delay.numerator) == [65_535, 14_465, 15, 7])
            for (frame, image) in [first, first, second, first].enumerated() {
                expectPixelsEqual(try checks.decoded(bytes, frame: frame).image, image)
            }
            // One image is left.
            let still = try encoded([first, first], delays: delays(2))
            #expect(try checks.source(still).info.isAnimation == false)
            expectPixelsEqual(try checks.decoded(still, .warning).image, first)
        }

        /// Long delays and vanishing pixels together.
        @Test func longDelaysBeforeDisposal() throws {
            let frames = try frames(6, PixelSize(width: 20, height: 20), seed: 3, isTransparent: true)
            let bytes = try encoded(frames, delays: (0..<6).map { _ in FrameDelay(1400, 1) })
            let animation = try #require(try checks.source(bytes).animation(limits: Limits()))
            #expect(animation.frames.count == 18)
            #expect(animation.frames.map(\.delay.numerator).reduce(0, +) == 840_000)
            for index in 0..<18 {
                expectPixelsEqual(try checks.decoded(bytes, frame: index).image, frames[index / 3], "\(index)")
            }
        }

        @Test func delaysAreRoundedWithoutDrift() throws {
            let frames = try frames(6, PixelSize(width: 9, height: 9), seed: 3, isTransparent: false)
            let bytes = try encoded(
                frames,
                delays: [
                    FrameDelay(1, 30), FrameDelay(1, 30), FrameDelay(1, 30), FrameDelay(0, 1), FrameDelay(1, 1000),
                    FrameDelay(2, 1),
                ])
            let animation = try #require(try checks.source(bytes).animation(limits: Limits()))
            // Thirtieths without a growing error; none stays none, and a short delay does not become none.
            #expect(animation.frames.map(\.delay.numerator) == [3, 4, 3, 0, 1, 200])
        }

        @Test func playCountsSurviveARoundTrip() throws {
            let frames = try frames(2, PixelSize(width: 9, height: 9), seed: 3, isTransparent: false)
            for count in [0, 1, 2, 65_536] {
                let bytes = try encoded(frames, delays: delays(2), playCount: count)
                #expect(try checks.source(bytes).animation(limits: Limits())?.playCount == count)
            }
        }

        @Test func metadataChangeWithoutAFrame() throws {
            let frames = try frames(3, PixelSize(width: 9, height: 9), seed: 3, isTransparent: true)
            let comment = TextComment(bytes: Array("hello".utf8), encoding: .unknown)
            let plain = try encoded(frames, delays: delays(3))
            let commented = try encoded(
                frames, delays: delays(3), metadata: WrittenMetadata(comments: [comment]))
            #expect(try checks.source(commented).info.metadata.comments == [comment])
            #expect(
                try checks.source(commented).rewritten(metadata: WrittenMetadata(), keeping: [.color], stop: nil)
                    == plain)
            #expect(
                try checks.source(plain).rewritten(
                    metadata: WrittenMetadata(comments: [comment]), keeping: [.color], stop: nil) == commented)
        }

        @Test func damagedAnimationsNeverTrap() async throws {
            let frames = try frames(6, PixelSize(width: 30, height: 21), seed: 9, isTransparent: true)
            let bytes = try encoded(frames, delays: delays(6))
            try checks.checkTruncations(of: bytes)
            checks.checkMutations(of: bytes, count: 1500, seed: 3)
            try await checks.checkArriving(bytes, seed: 1)
        }

        @Test func refusesOtherSizes() throws {
            let frames = [try PixelBuffer(width: 2, height: 2), try PixelBuffer(width: 2, height: 3)]
            #expect(throws: TexelError.cannotEncode("a frame of 2×3 pixels in an animation of 2×2")) {
                try encoded(frames, delays: delays(2))
            }
        }
    }
#endif
