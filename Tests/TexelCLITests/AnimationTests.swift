#if GIF && WebP
    import Foundation
    import TestSupport
    import Testing
    import Texel

    /// Animations of every format: converted, inspected, and written frame by frame.
    @Suite struct AnimationTests {
        private let workspace: Workspace
        private let images: [PixelBuffer]
        private static let formats = ["png", "webp", "gif"]
        private static let delays = [5, 30, 1, 70]

        /// Four frames of few colours; some pixels become transparent again.
        init() throws {
            workspace = try Workspace()
            images = try (0..<4).map { number in
                try PixelBuffer.make(width: 40, height: 30, alphaMode: .straight) { x, y in
                    let isInside = abs(x - 10 - 6 * number) < 6 && abs(y - 14) < 9
                    return isInside ? 0xFF00_2040 | UInt32(x / 8 * 16 + number) << 16 : y < 6 ? 0xFF80_8080 : 0
                }
            }
            try workspace.add("a.png", try MovingPNG.bytes(images, hundredths: Self.delays, plays: 3))
            for format in Self.formats.dropFirst() {
                let lossless = format == "webp" ? ["--lossless"] : []
                let outcome = try workspace.run(["compress", "a.png", "-f", format, "-o", "a.\(format)"] + lossless)
                #expect(outcome.status == 0 && outcome.errors == "", "\(outcome.errors)")
            }
        }

        private func expectAnimation(_ name: String) throws {
            let report = try workspace.report(name)
            #expect(report.size == "40x30" && report.frames == 4, "\(name)")
            let animation = try #require(report.animation, "\(name)")
            #expect(animation.delaysSeconds == [0.05, 0.3, 0.01, 0.7], "\(name)")
            // Players show the frame of 10 ms for 100.
            #expect(animation.durationSeconds == 1.15 && animation.plays == 3, "\(name)")
            for (index, image) in images.enumerated() {
                var options = DecodeOptions()
                (options.frame, options.policy.strictness) = (index, .warning)
                let source = try CodecRegistry.shared.open(InputBytes(try workspace.bytes(name)))
                expectPixelsEqual(try source.decodedAsStored(options).image, image, "\(name) frame \(index)")
            }
        }

        /// Every pair of formats keeps the pixels, the timing and the number of plays.
        @Test(arguments: formats, formats) func conversionsKeepPixelsTimingAndPlays(from: String, to: String) throws {
            let lossless = to == "webp" ? ["--lossless"] : []
            let outcome = try workspace.run(
                ["compress", "a.\(from)", "-f", to, "-o", "b.\(to)", "--json"] + lossless)
            #expect(outcome.status == 0, "\(outcome.errors)")
            let result = try #require(try ResultObject.all(in: outcome).first)
            #expect(result.warnings.isEmpty)
            if from != to { #expect(result.route == "animated") }
            try expectAnimation("b.\(to)")
        }

        @Test(arguments: formats) func resizingKeepsFramesAndTiming(format: String) throws {
            let outcome = try workspace.texel("resize", "a.\(format)", "--width", "20", "-o", "b.\(format)")
            #expect(outcome.status == 0, "\(outcome.errors)")
            let report = try workspace.report("b.\(format)")
            #expect(report.size == "20x15" && report.frames == 4)
            #expect(report.animation?.delaysSeconds == [0.05, 0.3, 0.01, 0.7] && report.animation?.plays == 3)
        }

        /// All frames keep the union of what each of them shows, in this process and in others.
        @Test(arguments: formats, ["--isolate", "--no-isolate"]) func trimmingKeepsTheUnionOfAllFrames(
            format: String, isolation: String
        ) throws {
            let images = try (0..<3).map { number in
                try PixelBuffer.make(width: 40, height: 30, alphaMode: .straight) { x, y in
                    abs(x - 12 - 6 * number) < 4 && abs(y - 12 - number) < 5 ? 0xFF20_4060 : 0
                }
            }
            try workspace.add("moving.png", try MovingPNG.bytes(images))
            let (name, lossless) = ("moving.\(format)", format == "webp" ? ["--lossless"] : [])
            if format != "png" {
                #expect(try workspace.run(["compress", "moving.png", "-f", format, "-o", name] + lossless).status == 0)
            }
            let outcome = try workspace.run(
                ["resize", name, "--trim", "-o", "b.\(format)", isolation, "--explain"] + lossless)
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect("\(outcome.text)\(outcome.errors)".contains("to find its content, 19x11+9+8"))
            let source = try CodecRegistry.shared.open(InputBytes(try workspace.bytes("b.\(format)")))
            #expect(source.info.frameCount == 3)
            for (index, image) in images.enumerated() {
                var options = DecodeOptions()
                options.frame = index
                let part = try image.cropped(to: PixelRectangle(x: 9, y: 8, width: 19, height: 11))
                expectPixelsEqual(try source.decodedAsStored(options).image, part, "\(format) frame \(index)")
            }
        }

        @Test(arguments: formats) func frameFlagSelectsOneFrame(format: String) throws {
            for (index, image) in images.enumerated() {
                let outcome = try workspace.texel(
                    "compress", "a.\(format)", "--frame", "\(index)", "-f", "png", "-o", "\(index).png")
                #expect(outcome.status == 0, "\(outcome.errors)")
                expectPixelsEqual(try workspace.image("\(index).png"), image, "frame \(index)")
            }
            #expect(try workspace.report("0.png").animation == nil)
            let refused = try workspace.texel("compress", "a.\(format)", "--frame", "4", "-f", "png", "-o", "4.png")
            #expect(refused.status == 65)
        }

        // MARK: Playback

        /// Runs `compress` on the animation of a format, and returns the report and the pixels of each frame.
        private func played(_ format: String, _ flags: [String]) throws -> (report: InfoObject, frames: [[UInt32]]) {
            let outcome = try workspace.run(
                ["compress", "a.\(format)", "-o", "b.\(format)", "--overwrite"]
                    + (format == "webp" ? ["--lossless"] : []) + flags)
            #expect(outcome.status == 0 && outcome.errors == "", "\(flags): \(outcome.errors)")
            let source = try CodecRegistry.shared.open(InputBytes(try workspace.bytes("b.\(format)")))
            let frames = try (0..<source.info.frameCount).map { index in
                var options = DecodeOptions()
                options.frame = index
                return try source.decodedAsStored(options).image.pixels
            }
            return (try workspace.report("b.\(format)"), frames)
        }

        @Test(arguments: formats, ["--isolate", "--no-isolate"]) func framesAreSelectedAndPlayed(
            format: String, isolation: String
        ) throws {
            let pixels = images.map(\.pixels)
            for (flags, frames, delays) in [
                (["--frame", "1-2"], [1, 2], [0.3, 0.01]),
                (["--frame", "3,0-1"], [3, 0, 1], [0.7, 0.05, 0.3]),
                (["--frame", "2-"], [2, 3], [0.01, 0.7]),
                (["--every", "2"], [0, 2], [0.35, 0.8]),
                (["--reverse"], [3, 2, 1, 0], [0.7, 0.01, 0.3, 0.05]),
                (["--boomerang"], [0, 1, 2, 3, 2, 1], [0.05, 0.3, 0.01, 0.7, 0.01, 0.3]),
                (["--speed", "0.5"], [0, 1, 2, 3], [0.1, 0.6, 0.2, 1.4]),
                (["--max-rate", "12"], [0, 2, 3], [0.35, 0.1, 0.7]),
            ] as [([String], [Int], [Double])] {
                let result = try played(format, flags + [isolation])
                #expect(result.frames == frames.map { pixels[$0] }, "\(flags)")
                #expect(result.report.animation?.delaysSeconds == delays, "\(flags)")
                #expect(result.report.animation?.plays == 3, "\(flags)")
            }
            let endless = try played(format, ["--plays", "0"])
            #expect(endless.report.animation?.plays == 0 && endless.frames == pixels)
        }

        @Test func gifsAreWrittenWithoutLossOrRefused() throws {
            let outcome = try workspace.texel("compress", "a.gif", "--lossless", "--reverse", "-o", "b.gif")
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(try workspace.report("b.gif").frames == 4)
            var generator = SeededGenerator(seed: 3)
            let noise = try PixelBuffer.make(width: 40, height: 30) { _, _ in
                0xFF00_0000 | UInt32.random(in: 0...0xFFFFFF, using: &generator)
            }
            try workspace.add("noise.png", try noise.encoded(as: .png(PNGOptions(effort: .fast))))
            let refused = try workspace.texel("compress", "noise.png", "--lossless", "-o", "c.gif")
            #expect(refused.status != 0 && refused.errors.contains("more colours than a GIF can have"))
            #expect(try !workspace.files().contains("c.gif"))
        }

        @Test func onlySearchedFramesAreTrimmed() throws {
            let moving = try (0..<3).map { number in
                try PixelBuffer.make(width: 40, height: 30, alphaMode: .straight) { x, y in
                    abs(x - 12 - 6 * number) < 4 && abs(y - 12) < 5 ? 0xFF20_4060 : 0
                }
            }
            try workspace.add("moving.png", try MovingPNG.bytes(moving))
            let outcome = try workspace.texel("resize", "moving.png", "--trim", "--frame", "0-1", "-o", "b.png")
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(try workspace.report("b.png").size == "13x9")
        }

        @Test func jobsHaveFramesAsNumbersAndLists() throws {
            for (value, count) in [("\"1-2\"", 2), ("\"0,3,0\"", 3), ("2", 1)] {
                let job = """
                    {"command": "compress", "input": "a.png", "output": "c.png", "overwrite": true, "frame": \(value)}
                    """
                let outcome = try workspace.texel("worker", input: Array((job + "\n").utf8))
                #expect(outcome.status == 0, "\(outcome.text)\(outcome.errors)")
                #expect(try workspace.report("c.png").frames == count, "\(value)")
            }
        }

        @Test(
            arguments: [
                (["--frame", "2-9"], "frame 9 does not exist; the file has frames 0 to 3", 65),
                (["--frame", "3-1"], "--frame \"3-1\" is not a frame such as 3, or frames such as \"10-30,45\"", 64),
                (["--frame", "1", "--speed", "2"], "--speed has no effect on the one frame of --frame", 64),
                (["--every", "0"], "--every 0 is not at least 1", 64),
                (["--speed", "0"], "--speed 0.0 is not between 0.01 and 100", 64),
                (["--reverse", "-f", "jpeg"], "--reverse has no effect on a JPEG; use --format png", 64),
                (["--frame", "0-1", "-f", "jpeg"], "animation", 65),
            ] as [([String], String, Int32)])
        func wrongPlaybackIsRefused(flags: [String], sentence: String, status: Int32) throws {
            let outcome = try workspace.run(["compress", "a.png", "-o", "b"] + flags)
            #expect(outcome.status == status && outcome.errors.contains(sentence), "\(outcome.errors)")
        }

        // MARK: Information

        @Test func informationForPeople() throws {
            try workspace.add("equal.png", try MovingPNG.bytes(images))
            try workspace.add("once.png", try MovingPNG.bytes(images + images + images, plays: 1))
            let many = (0..<12).map { $0 + 1 }
            let note = "(players show delays of at most 0.01 s for 0.1 s)"
            try workspace.add(
                "many.png", try MovingPNG.bytes(images + images + images, hundredths: many, plays: 2))
            for (name, line) in [
                ("a.png", "duration 1.15 s, delays 0.05, 0.3, 0.01, 0.7 s \(note), played 3 times"),
                ("a.webp", "duration 1.15 s, delays 0.05, 0.3, 0.01, 0.7 s \(note), played 3 times"),
                ("a.gif", "duration 1.15 s, delays 0.05, 0.3, 0.01, 0.7 s \(note), played 3 times"),
                ("equal.png", "duration 0.4 s, 0.1 s for each frame, played forever"),
                ("once.png", "duration 1.2 s, 0.1 s for each frame, played once"),
                ("many.png", "duration 0.87 s, delays 0.01 to 0.12 s \(note), played 2 times"),
            ] {
                let text = try workspace.texel("info", name).text
                #expect(text.contains(" frames\n  \(line)"), "\(text)")
            }
            #expect(try workspace.report("equal.png").animation?.delaysSeconds == [0.1])
        }

        /// The frames of a large file follow the part that is read first.
        @Test(arguments: formats) func framesOfLargeFilesAreCounted(format: String) throws {
            var generator = SeededGenerator(seed: 1)
            let large = try (0..<3).map { _ in
                try PixelBuffer.make(width: 420, height: 420) { _, _ in
                    0xFF00_0000 | UInt32.random(in: 0..<250, using: &generator) &* 0x0001_0101
                }
            }
            try workspace.add("large.png", try MovingPNG.bytes(large))
            let lossless = format == "webp" ? ["--lossless"] : []
            let outcome = try workspace.run(
                ["compress", "large.png", "-f", format, "--effort", "fast", "-o", "b.\(format)"] + lossless)
            #expect(outcome.status == 0, "\(outcome.errors)")
            let report = try workspace.report("b.\(format)")
            #expect(report.inputBytes > 400_000 && report.frames == 3)
            #expect(report.animation?.durationSeconds == 0.3 && report.animation?.plays == 0)
        }

        @Test(arguments: formats) func fromOtherProcesses(format: String) throws {
            let plain = try workspace.texel("info", "a.\(format)", "--json")
            #if os(Linux)
                #expect(try workspace.texel("info", "a.\(format)", "--json", "--isolate").text == plain.text)
            #endif
            let piped = try workspace.texel("info", "-", "--json", input: try workspace.bytes("a.\(format)"))
            let part = try #require(plain.text.split(separator: "\"animation\":").last?.split(separator: "}").first)
            #expect(piped.text.contains(part), "\(piped.text)")
        }

        /// The orientation of a WebP is after its pixels.
        @Test func metadataAtTheEnd() throws {
            let noise = try PixelBuffer.random(width: 300, height: 300)
            let bytes = try noise.encoded(
                as: .webP(WebPOptions(isLossless: true, effort: .fast)),
                metadata: WrittenMetadata(exif: Sample.exif(orientation: 6)))
            try workspace.add("end.webp", bytes)
            let report = try workspace.report("end.webp")
            #expect(bytes.count > 200_000 && report.orientation == 6 && report.exif?.hasGPS == true)
        }

        @Test func damagedFilesKeepHeaderAndValidFrames() throws {
            try workspace.add("cut.gif", try workspace.bytes("a.gif").dropLast(20))
            let report = try workspace.report("cut.gif")
            #expect(report.frames == 3 && report.animation?.delaysSeconds == [0.05, 0.3, 0.01])
        }
    }

    /// `--near-lossless` and `--alpha-quality`.
    @Suite struct WebPFlagTests {
        private let workspace: Workspace
        private let image: PixelBuffer

        init() throws {
            workspace = try Workspace()
            var generator = SeededGenerator(seed: 7)
            image = try PixelBuffer.make(width: 120, height: 100, alphaMode: .straight) { x, y in
                let noise = UInt32.random(in: 0..<20, using: &generator)
                let alpha = 55 + (UInt32(x * y / 40) + noise) % 200
                return alpha << 24 | (UInt32(x * 2) % 235 + noise) << 16 | UInt32(y * 2) << 8 | UInt32(x + y)
            }
            try workspace.add("a.png", try image.encoded(as: .png(PNGOptions(effort: .fast))))
        }

        private func compressed(_ flags: String...) throws -> (bytes: [UInt8], image: PixelBuffer) {
            let outcome = try workspace.run(
                ["compress", "a.png", "-f", "webp", "-o", "out.webp", "--overwrite"] + flags)
            #expect(outcome.status == 0, "\(outcome.errors)")
            return (try workspace.bytes("out.webp"), try workspace.image("out.webp"))
        }

        @Test func nearLosslessChangesLittleAndSavesBytes() throws {
            let lossless = try compressed("--lossless")
            let unchanged = try compressed("--near-lossless", "100")
            let changed = try compressed("--near-lossless", "40")
            #expect(lossless.image == image && unchanged.bytes == lossless.bytes)
            #expect(changed.image != image && changed.bytes.count < lossless.bytes.count)
            // Each channel changes little.
            #expect((1...16).contains(largestDifference(changed.image, image).value))
            try workspace.add("texel.toml", "near-lossless = 40".utf8)
            #expect(try compressed().bytes == changed.bytes)
        }

        @Test func lowAlphaQualityChangesTheAlpha() throws {
            let exact = try compressed("-q", "80")
            let same = try compressed("-q", "80", "--alpha-quality", "100")
            let rough = try compressed("-q", "80", "--alpha-quality", "5")
            func alphas(_ image: PixelBuffer) -> [UInt32] { image.pixels.map { $0 >> 24 } }
            #expect(exact.bytes == same.bytes && alphas(exact.image) == alphas(image))
            #expect(alphas(rough.image) != alphas(image) && rough.bytes.count < exact.bytes.count)
        }
    }
#endif
