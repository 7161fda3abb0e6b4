import Foundation
import SystemPackage
import TestSupport
import Testing
import TexelCore
import TexelPixels

@testable import TexelCodecs
@testable import TexelPNG
@testable import TexelFrames

@Suite("Animated PNG")
struct AnimationSourceTests {
    private func source(_ animation: AnimatedPNG, loops: Bool = false) throws -> AnimationSource {
        try AnimationSource(InputBytes(try animation.bytes()), loops: loops)
    }

    private func pixels(_ frames: [SeenFrame]) -> [[UInt32]] {
        frames.map { frame in
            guard case .pixels(_, let pixels) = frame.image else { return [] }
            return pixels
        }
    }

    /// An animation of random frames at random positions, with all disposal and blending modes.
    private func random(_ size: PixelSize, frames: Int, seed: UInt64, alphaMode: AlphaMode) throws -> AnimatedPNG {
        var generator = SeededGenerator(seed: seed)
        let made = try (0..<frames).map { index -> AnimatedPNG.Frame in
            let width = index == 0 ? size.width : Int.random(in: 1...size.width, using: &generator)
            let height = index == 0 ? size.height : Int.random(in: 1...size.height, using: &generator)
            return AnimatedPNG.Frame(
                image: try PixelBuffer.random(
                    width: width, height: height, alphaMode: alphaMode, seed: seed + UInt64(index)),
                x: Int.random(in: 0...(size.width - width), using: &generator),
                y: Int.random(in: 0...(size.height - height), using: &generator),
                disposal: try #require(
                    AnimationFrame.Disposal(rawValue: Int.random(in: index == 0 ? 0...1 : 0...2, using: &generator))),
                blending: try #require(AnimationFrame.Blending(rawValue: Int.random(in: 0...1, using: &generator))))
        }
        return AnimatedPNG(canvas: size, frames: made, parts: Int.random(in: 1...3, using: &generator))
    }

    @Test("Every disposal and blending, as the specification says", arguments: [AlphaMode.opaque, .straight])
    func framesAreDisposedAndBlendedAsSpecified(alphaMode: AlphaMode) throws {
        for (index, size) in [(1, 1), (2, 3), (13, 7), (40, 70)].enumerated() {
            for seed in 0..<UInt64(8) {
                let animation = try random(
                    PixelSize(width: size.0, height: size.1), frames: 9, seed: seed * 1000 + UInt64(index) * 100,
                    alphaMode: alphaMode)
                let seen = pixels(try source(animation).seenFrames())
                let isExpected = seen == animation.expectedFrames()
                #expect(isExpected, "\(size) \(seed)")
            }
        }
    }

    @Test("Whether frames are opaque is known")
    func framesSayWhetherTheyAreOpaque() throws {
        let size = PixelSize(width: 5, height: 5)
        func modes(_ animation: AnimatedPNG) throws -> [AlphaMode?] {
            try source(animation).seenFrames().map(\.alphaMode)
        }
        var animation = try random(size, frames: 3, seed: 5, alphaMode: .opaque)
        for index in animation.frames.indices { animation.frames[index].disposal = .none }
        #expect(try modes(animation) == [.opaque, .opaque, .opaque])
        // What is cleared is transparent, as far as the next frame does not cover it.
        animation.frames[1].disposal = .background
        let isCovered = animation.expectedFrames()[2].allSatisfy { $0 >> 24 == 255 }
        #expect(try modes(animation) == [.opaque, .opaque, isCovered ? .opaque : .straight])
        #expect(try modes(try random(size, frames: 1, seed: 5, alphaMode: .straight)) == [.straight])
    }

