#if GIF && WebP
    import Foundation
    import TestSupport
    import Testing
    import Texel

    /// `texel frames` into animations and videos.
    @Suite struct AnimationFramesTests {
        private let workspace: Workspace
        private let images: [PixelBuffer]

        init() throws {
            workspace = try Workspace()
            images = try (0..<5).map { number in
                try PixelBuffer.make(width: 45, height: 33, alphaMode: .straight) { x, y in
                    abs(x - 8 - 6 * number) < 6 && abs(y - 14) < 9 ? 0xFFC0_2040 : y < 6 ? 0xFF80_8080 : 0
                }
            }
            try workspace.add("a.png", try MovingPNG.bytes(images, hundredths: [10, 30, 2, 70, 10]))
        }

        private func frames(_ name: String) throws -> [[UInt32]] {
            let source = try CodecRegistry.shared.open(InputBytes(try workspace.bytes(name)))
            return try (0..<source.info.frameCount).map { index in
                var options = DecodeOptions()
                options.frame = index
                return try source.decodedAsStored(options).image.pixels
            }
        }

        private func write(_ arguments: [String]) throws {
            let outcome = try workspace.run(["frames"] + arguments)
            #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
        }

        @Test(arguments: ["png", "gif", "webp"]) func animationsKeepPixelsAndTimes(format: String) throws {
            let lossless = format == "webp" ? ["--lossless"] : []
            try write(["a.png", "-o", "b.\(format)", "--plays", "4"] + lossless)
            #expect(try frames("b.\(format)") == images.map(\.pixels))
            let animation = try #require(try workspace.report("b.\(format)").animation)
            #expect(animation.delaysSeconds == [0.1, 0.3, 0.02, 0.7, 0.1] && animation.plays == 4)
        }

        @Test func stillsBecomeAnAnimation() throws {
            for (index, image) in images.enumerated() {
                try workspace.add("shots/\(index).png", try image.encoded(as: .png(PNGOptions(effort: .fast))))
            }
            try write(["shots/*.png", "--rate", "12", "-o", "b.png"])
            #expect(try frames("b.png") == images.map(\.pixels))
            let animation = try #require(try workspace.report("b.png").animation)
            #expect(abs(animation.durationSeconds - 5.0 / 12) < 1e-4 && animation.plays == 0)
        }

        /// Viewers show frames of 10 ms for 100.
        @Test func gifsHaveNoFramesThatViewersSlowDown() throws {
            try write(["pattern:32x24", "--rate", "100", "--frames", "40", "-o", "b.gif"])
            let report = try workspace.report("b.gif")
            let delays = try #require(report.animation?.delaysSeconds)
            #expect(delays.allSatisfy { $0 >= 0.02 } && report.frames <= 20)
        }

        @Test func framesAreChangedAndChosen() throws {
            try write(["a.png", "-o", "b.png", "--width", "15", "--max-rate", "5", "--angle", "90"])
            let report = try workspace.report("b.png")
            #expect(report.size == "11x15" && report.frames == 3)
        }

        @Test func otherOutputsAreRefused() throws {
            try workspace.add("there.webp", [1])
            for (arguments, status, sentence) in [
                (
                    ["-o", "b.jpg"], 64,
                    "b.jpg is a single image; use a numbered name such as b-%05d.jpg, an animation such as b.webp"
                ),
                (["-o", "there.webp"], 73, "there.webp already exists"),
                (["-o", "a.png", "--overwrite"], 73, "a.png"),
                (["-o", "b%d.png", "--plays", "2"], 64, "--plays has no effect on the output b1.png (PNG)"),
                (["-o", "b.gif", "--lossless", "-q", "3"], 64, "--lossless cannot be combined with --quality"),
                (["-o", "-", "--to", "mp4"], 64, "mp4 requires a file, not -"),
            ] as [([String], Int32, String)] {
                let outcome = try workspace.run(["frames", "a.png"] + arguments)
                #expect(outcome.status == status && outcome.errors.contains(sentence), "\(outcome.errors)")
            }
            #expect(try workspace.bytes("there.webp") == [1])
        }

        @Test func framesOfOtherSizesAreRefused() throws {
            for (index, image) in [
                images[0], try images[1].cropped(to: PixelRectangle(x: 0, y: 0, width: 9, height: 9)),
            ]
            .enumerated() {
                try workspace.add("shots/\(index).png", try image.encoded(as: .png(PNGOptions(effort: .fast))))
            }
            let outcome = try workspace.texel("frames", "shots/*.png", "-o", "b.webp")
            #expect(outcome.status == 65 && outcome.errors.contains("frame 1 is 9×9"), "\(outcome.errors)")
            #expect(try !workspace.files().contains("b.webp"))
        }

        #if Video
            /// Odd sizes get a column or a row more, and times stay.
            @Test(
                .enabled(if: Program.ffmpeg != nil, "needs ffmpeg"), arguments: ["mp4", "mov", "mkv", "webm"])
            func animationsBecomeVideos(container: String) throws {
                try write(["a.png", "-o", "b.\(container)", "-q", "95", "--background", "#20c040"])
                let info = try workspace.texel("info", "b.\(container)", "--json")
                #expect(info.status == 0 && info.text.contains(container == "webm" ? "vp9" : "h264"), "\(info.text)")
                let duration = try #require(info.text.firstMatch(of: /"durationSeconds":([0-9.]+)/)?.output.1)
                #expect(abs((Double(duration) ?? 0) - 1.22) < 0.02, "\(info.text)")
                let outcome = try workspace.texel("frames", "b.\(container)", "-o", "-", "--to", "bgra")
                #expect(outcome.status == 0 && outcome.output.count >= 5 * 46 * 34 * 4, "\(outcome.errors)")
                try write(["b.\(container)", "-o", "c.png"])
                let report = try workspace.report("c.png")
                #expect(report.size == "46x34" && report.frames == 5)
                let animation = try #require(report.animation)
                for (found, expected) in zip(animation.delaysSeconds, [0.1, 0.3, 0.02, 0.7]) {
                    #expect(abs(found - expected) < 0.002)
                }
                for (pixels, image) in zip(try frames("c.png"), images) {
                    let found = try PixelBuffer.make(width: 45, height: 33) { x, y in pixels[y * 46 + x] }
                    let shown = try image.flattened(on: try #require(PixelColor(css: "#20c040")))
                    #expect(meanDifference(found, shown) < 12)
                }
            }
        #endif
    }
#endif
