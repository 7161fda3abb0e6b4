import Foundation
import TestSupport
import Testing
import Texel

/// Videos through the commands for frames and for images.
@Suite(.enabled(if: Program.ffmpeg != nil, "needs ffmpeg")) struct VideoCommandTests {
    private let workspace: Workspace

    init() throws { workspace = try Workspace() }

    /// Makes a clip of 4 seconds: half a second of black, then a moving pattern.
    private func clip(_ name: String = "clip.mp4", _ arguments: [String] = []) throws {
        try Program.run(
            Program.ffmpeg,
            ["-y", "-v", "error", "-f", "lavfi", "-i", "color=black:s=96x64:r=25:d=0.48", "-f", "lavfi", "-i"]
                + ["testsrc2=s=96x64:r=25:d=3.52", "-filter_complex", "concat=n=2", "-c:v", "libx264", "-pix_fmt"]
                + ["yuv420p", "-g", "25", "-movflags", "+faststart"] + arguments + [workspace.directory(name)])
    }

    private func frames(_ arguments: String...) throws -> [UInt8] {
        let outcome = try workspace.run(["frames", "clip.mp4", "-o", "-", "--to", "bgra"] + arguments)
        try #require(outcome.status == 0, "\(outcome.errors)")
        return outcome.output
    }

    private static let frameBytes = 96 * 64 * 4

    @Test func timesSelectExactFrames() throws {
        try clip()
        let all = try frames()
        #expect(all.count == 100 * Self.frameBytes)
        func part(_ range: Range<Int>) -> ArraySlice<UInt8> {
            all[range.lowerBound * Self.frameBytes..<range.upperBound * Self.frameBytes]
        }
        let cases: [([String], [UInt8])] = [
            (["--start", "2"], Array(part(50..<100))),
            (["--start", "0:02.5", "--end", "00:00:03"], Array(part(63..<75))),
            (["--frame", "61"], Array(part(61..<62))),
            (["--every", "1s"], [0, 25, 50, 75].flatMap { part($0..<$0 + 1) }),
            (["--every", "40", "--start", "1"], [25, 65].flatMap { part($0..<$0 + 1) }),
        ]
        for (arguments, expected) in cases {
            let outcome = try workspace.run(["frames", "clip.mp4", "-o", "-", "--to", "bgra"] + arguments)
            #expect(outcome.status == 0, "\(outcome.errors)")
            let isTheSame = outcome.output == expected
            #expect(isTheSame, "\(arguments)")
        }
        let beyond = try workspace.texel("frames", "clip.mp4", "-o", "-", "--to", "bgra", "--frame", "100")
        #expect(beyond.status == 65 && beyond.errors.contains("frame 100 does not exist"), "\(beyond.errors)")
    }

    @Test func imageCommandsUseOneFrameOfAVideo() throws {
        try clip()
        for command in [["compress", "clip.mp4", "-o", "poster.png"], ["resize", "clip.mp4", "--width", "48"]] {
            let outcome = try workspace.run(command)
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        #expect(try workspace.files() == ["clip-texel.jpg", "clip.mp4", "poster.png"])
        let poster = try workspace.image("poster.png")
        #expect(poster.size == PixelSize(width: 96, height: 64))
        let frame = try frames("--frame", "12")
        let pixels = poster.pixels.flatMap { pixel in (0..<4).map { UInt8(truncatingIfNeeded: pixel >> (8 * $0)) } }
        let isTheSame = pixels == frame
        #expect(isTheSame)
        let black = try workspace.texel("compress", "clip.mp4", "--frame", "0", "-o", "black.png")
        #expect(black.status == 0, "\(black.errors)")
        #expect(Set(try workspace.image("black.png").pixels) == [0xFF00_0000])
        let beyond = try workspace.texel("compress", "clip.mp4", "--frame", "100", "-o", "none.png")
        #expect(beyond.status == 65 && beyond.errors.contains("frame 100 does not exist"), "\(beyond.errors)")
    }

    /// Videos among images are not images, unless they are named.
    @Test func foldersOfImagesOmitVideos() throws {
        try clip()
        try workspace.add("picture.png", try TestFolders.testImage("size-3x7.png"))
        let outcome = try workspace.texel("compress", ".", "-r", "-o", "out/")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let made = try FileManager.default.contentsOfDirectory(atPath: workspace.directory("out"))
        #expect(made.filter { !$0.hasPrefix(".") } == ["picture.png"])
    }

    @Test func infoDescribesVideos() throws {
        try clip("clip.mp4", ["-colorspace", "bt709", "-color_range", "tv"])
        let text = try workspace.texel("info", "clip.mp4").text
        for words in ["96×64", "h264", "25 fps", "4 s", "100 frames", "matrix BT.709, limited range"] {
            #expect(text.contains(words), "\(text)")
        }
        #expect(!text.contains("assumed"))
        struct Report: Decodable {
            struct Video: Decodable {
                let codec: String
                let framesPerSecond: Double
                let assumed: [String]
                let streams: [Stream]
            }
            struct Stream: Decodable { let kind: String }
            let format: String
            let video: Video
        }
        try clip("plain.mkv")
        let json = try workspace.texel("info", "plain.mkv", "--json").output
        let report = try JSONDecoder().decode(Report.self, from: Data(json))
        #expect(report.format == "video" && report.video.codec == "h264" && report.video.framesPerSecond == 25)
        #expect(report.video.assumed == ["matrix", "range"])
        #expect(report.video.streams.map(\.kind) == ["video"])
    }

    @Test func sheetsShowFramesOfAVideo() throws {
        try clip()
        let outcome = try workspace.texel(
            "sheet", "clip.mp4", "--every", "1s", "--cell", "64x48", "--columns", "4", "--no-captions", "--margin", "0",
            "--gap", "0", "-o", "sheet.png")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let sheet = try workspace.image("sheet.png")
        #expect(sheet.size == PixelSize(width: 4 * 64, height: 48))
    }

    /// A process without privileges gives the same frames.
    @Test func isolatedVideosGiveTheSameFrames() throws {
        try clip()
        let plain = try frames("--start", "1", "--end", "3")
        let isolated = try frames("--start", "1", "--end", "3", "--untrusted")
        let isTheSame = plain == isolated
        #expect(isTheSame)
        let piped = try workspace.run(
            ["frames", "-", "-o", "-", "--to", "bgra", "--untrusted"], input: try workspace.directory.bytes("clip.mp4"))
        #expect(piped.status == 0 && piped.output.count == 100 * Self.frameBytes, "\(piped.errors)")
        let address = try workspace.texel("frames", "https://127.0.0.1:1/clip.mp4", "-o", "null", "--untrusted")
        #expect(address.status == 65 && address.errorLines.count == 1, "\(address.errors)")
    }

    /// Damage is reported once, with the exit code of damaged images, and leaves no file.
    @Test(arguments: [[], ["--untrusted"]]) func damagedVideosFailOnceAndLeaveNoFile(_ flags: [String]) throws {
        try clip()
        let bytes = try workspace.directory.bytes("clip.mp4")
        try workspace.add("half.mp4", bytes.prefix(bytes.count * 6 / 10))
        let refused = try workspace.run(["frames", "half.mp4", "-o", "out.y4m"] + flags)
        #expect(refused.status == 65 && refused.errorLines.count == 1, "\(refused.errors)")
        #expect(try workspace.files() == ["clip.mp4", "half.mp4"])
        let used = try workspace.run(
            ["frames", "half.mp4", "-o", "out.y4m", "--fail-on", "none", "--stats", "json"] + flags)
        #expect(used.status == 0, "\(used.errors)")
        #expect(
            used.errors.contains("\"endsEarly\":true") || !used.errors.contains("\"lostPackets\":0"), "\(used.errors)")
    }

    @Test func playlistsAreRefused() throws {
        try clip()
        for text in ["ffconcat version 1.0\nfile 'clip.mp4'\n", "#EXTM3U\n#EXTINF:1,\nclip.mp4\n#EXT-X-ENDLIST\n"] {
            try workspace.add("list.mp4", text.utf8)
            for command in [
                ["frames", "list.mp4", "-o", "null"], ["frames", "list.mp4", "-o", "null", "--untrusted"],
            ] {
                let outcome = try workspace.run(command)
                #expect(outcome.status == 65 && outcome.errorLines.count == 1, "\(outcome.errors)")
            }
        }
    }
}
