import Foundation
import TestSupport
import Testing
import Texel

/// `texel frames` with small clips.
@Suite struct FramesTests {
    private let workspace: Workspace

    init() throws { workspace = try Workspace() }

    /// Runs it with BGRA on standard output and JSON on standard error.
    private func raw(_ arguments: String..., input: [UInt8] = []) throws -> (bytes: [UInt8], told: StatisticsObject) {
        let outcome = try workspace.run(
            ["frames"] + arguments + ["-o", "-", "--to", "bgra", "--stats", "json"], input: input)
        try #require(outcome.status == 0, "\(outcome.errors)")
        return (outcome.output, try JSONDecoder().decode(StatisticsObject.self, from: Data(outcome.errors.utf8)))
    }

    private func values(_ arguments: String..., input: [UInt8] = []) throws -> [UInt8] {
        let outcome = try workspace.run(["frames"] + arguments + ["-o", "-", "--to", "bgra"], input: input)
        try #require(outcome.status == 0, "\(outcome.errors)")
        return FrameClip.firstBytes(outcome.output)
    }

    /// Only frames with transparent pixels have alpha.
    @Test func alphaOfEachFrame() throws {
        let images = try [0xFF00_FF00, 0x8000_FF00, 0xFFFF_0000].map {
            try PixelBuffer(width: 8, height: 6, filledWith: $0, alphaMode: .straight)
        }
        try workspace.add("moving.png", try MovingPNG.bytes(images))
        let outcome = try workspace.texel("frames", "moving.png", "-o", "alpha/%d.png")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try (1...3).map { try workspace.info("alpha/\($0).png").hasAlpha } == [false, true, false])
    }

    // MARK: Streams

    /// Frames keep their order with any number of workers.
    @Test(arguments: ["1", "2", "7"]) func orderAndValues(jobs: String) throws {
        let all = (0..<100).map { UInt8($0 * 2) }
        try workspace.add("in.y4m", FrameClip.y4m(all))
        let (bytes, told) = try raw("in.y4m", "--jobs", jobs)
        #expect(bytes.count == 100 * 8 * 4 * 4)
        #expect(FrameClip.firstBytes(bytes) == all)
        #expect(told.framesIn == 100 && told.framesOut == 100 && told.framesDropped == 0)
        #expect(told.source == "in.y4m" && told.output == "-" && told.error == nil)
        #expect(told.position == 99 * 40_000)
        #expect(Set(told.stages.keys) == ["source", "queue", "render", "encode", "deliver", "age"])
        #expect(told.stages.values.allSatisfy { $0.p50 <= $0.p95 && $0.p95 <= $0.p99 && $0.p99 <= $0.longest + 1 })
    }

    @Test func framesAreReadFromStandardInput() throws {
        #expect(try values("-", input: FrameClip.y4m([5, 6, 7])) == [5, 6, 7])
    }

    @Test func rawFramesAreReadFromStandardInput() throws {
        let frames = (0..<3).flatMap { [UInt8](repeating: UInt8($0 + 1), count: 8 * 4 * 4) }
        let arguments = ["frames", "-", "--size", "8x4", "--pixel-format", "rgba", "-o", "-", "--to", "rgba"]
        #expect(try workspace.run(arguments, input: frames).output == frames)
    }

    /// The output equals the input in every byte if colours are not converted.
    @Test func y4mOutputEqualsItsInput() throws {
        let clip = FrameClip.y4m([0, 100, 255], rate: "30000:1001")
        try workspace.add("in.y4m", clip)
        try workspace.texel("frames", "in.y4m", "-o", "out.y4m", "--subsampling", "mono")
        #expect(try workspace.bytes("out.y4m") == clip)
        let piped = try workspace.texel("frames", "in.y4m", "--subsampling", "mono")
        #expect(piped.output == clip)
    }

    @Test func motionJPEGHoldsOneImagePerFrame() throws {
        try workspace.add("in.y4m", FrameClip.y4m([10, 20]))
        try workspace.texel("frames", "in.y4m", "-o", "out.mjpeg", "-q", "95")
        let bytes = try workspace.bytes("out.mjpeg")
        let starts = bytes.indices.dropLast(2).filter { bytes[$0...].starts(with: [0xFF, 0xD8, 0xFF]) }
        try #require(starts.count == 2)
        #expect(try decoded(Array(bytes[..<starts[1]])).image[0, 0] & 255 == 10)
        #expect(try decoded(Array(bytes[starts[1]...])).image[0, 0] & 255 == 20)
    }

    @Test func framesBecomeNumberedImages() throws {
        try workspace.add("in.y4m", FrameClip.y4m([10, 20]))
        try workspace.texel("frames", "in.y4m", "-o", "deep/%03d.png")
        #expect(try workspace.files() == ["deep/001.png", "deep/002.png", "in.y4m"])
        #expect(try workspace.image("deep/002.png")[7, 3] == 0xFF14_1414)
        try workspace.texel("frames", "in.y4m", "-o", "one.jpg", "--frames", "1")
        #expect(try workspace.info("one.jpg").format == .jpeg)
    }

    @Test func patternsAreDrawnAtTheGivenRate() throws {
        let (bytes, told) = try raw("pattern:32x16", "--frames", "3", "--rate", "10")
        #expect(bytes.count == 3 * 32 * 16 * 4)
        #expect(told.position == 200_000)
    }

    // MARK: Operations

    /// An operation has the same result on a frame as on an image.
    @Test(arguments: [
        ["--width", "20"], ["--scale", "50%", "--linear"], ["--crop", "11x9+3+2", "--flip", "h", "--angle", "90"],
        ["--width", "30", "--height", "30", "--fit", "cover", "--filter", "bilinear"],
        ["--angle", "10", "--background", "#204060"], ["--yaw", "20", "--background", "red"],
        ["--width", "20", "--saturation", "1.5", "--gamma", "1.2", "--hue", "-30"],
    ])
    func sameAsImages(flags: [String]) throws {
        try workspace.add(
            "a1.png",
            try PixelBuffer.noise(PixelSize(width: 48, height: 32), alphaMode: .opaque)
                .encoded(as: .png(PNGOptions(effort: .fast))))
        let outcome = try workspace.run(["frames", "a%d.png", "-o", "f%d.png"] + flags)
        try #require(outcome.status == 0, "\(outcome.errors)")
        let still = try workspace.run(["compress", "a1.png", "-o", "s.png"] + flags)
        try #require(still.status == 0, "\(still.errors)")
        expectPixelsEqual(try workspace.image("f1.png"), try workspace.image("s.png"))
    }

    // MARK: Selection of frames

    @Test func flagsSelectFrames() throws {
        try workspace.add("in.y4m", FrameClip.y4m(Array(0..<50)))
        #expect(try values("in.y4m", "--every", "20") == [0, 20, 40])
        #expect(try values("in.y4m", "--frames", "4") == [0, 1, 2, 3])
        #expect(try values("in.y4m", "--every", "10", "--frames", "2") == [0, 10])
        let (_, told) = try raw("in.y4m", "--every", "20")
        #expect(told.dropped["sampled"] == told.framesDropped && told.framesDropped > 0)
        // Fifty frames last two seconds.
        #expect(try values("in.y4m", "--max-rate", "5").count <= 11)
    }

    /// The header of the output has the actual rate.
    @Test(arguments: [("10", "10:1"), ("15", "15:1"), ("60", "30:1")]) func ratesThatAreLimited(
        limit: String, rate: String
    ) throws {
        try workspace.add("in.y4m", FrameClip.y4m(Array(0..<30), rate: "30:1"))
        try workspace.texel("frames", "in.y4m", "--max-rate", limit, "-o", "out.y4m", "--subsampling", "mono")
        let header = try workspace.bytes("out.y4m").prefix { $0 != UInt8(ascii: "\n") }
        #expect(String(decoding: header, as: UTF8.self).contains(" F\(rate) "))
    }

    /// A sequence starts at its lowest number, or at `--first-number`; a missing file is named.
    @Test func sequencesStartAtTheirLowestNumber() throws {
        for number in [5, 6, 8] {
            try workspace.add(
                "a0\(number).png",
                try PixelBuffer(width: 8, height: 4, filledWith: 0xFF00_0000 | UInt32(number), alphaMode: .opaque)
                    .encoded(as: .png(PNGOptions(effort: .fast))))
        }
        #expect(try values("a%02d.png", "--frames", "2") == [5, 6])
        #expect(try values("a%02d.png", "--first-number", "8") == [8])
        #expect(try values("a*.png") == [5, 6, 8])
        try workspace.expectFailure(
            "frames", "a%02d.png", "-o", "out.y4m", status: 66, naming: "a%02d.png",
            saying: "a07.png is missing, although the sequence goes on with a08.png; to skip gaps")
        try workspace.expectFailure(
            "frames", "a%02d.png", "-o", "out.y4m", "--first-number", "7", status: 66, naming: "a%02d.png",
            saying: "no such file")
        #expect(try workspace.texel("frames", "a05.png", "-o", "null", "--first-number", "7").status == 64)
    }

    /// A video of a moving image lasts as long, and it is told how.
    @Test func unevenFramesAreRepeatedWithAWarning() throws {
        let images = try [0xFF01_0101, 0xFF02_0202].map {
            try PixelBuffer(width: 8, height: 4, filledWith: $0, alphaMode: .opaque)
        }
        try workspace.add("moving.png", try MovingPNG.bytes(images, hundredths: [10, 30]))
        let outcome = try workspace.texel("frames", "moving.png", "-o", "-", "--to", "bgra")
        #expect(FrameClip.firstBytes(outcome.output) == [1, 2, 2, 2])
        #expect(
            outcome.errors == "texel: moving.png: warning: frames are not evenly spaced, and the output stores no "
                + "times: at 10 frames per second, 2 repetitions were added\n")
        let (_, told) = try raw("moving.png")
        #expect(told.framesRepeated == 2 && told.framesOmitted == 0)
        let faster = try workspace.texel("frames", "moving.png", "-o", "out.y4m", "--to-rate", "20")
        #expect(faster.status == 0 && faster.errors.contains("6 repetitions were added"))
        let header = try workspace.bytes("out.y4m").prefix { $0 != UInt8(ascii: "\n") }
        #expect(String(decoding: header, as: UTF8.self).contains(" F20:1 "))
        let files = try workspace.texel("frames", "moving.png", "-o", "%d.png")
        #expect(files.errors == "")
        #expect(try workspace.files() == ["1.png", "2.png", "moving.png", "out.y4m"])
        #expect(try workspace.texel("frames", "moving.png", "-o", "%d.png", "--to-rate", "20").status == 64)
    }

    @Test func loopRepeatsTheSource() throws {
        try workspace.add("in.y4m", FrameClip.y4m([1, 2, 3]))
        #expect(try values("in.y4m", "--loop", "--frames", "7") == [1, 2, 3, 1, 2, 3, 1])
    }

    @Test func dropDuplicatesKeepsFramesThatChange() throws {
        try workspace.add("in.y4m", FrameClip.y4m([1, 1, 2, 2, 2, 1]))
        let (bytes, told) = try raw("in.y4m", "--drop-duplicates")
        #expect(FrameClip.firstBytes(bytes) == [1, 2, 1])
        #expect(told.dropped["duplicate"] == 3)
    }

    /// From black to white: the first clip, the blend, the second clip.
    @Test func crossfadeBlendsTwoClips() throws {
        try workspace.add("a.y4m", FrameClip.y4m([UInt8](repeating: 0, count: 50)))
        try workspace.add("b.y4m", FrameClip.y4m([UInt8](repeating: 255, count: 50)))
        let values = try values(
            "a.y4m", "--crossfade", "b.y4m", "--crossfade-at", "1", "--crossfade-for", "400ms")
        #expect(values.count == 75)
        #expect(values[..<25].allSatisfy { $0 == 0 })
        #expect(values[35...].allSatisfy { $0 == 255 })
        #expect(values[25..<35].elementsEqual(values[25..<35].sorted()))
        #expect(values[25..<35].contains { (50...200).contains($0) })
    }

    /// Frames of another size end a stream, unless all are resized to one size.
    @Test func sizesThatDiffer() throws {
        for (index, width) in [40, 40, 30].enumerated() {
            try workspace.add("a\(index).png", try Sample.png(PixelSize(width: width, height: 20)))
        }
        try workspace.expectFailure(
            "frames", "a%d.png", "-o", "out.y4m", status: 65, naming: "a%d.png", saying: "frame 2 is 30×20")
        let outcome = try workspace.texel(
            "frames", "a%d.png", "-o", "out.y4m", "--width", "16", "--height", "8", "--fit", "fill")
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    // MARK: Reports

    @Test func framesPrintNothingByDefault() throws {
        try workspace.add("in.y4m", FrameClip.y4m([1, 2]))
        let outcome = try workspace.texel("frames", "in.y4m", "-o", "out.y4m")
        #expect(outcome.errors == "" && outcome.text == "")
    }

    @Test func statisticsArePrintedAsText() throws {
        try workspace.add("in.y4m", FrameClip.y4m([1, 2]))
        let outcome = try workspace.texel("frames", "in.y4m", "-o", "null", "--stats", "text")
        #expect(outcome.errorLines.first?.hasPrefix("2 frames in, 2 out, ") ?? false, "\(outcome.errors)")
        #expect(outcome.errors.contains("render"))
    }

    // MARK: Real clips

    /// A video through ffmpeg, and its result through Texel again.
    @Test(.enabled(if: Program.ffmpeg != nil, "needs ffmpeg")) func filmsPassThroughFFmpegAndBack() throws {
        let film = workspace.directory("film.mkv")
        let source = "testsrc2=size=96x64:rate=25:duration=1"
        try Program.run(
            Program.ffmpeg,
            ["-v", "error", "-f", "lavfi", "-i", source, "-c:v", "mpeg4", "-q:v", "2", "-pix_fmt", "yuv420p", film])
        let (bytes, told) = try raw("film.mkv", "--width", "48")
        #expect(told.framesOut == 25)
        #expect(bytes.count == 25 * 48 * 32 * 4)
        let piped = try workspace.texel("frames", "film.mkv", "--width", "48", "-o", "-", "--to", "y4m")
        let read = try workspace.texel(
            "frames", "-", "-o", "null", "--stats", "json", input: piped.output)
        #expect(read.errors.contains("\"framesOut\":25"), "\(read.errors)")
    }

    @Test(.enabled(if: TestFolders.corpora != nil && Program.ffmpeg != nil, "needs corpora and ffmpeg"))
    func ffmpegDecodesTheOutputOfEveryClip() throws {
        let folder = try #require(TestFolders.corpora).appendingPathComponent("video", isDirectory: true)
        let clips = TestFolders.files(below: folder).filter { $0.pathExtension == "y4m" }
        #expect(!clips.isEmpty)
        for clip in clips {
            let outcome = try workspace.texel(
                "frames", clip.path, "--width", "64", "--enlarge", "-o", "-", "--stats", "json")
            try #require(outcome.status == 0, "\(clip.lastPathComponent): \(outcome.errors)")
            let told = try JSONDecoder().decode(StatisticsObject.self, from: Data(outcome.errors.utf8))
            try workspace.add("out.y4m", outcome.output)
            let raw = try Program.run(
                Program.ffmpeg,
                ["-v", "error", "-i", workspace.directory("out.y4m"), "-f", "rawvideo", "-pix_fmt", "gray", "-"])
            let info = try #require(outcome.output.firstIndex(of: UInt8(ascii: "\n")))
            let header = String(decoding: outcome.output[..<info], as: UTF8.self).split(separator: " ")
            let height = try #require(header.first { $0.hasPrefix("H") }.flatMap { Int($0.dropFirst()) })
            #expect(raw.count == told.framesOut * 64 * height, "\(clip.lastPathComponent)")
        }
    }
}
