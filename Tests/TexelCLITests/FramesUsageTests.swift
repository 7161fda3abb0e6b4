import TestSupport
import Testing
import Texel

/// Arguments that `texel frames` refuses before it opens any file.
@Suite struct FramesUsageTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        try workspace.add("a.png", try Sample.png())
    }

    @Test(
        arguments: [
            ([], "source"),
            ([""], "The source is empty"),
            (["a.png", "-o", ""], "--output is empty"),
            (["a.png", "-o", "out"], "Unknown format of --output out;"),
            (["a.png", "-o", "out.tga"], "Unknown format of --output out.tga;"),
            (["a.png", "-o", "out.jpg"], "out-%05d.jpg"),
            (["a.png", "-o", "%d.bmp"], "Unknown format of --output %d.bmp;"),
            (["a.png", "-o", "%d.png", "--to", "y4m"], "--to y4m is a stream format"),
            (["a.png", "-o", "-", "--to", "png"], "out/%05d.png"),
            (["a.png", "-o", "terminal"], "is not a terminal"),
            (["a.png", "-o", "null", "--to", "y4m"], "--to y4m has no effect with --output null"),
            (["a.png", "-o", "shm:"], "requires the path of a socket"),
            (["a.png", "-o", "shm:s", "--to", "rgba"], "leave out --to rgba"),
            (["a.png", "-o", "-", "--to", "h264"], "--to"),
            (["a.png", "-o", "a.mjpeg", "--subsampling", "mono"], "--subsampling mono is for Y4M only"),
            (["a.png", "-o", "-", "--quality", "101"], "--quality 101"),
            (["a.png", "-o", "-", "--pixel-format", "bgra"], "--pixel-format requires --size"),
            (["a.png", "-o", "-", "--pixel-format", "yuyv"], "--pixel-format"),
            (["a.png", "-o", "-", "--size", "4x4"], "requires --pixel-format"),
            (["pattern:large", "-o", "-"], "pattern:large requires a size"),
            (["a.png", "-o", "-", "--crossfade", "pattern:", "--crossfade-at", "1"], "pattern: requires a size"),
            (["-", "-o", "-", "--crossfade", "-", "--crossfade-at", "1"], "can be read only once"),
            (["a.png", "-o", "-", "--size", "0x4"], "--size"),
            (["a.png", "-o", "-", "--size", "4"], "--size"),
            (["a.png", "-o", "-", "--rate", "0"], "--rate"),
            (["a.png", "-o", "-", "--rate", "50%"], "--rate"),
            (["a.png", "-o", "-", "--rate", "1/0"], "--rate"),
            (["a.png", "-o", "-", "--matrix", "ictcp"], "--matrix"),
            (["a.png", "-o", "-", "--start", "1:60"], "--start"),
            (["a.png", "-o", "-", "--start", "1:2:3:4"], "--start"),
            (["a.png", "-o", "-", "--start", "2", "--end", "0:02"], "--end is not after --start"),
            (["a.png", "-o", "-", "--end", "0"], "--end is not after the start"),
            (["a.png", "-o", "-", "--frame", "-1"], "--frame"),
            (["a.png", "-o", "-", "--frame", "1", "--start", "2"], "--frame selects one frame"),
            (["a.png", "-o", "-", "--every", "0.5ms"], "--every"),
            (["a.png", "-o", "-", "--range", "half"], "--range"),
            (["-", "-o", "-", "--loop"], "--loop cannot repeat standard input"),
            (["a.png", "-o", "-", "--every", "0"], "--every 0"),
            (["a.png", "-o", "-", "--frames", "0"], "--frames 0"),
            (["a.png", "-o", "-", "--queue", "0"], "--queue 0"),
            (["a.png", "-o", "-", "--jobs", "2000"], "--jobs 2000"),
            (["a.png", "-o", "-", "--max-rate", "fast"], "--max-rate"),
            (["a.png", "-o", "-", "--drop", "all"], "--drop"),
            (["a.png", "-o", "-", "--crossfade", "a.png"], "--crossfade-at"),
            (["a.png", "-o", "-", "--crossfade-at", "1"], "require --crossfade"),
            (["a.png", "-o", "-", "--crossfade", "a.png", "--crossfade-at", "-1"], "--crossfade-at"),
            (["a.png", "-o", "-", "--stall-timeout", "0"], "--stall-timeout"),
            (["a.png", "-o", "-", "--width", "0"], "--width 0"),
            (["a.png", "-o", "-", "--angle", "nan"], "--angle"),
            (["a.png", "-o", "-", "--trim"], "frames does not support --trim"),
            (["a.png", "-o", "-", "--stats", "xml"], "--stats"),
        ] as [([String], String)])
    func invalidCallsOfFramesAreRefused(arguments: [String], words: String) throws {
        let before = try workspace.directory.contents()
        let outcome = try workspace.run(["frames"] + arguments)
        #expect(outcome.status == 64, "\(outcome.errors)")
        #expect(outcome.text == "")
        #expect(outcome.errorLines.first?.hasPrefix("Error: ") ?? false, "\(outcome.errors)")
        #expect(outcome.errors.contains(words), "\(outcome.errors)")
        #expect(try workspace.directory.contents() == before)
    }

    @Test func helpListsTheFlagsOfFrames() throws {
        let outcome = try workspace.texel("frames", "--help-all")
        #expect(outcome.status == 0)
        for flag in ["--output", "--to", "--drop", "--crossfade-at", "--stats", "--width", "--limit-pixels"] {
            #expect(outcome.text.contains(flag), "\(flag)")
        }
    }
}
