import TestSupport
import Testing
import Texel

/// Animations as sequences of frames, and the writer of animations.
@Suite struct AnimatedImageTests {
    private let images: [PixelBuffer]
    private let durations: [Duration] = [.milliseconds(50), .milliseconds(300), .milliseconds(20), .milliseconds(70)]
    private static let formats = ImageFormat.tested.filter { $0.capabilities.writesAnimations }

    init() throws {
        images = try (0..<4).map { number in
            try PixelBuffer.make(width: 40, height: 30, alphaMode: .straight) { x, y in
                abs(x - 10 - 6 * number) < 6 && abs(y - 14) < 9 ? 0xFF20_4060 + UInt32(number) : y < 6 ? 0xFF80_8080 : 0
            }
        }
    }

    private func written(_ format: ImageFormat, playCount: Int = 0) throws -> [UInt8] {
        let encoding = try #require(format.encoding(EncodingSettings(isLossless: true)))
        let writer = try AnimationWriter(PixelSize(width: 40, height: 30), as: encoding, playCount: playCount)
        for (image, duration) in zip(images, durations) { try writer.append(image, for: duration) }
        return try writer.finish()
    }

    private func frames(_ image: AnimatedImage) async throws -> [AnimatedImage.Element] {
        var frames: [AnimatedImage.Element] = []
        for try await frame in image { frames.append(frame) }
        return frames
    }

    @Test(arguments: formats) func writtenFramesAreReadAgain(format: ImageFormat) async throws {
        let image = try AnimatedImage(decoding: try written(format, playCount: 3))
        #expect(image.frameCount == 4 && image.playCount == 3 && image.info.format == format)
        // Each iteration begins with the first frame.
        for _ in 0..<2 {
            let frames = try await frames(image)
            #expect(frames.map(\.pixels.pixels) == images.map(\.pixels))
            #expect(frames.map(\.duration) == durations)
            #expect(frames.map(\.time) == [0, 50, 350, 370].map { .milliseconds($0) })
        }
    }

    @Test func playbackChoosesFramesAndTimes() async throws {
        var playback = Playback()
        (playback.isReversed, playback.speed, playback.playCount) = (true, 2, 1)
        let image = try AnimatedImage(decoding: try written(.png), playback: playback)
        let frames = try await frames(image)
        #expect(image.playCount == 1 && frames.map(\.pixels.pixels) == images.reversed().map(\.pixels))
        #expect(frames.map(\.duration) == [35, 10, 150, 25].map { .milliseconds($0) })
    }

    @Test func stillImagesHaveOneFrame() async throws {
        let directory = try TemporaryDirectory()
        let jpeg = try PixelBuffer.smooth(PixelSize(width: 20, height: 10)).encoded(as: .jpeg())
        try directory.add("a.jpg", jpeg)
        let image = try await AnimatedImage(contentsOf: FilePath(directory("a.jpg")))
        let frames = try await frames(image)
        #expect(frames.count == 1 && frames[0].duration == .zero)
        #expect(try await frames[0].pixels == PixelBuffer(decoding: jpeg))
    }

    @Test func wrongUseIsRefused() async throws {
        #expect(throws: TexelError.unsupported("writing animations as JPEG")) {
            try AnimationWriter(PixelSize(width: 4, height: 4), as: .jpeg())
        }
        for format in Self.formats {
            let encoding = try #require(format.encoding(EncodingSettings()))
            let writer = try AnimationWriter(PixelSize(width: 4, height: 4), as: encoding)
            #expect(throws: TexelError.cannotEncode("an animation without frames")) { try writer.finish() }
            #expect(throws: TexelError.self) { try writer.append(images[0], for: .seconds(1)) }
        }
        var playback = Playback()
        playback.ranges = [2...9]
        #expect(throws: TexelError.missingFrame(9, count: 4)) {
            try AnimatedImage(decoding: try written(.png), playback: playback)
        }
        playback = Playback()
        playback.speed = .nan
        #expect(throws: TexelError.self) { try AnimatedImage(decoding: try written(.png), playback: playback) }
    }

    @Test func damageEndsTheSequenceWithAnError() async throws {
        let bytes = try written(.png)
        // The end chunk, and the last byte of the last frame's pixels and their checksum.
        let cut = bytes.dropLast(12 + 5)
        await #expect(throws: TexelError.self) { try await frames(try AnimatedImage(decoding: cut)) }
        let left = try AnimatedImage(decoding: cut, policy: DecodePolicy(strictness: .none))
        #expect(try await frames(left).prefix(3).map(\.pixels.pixels) == images.prefix(3).map(\.pixels))
    }
}