    @Test("Delays are times; a denominator of 0 is 100, and up to 10 ms are shown as 100 ms, as in browsers")
    func delaysBecomeTimesAsInBrowsers() throws {
        let image = try PixelBuffer.random(width: 3, height: 3)
        let delays = [(1, 30), (1, 30), (1, 30), (7, 0), (0, 25), (10, 1000), (11, 1000), (65535, 1), (1, 1)]
        let frames = delays.map { AnimatedPNG.Frame(image: image, delay: $0) }
        let seen = try source(AnimatedPNG(canvas: image.size, frames: frames)).seenFrames()
        #expect(
            seen.map(\.time) == [
                .zero, .nanoseconds(33_333_333), .nanoseconds(66_666_667), .milliseconds(100), .milliseconds(170),
                .milliseconds(270), .milliseconds(370), .milliseconds(381), .milliseconds(65_535_381),
            ])
        #expect(seen.last?.duration == .seconds(1))
        #expect(seen.map(\.index) == Array(0..<9))
        func rate(_ delays: [(Int, Int)]) throws -> FrameRate? {
            let frames = delays.map { AnimatedPNG.Frame(image: image, delay: $0) }
            return try source(AnimatedPNG(canvas: image.size, frames: frames)).format.rate
        }
        #expect(try rate([(1001, 30000), (1001, 30000)]) == FrameRate(30000, per: 1001))
        #expect(try rate([(2, 50), (4, 100)]) == FrameRate(25))
        #expect(try rate([(1, 10), (3, 10)]) == FrameRate(5))
        #expect(try rate([(0, 1)]) == FrameRate(10))
        #expect(try rate([(1, 100), (1, 10)]) == FrameRate(10))
    }

    @Test("It is played once, or as often as it says")
    func animationsPlayOnceOrAsDeclared() throws {
        var animation = try random(PixelSize(width: 4, height: 4), frames: 3, seed: 9, alphaMode: .straight)
        let once = animation.expectedFrames()
        animation.plays = 2
        #expect(pixels(try source(animation).seenFrames()) == once)
        let twice = try source(animation, loops: true).seenFrames()
        #expect(pixels(twice) == once + once)
        #expect(twice.map(\.time) == (0..<6).map { .milliseconds($0 * 100) })
        animation.plays = 0
        #expect(pixels(try source(animation, loops: true).seenFrames(atMost: 8)) == once + once + once[..<2])
        #expect(pixels(try source(animation).seenFrames()) == once)
    }

    @Test("A default picture need not be part of the animation")
    func separateDefaultImageIsNotPlayed() throws {
        let size = PixelSize(width: 6, height: 5)
        var animation = try random(size, frames: 3, seed: 3, alphaMode: .straight)
        animation.defaultImage = try PixelBuffer.random(width: 6, height: 5, alphaMode: .straight, seed: 99)
        animation.frames.removeFirst()
        #expect(pixels(try source(animation).seenFrames()) == animation.expectedFrames())
    }

    @Test("Frames have the file's palette, with its transparency")
    func framesHaveThePaletteAndItsTransparency() throws {
        let colors: [UInt32] = [0xFFFF_0000, 0x8000_FF00, 0x0000_0000, 0xFF00_00FF]
        let images = try (0..<3).map { turn in
            // The first row lists the colours in order, so that all frames have the same palette.
            try PixelBuffer.make(width: 40, height: 40, alphaMode: .straight) { x, y in
                colors[y == 0 ? x % 4 : (x * y / 7 + turn) % 4]
            }
        }
        let animation = AnimatedPNG(
            canvas: images[0].size,
            frames: images.map { AnimatedPNG.Frame(image: $0, blending: .over) }, options: PNGOptions(effort: .fast)
        )
        let bytes = try animation.bytes()
        #expect(PNGFile(bytes: InputBytes(bytes)).chunks.map(\.name).contains("tRNS"))
        #expect(pixels(try source(animation).seenFrames()) == animation.expectedFrames())
    }

    @Test("A still picture is one frame")
    func stillImageIsOneFrame() throws {
        let bytes = try TestFolders.testImage("size-3x7.png")
        let source = try AnimationSource(InputBytes(bytes))
        #expect(source.format.size == PixelSize(width: 3, height: 7))
        #expect(try source.seenFrames().map(\.image) == [.encoded(bytes)])
    }

    @Test("Frames go back to the pool, and are the same whether held or not")
    func framesReturnToThePool() throws {
        let animation = try random(PixelSize(width: 9, height: 4), frames: 20, seed: 1, alphaMode: .straight)
        let source = try AnimationSource(InputBytes(try animation.bytes()), heldFrames: 1)
        #expect(pixels(try source.seenFrames()) == animation.expectedFrames())
    }

    @Test("ffmpeg sees the same", .enabled(if: Program.ffmpeg != nil))
    func comparedWithFFmpeg() throws {
        let directory = try TemporaryDirectory()
        for format in ["rgba", "rgb24", "pal8", "gray", "ya8", "monob", "rgba64be"] {
            let path = directory("\(format).png")
            let image = ["-v", "error", "-f", "lavfi", "-i", "testsrc=d=1:r=8:s=62x42", "-pix_fmt", format]
            try Program.run(Program.ffmpeg, image + ["-f", "apng", "-plays", "0", path])
            let frames = pixels(try AnimationSource(FilePath(path)).seenFrames())
            let raw = try Program.run(
                Program.ffmpeg, ["-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "bgra", "-"])
            #expect(frames.count == 8)
            let bytes = frames.flatMap { $0 }.withUnsafeBytes { [UInt8]($0) }
            #expect(raw.count == bytes.count)
            // ffmpeg rounds 16-bit conversions differently.
            let tolerance = format == "rgba64be" ? 1 : 0
            let worst = zip(raw, bytes).map { abs(Int($0) - Int($1)) }.max() ?? 255
            #expect(worst <= tolerance, "\(format)")
        }
    }

    @Test("Hand-made animations look the same in ffmpeg", .enabled(if: Program.ffmpeg != nil))
    func handMadeInFFmpeg() throws {
        let directory = try TemporaryDirectory()
        for seed in 0..<UInt64(6) {
            // ffmpeg rounds differently for alpha other than 0 and 255.
            var animation = try random(
                PixelSize(width: 23, height: 17), frames: 6, seed: seed * 31, alphaMode: .straight)
            for index in animation.frames.indices {
                let image = animation.frames[index].image
                animation.frames[index].image = try PixelBuffer.make(
                    width: image.width, height: image.height, alphaMode: .straight
                ) { x, y in
                    let pixel = image[x, y]
                    return pixel >> 31 == 1 ? pixel | 0xFF00_0000 : 0
                }
            }
            let path = try directory.add("\(seed).png", try animation.bytes())
            let arguments = ["-v", "error", "-i", path, "-fps_mode", "passthrough"]
            let raw = try Program.run(Program.ffmpeg, arguments + ["-f", "rawvideo", "-pix_fmt", "bgra", "-"])
            let frames = pixels(try AnimationSource(FilePath(path)).seenFrames())
            let isSame = frames.flatMap { $0 }.withUnsafeBytes { $0.elementsEqual(raw) }
            #expect(isSame, "\(seed)")
        }
    }

    @Test("Real files look the same in ffmpeg", .enabled(if: TestFolders.corpora != nil && Program.ffmpeg != nil))
    func realFilesLookTheSameInFFmpeg() throws {
        let folder = try #require(TestFolders.corpora)
        for name in ["photos/apng/wuffs/animated-red-blue.apng", "png-valid/wuffs/apng-skip-idat.png"] {
            let path = folder.appendingPathComponent(name).path
            let frames = pixels(try AnimationSource(FilePath(path)).seenFrames())
            let arguments = ["-v", "error", "-f", "apng", "-i", path, "-fps_mode", "passthrough"]
            let raw = try Program.run(Program.ffmpeg, arguments + ["-f", "rawvideo", "-pix_fmt", "bgra", "-"])
            #expect(frames.count > 1)
            let isSame = frames.flatMap { $0 }.withUnsafeBytes { $0.elementsEqual(raw) }
            #expect(isSame, "\(name)")
        }
    }

    // MARK: Damage

    private func errors(_ animation: AnimatedPNG) throws -> (frames: Int, error: TexelError?) {
        do {
            let source = try source(animation)
            var count = 0
            do {
                while try source.nextSeen() != nil { count += 1 }
                return (count, nil)
            } catch let error as TexelError {
                return (count, error)
            }
        } catch let error as TexelError {
            return (0, error)
        }
    }

    private func corrupt(_ message: String) -> TexelError { .png(.corrupt(message)) }

    @Test("Wrong sequence numbers, counts and places are refused")
    func wrongControlChunksAreRefused() throws {
        let size = PixelSize(width: 8, height: 8)
        let sound = try random(size, frames: 4, seed: 4, alphaMode: .straight)
        var animation = sound
        animation.parts = 1
        // fcTL 0, fcTL 1, fdAT 2, fcTL 3 …
        animation.wrongSequence = 2
        var outcome = try errors(animation)
        #expect(outcome.frames == 1)
        #expect(
            outcome.error
                == .damagedFrame(index: 1, corrupt("fdAT has sequence number 3 instead of 2")))
        animation = sound
        animation.declaredFrames = 6
        outcome = try errors(animation)
        #expect(outcome.frames == 4)
        #expect(outcome.error == .damagedFrame(index: 4, corrupt("acTL declares 6 frames, but the file has 4")))
        animation.declaredFrames = 0
        #expect(try errors(animation).error == corrupt("acTL declares no frames"))
        animation.declaredFrames = 2
        #expect(try errors(animation) == (2, nil))
        animation.declaredFrames = 10_001
        #expect(try errors(animation).error == .limitExceeded(.frames, value: 10_001, allowed: 10_000))
        animation = sound
        animation.frames[2].x = 8
        outcome = try errors(animation)
        #expect(outcome.frames == 2)
        #expect(
            outcome.error
                == .damagedFrame(index: 2, corrupt("frame 2 is not inside the canvas of 8×8 pixels")))
        animation = sound
        animation.frames[0].image = try PixelBuffer.random(width: 7, height: 8, alphaMode: .straight)
        #expect(try errors(animation).error != nil)
    }

    @Test("A file that is cut anywhere gives whole frames, then an error; no byte that is changed goes unnoticed")
    func cutOrChangedBytesAreNoticed() throws {
        let animation = try random(PixelSize(width: 11, height: 6), frames: 4, seed: 8, alphaMode: .straight)
        let (bytes, expected) = (try animation.bytes(), animation.expectedFrames())
        func play(_ bytes: [UInt8]) throws -> (frames: [[UInt32]], error: TexelError?) {
            var frames: [[UInt32]] = []
            do {
                let source = try AnimationSource(InputBytes(bytes))
                while let frame = try source.nextSeen() { frames += pixels([frame]) }
                return (frames, nil)
            } catch let error as TexelError {
                return (frames, error)
            }
        }
        // Without the IEND chunk nothing is missing.
        for count in 0..<(bytes.count - 12) {
            let (frames, error) = try play(Array(bytes[..<count]))
            #expect(error != nil, "\(count)")
            #expect(frames.count < expected.count && frames == Array(expected[..<frames.count]), "\(count)")
        }
        for position in 8..<(bytes.count - 12) {
            var changed = bytes
            changed[position] ^= 0x40
            let (frames, error) = try play(changed)
            // Without its acTL chunk the file is a still image.
            #expect(error != nil || frames == [[]], "\(position)")
        }
    }

    @Test("Limits hold before memory is taken")
    func animationsBeyondTheLimitAreRefused() throws {
        let animation = try random(PixelSize(width: 11, height: 6), frames: 2, seed: 8, alphaMode: .straight)
        var limits = Limits()
        limits.pixels = 65
        #expect(throws: TexelError.limitExceeded(.pixels, value: 66, allowed: 65)) {
            try AnimationSource(InputBytes(try animation.bytes()), limits: limits)
        }
        #expect(throws: TexelError.missingFile("/nowhere/at/all.png")) {
            try AnimationSource("/nowhere/at/all.png")
        }
    }
}
