import Foundation
import PlatformLibc
import TestSupport
import Testing
import Texel

/// `texel frames` with faulty inputs, outputs and signals.
@Suite struct FramesFaultTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        try workspace.add("in.y4m", FrameClip.y4m([1, 2, 3]))
    }

    private func expectFailure(
        _ arguments: String..., status: Int32, saying words: String, source: String = "in.y4m",
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let before = try workspace.directory.contents()
        let outcome = try workspace.run(["frames", source] + arguments)
        #expect(outcome.status == status, "\(outcome.errors)", sourceLocation: sourceLocation)
        #expect(outcome.errorLines.count == 1, "\(outcome.errors)", sourceLocation: sourceLocation)
        #expect(outcome.errors.hasPrefix("texel: \(source): "), "\(outcome.errors)", sourceLocation: sourceLocation)
        #expect(outcome.errors.contains(words), "\(outcome.errors)", sourceLocation: sourceLocation)
        #expect(try workspace.directory.contents() == before, sourceLocation: sourceLocation)
    }

    // MARK: Input

    @Test func missingSourcesAreReported() throws {
        try expectFailure("-o", "out.y4m", status: 66, saying: "no such file", source: "no.y4m")
        for source in ["no%d.png", "no*.png", "/dev/video-none", "no%.y4m"] {
            try expectFailure("-o", "out.y4m", status: 66, saying: "no such file", source: source)
        }
    }

    @Test func truncatedStreamsNameTheFrame() throws {
        try workspace.add("cut.y4m", FrameClip.y4m([1, 2, 3]).dropLast(5))
        try expectFailure(
            "-o", "out.y4m", status: 65, saying: "the stream ends inside frame 2, after 27 of its 32 bytes",
            source: "cut.y4m")
    }

    /// Frames before the error are delivered.
    @Test func truncatedOnAPipe() throws {
        let outcome = try workspace.run(
            ["frames", "-", "-o", "-", "--to", "bgra"], input: FrameClip.y4m([1, 2, 3]).dropLast(5))
        #expect(outcome.status == 65)
        #expect(FrameClip.firstBytes(outcome.output) == [1, 2])
    }

    @Test func invalidHeadersAreRefused() throws {
        try workspace.add("bad.y4m", "YUV4MPEG2 W0 H4\n".utf8)
        try expectFailure("-o", "out.y4m", status: 65, saying: "the invalid width", source: "bad.y4m")
    }

    @Test func noFramesAtAll() throws {
        try workspace.add("text", "These are no frames.".utf8)
        let outcome = try workspace.texel("frames", "text", "-o", "out.y4m")
        #expect(outcome.status == 65, "\(outcome.errors)")
        let piped = try workspace.run(["frames", "-", "-o", "out.y4m"], input: Array("These are no frames.".utf8))
        #expect(piped.status == 65, "\(piped.errors)")
        #expect(try workspace.files() == ["in.y4m", "text"])
    }

    @Test func timeLimitEndsTheStream() throws {
        try expectFailure(
            "-o", "out.y4m", "--realtime", "--rate", "1", "--timeout", "100ms", status: 69, saying: "--timeout",
            source: "pattern:16x16")
    }

    /// The time limit also applies to the wait for the first byte.
    @Test func timeLimitBeforeTheFirstByte() throws {
        let fifo = workspace.directory("fifo")
        try #require(mkfifo(fifo, 0o600) == 0)
        let outcome = try workspace.texel("frames", "fifo", "-o", "out.y4m", "--timeout", "100ms")
        #expect(outcome.status == 69)
        #expect(outcome.errors.contains("--timeout"), "\(outcome.errors)")
    }

    @Test func errorsOfTheSecondSourceNameIt() throws {
        try workspace.add("cut.y4m", FrameClip.y4m([1, 2, 3]).dropLast(5))
        for (second, words) in [
            ("no.y4m", "texel: no.y4m: no such file"),
            ("cut.y4m", "texel: in.y4m and cut.y4m: the stream ends inside frame 2"),
        ] {
            let outcome = try workspace.texel(
                "frames", "in.y4m", "--crossfade", second, "--crossfade-at", "0", "-o", "out.y4m")
            #expect(outcome.errors.hasPrefix(words), "\(outcome.errors)")
        }
        #expect(try workspace.files() == ["cut.y4m", "in.y4m"])
    }

    @Test func tooLargeFramesNameTheirFlag() throws {
        try expectFailure("-o", "out.y4m", "--limit-side", "7", status: 69, saying: "--limit-side")
    }

    @Test func operationThatCannotBe() throws {
        try expectFailure("-o", "out.y4m", "--crop", "9x9+0+0", status: 64, saying: "8×4")
    }

    /// A damaged frame ends the stream, or is dropped and counted.
    @Test func damagedFramesFailOrAreDropped() throws {
        for index in 0..<3 { try workspace.add("a\(index).png", try Sample.png()) }
        let sound = try workspace.bytes("a1.png")
        try workspace.add("a1.png", sound.dropLast(sound.count / 2))
        try expectFailure("-o", "out.y4m", status: 65, saying: "frame 1", source: "a%d.png")
        let outcome = try workspace.texel(
            "frames", "a%d.png", "-o", "out.y4m", "--fail-on", "none", "--stats", "json")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let told = try JSONDecoder().decode(StatisticsObject.self, from: Data(outcome.errors.utf8))
        #expect(told.framesIn == 3)
        #expect(told.framesOut + (told.dropped["damaged"] ?? 0) == 3)
    }

    // MARK: Output

    @Test func existingOutputsAreReplacedOnlyWithOverwrite() throws {
        try workspace.add("out.y4m", "old".utf8)
        try expectFailure("-o", "out.y4m", status: 73, saying: "replace it with --overwrite")
        try workspace.add("1.png", "old".utf8)
        try expectFailure("-o", "%d.png", status: 73, saying: "1.png")
        let outcome = try workspace.texel("frames", "in.y4m", "-o", "out.y4m", "--overwrite", "--subsampling", "mono")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try workspace.bytes("out.y4m") == workspace.bytes("in.y4m"))
        try expectFailure("-o", "in.y4m", "--overwrite", status: 73, saying: "is also an input; name another output")
    }

    @Test func directoryThatIsAFile() throws {
        try expectFailure("-o", "in.y4m/out.y4m", status: 73, saying: "cannot create in.y4m: File exists")
    }

    #if os(Linux)
        @Test func fullDevicesAreReported() throws {
            try expectFailure("-o", "/dev/full", status: 74, saying: "No space left on device")
        }
    #endif

    @Test func readerThatLeaves() throws {
        let process = try RunningProgram(
            ["frames", "pattern:640x360", "-o", "-", "--stats", "json"], in: workspace.directory.path)
        #expect(try process.readLine().hasPrefix("YUV4MPEG2 W640 H360 "))
        try process.stopReading()
        let outcome = try process.wait(reading: false)
        #expect(outcome.status == 74)
        #expect(outcome.errors.contains("the reader closed the output"))
        #expect(outcome.errors.contains("\"error\":\"the reader"))
    }

    /// Standard streams that are closed from the start are errors if they are needed, and no other file is used
    /// instead.
    @Test func closedStandardStreamsAreErrorsIfNeeded() throws {
        try workspace.add("cut.y4m", FrameClip.y4m([1, 2, 3]).dropLast(5))
        let script = """
            cd "$1" || exit 1
            "$2" frames - -o null <&- 2>input; echo $?
            { "$2" frames in.y4m -o - >&- 2>output; }; echo $?
            "$2" frames in.y4m -o out.y4m --subsampling mono --stats json <&- 2>&-; echo $?
            "$2" frames cut.y4m -o out.bgra <&- 2>&-; echo $?
            """
        let arguments = ["-c", script, "sh", workspace.directory.path, RunningProgram.texel]
        #expect(try Program.run("/bin/sh", arguments) == Array("74\n74\n0\n65\n".utf8))
        for name in ["input", "output"] {
            #expect(String(decoding: try workspace.bytes(name), as: UTF8.self).contains("Bad file descriptor"))
        }
        #expect(try workspace.bytes("out.y4m") == workspace.bytes("in.y4m"))
        #expect(try workspace.files() == ["cut.y4m", "in.y4m", "input", "out.y4m", "output"])
    }

    @Test func nothingAtAll() throws {
        try workspace.add("empty.y4m", [])
        try expectFailure("-o", "out.y4m", status: 65, saying: "the input is empty", source: "empty.y4m")
        let piped = try workspace.run(["frames", "-", "-o", "out.y4m"])
        #expect(piped.status == 65)
        #expect(piped.errors.contains("the input is empty"), "\(piped.errors)")
    }

    /// The smallest and largest rates that a header can have.
    @Test func extremeRatesAreAccepted() throws {
        for rate in ["4294967295:1", "1:4294967295"] {
            let clip = Array("YUV4MPEG2 W1 H1 F\(rate) Cmono\nFRAME\n1FRAME\n2".utf8)
            for arguments in [["--max-rate", "1/4294967295"], ["--max-rate", "4294967295/1"], ["--every", "2"]] {
                let outcome = try workspace.run(
                    ["frames", "-", "-o", "null", "--stats", "json"] + arguments, input: clip)
                #expect(outcome.status == 0, "\(rate) \(arguments) \(outcome.errors)")
            }
        }
    }

    @Test func namedPipesAreWrittenNotReplaced() throws {
        let fifo = workspace.directory("fifo")
        try #require(mkfifo(fifo, 0o600) == 0)
        let process = try RunningProgram(
            ["frames", "in.y4m", "-o", "fifo", "--subsampling", "mono"], in: workspace.directory.path)
        let bytes = try FileHandle(forReadingFrom: URL(fileURLWithPath: fifo)).readToEnd()
        #expect(try process.wait().status == 0)
        #expect([UInt8](bytes ?? Data()) == (try workspace.bytes("in.y4m")))
    }

    // MARK: Interruption

    /// Waits until the program has created its output, and so handles signals.
    private func waitForOutput(of process: RunningProgram) throws {
        // Without a name, if the file system supports that.
        while !process.openFiles.contains(where: { $0.contains("\(workspace.directory.path)/#") }),
            try !workspace.files().contains(where: { $0.hasPrefix(".out.y4m") })
        {
            try #require(process.isRunning)
            sched_yield()
        }
    }

    /// The writing end of a pipe, once there is a reader; not inherited by other child processes.
    private func writer(of fifo: String) throws -> FileHandle {
        let descriptor = open(fifo, O_WRONLY | O_CLOEXEC)
        try #require(descriptor >= 0)
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// A partial video must not be taken for a complete one.
    @Test(arguments: [SIGINT, SIGTERM]) func interruptedVideosAreRemoved(signal: Int32) throws {
        let fifo = workspace.directory("fifo.y4m")
        try #require(mkfifo(fifo, 0o600) == 0)
        let process = try RunningProgram(
            ["frames", "fifo.y4m", "-o", "out.y4m", "--stats", "none"], in: workspace.directory.path)
        // Opens when the program does, and stays open: the program waits for the second frame.
        let writer = try writer(of: fifo)
        try writer.write(contentsOf: Data(FrameClip.y4m([1])))
        try waitForOutput(of: process)
        process.send(signal)
        let outcome = try process.wait()
        #expect(outcome.status == 130)
        #expect(outcome.errors == "")
        #expect(try workspace.files() == ["fifo.y4m", "in.y4m"])
        try writer.close()
    }

    /// A reader that does not read cannot keep the program from ending.
    @Test func interruptedWhileNobodyReads() throws {
        let process = try RunningProgram(["frames", "pattern:1280x720", "-o", "-"], in: workspace.directory.path)
        // A pipe holds less than a frame.
        #expect(try process.readLine().hasPrefix("YUV4MPEG2"))
        process.send(SIGINT)
        #expect(try process.wait(reading: false).status == 130)
    }

    /// Before the first byte, only the wait has to end.
    @Test func interruptedBeforeTheFirstByte() throws {
        let fifo = workspace.directory("fifo")
        try #require(mkfifo(fifo, 0o600) == 0)
        let process = try RunningProgram(["frames", "fifo", "-o", "out.y4m"], in: workspace.directory.path)
        let writer = try writer(of: fifo)
        process.send(SIGINT)
        #expect(try process.wait().status == 130)
        try writer.close()
    }

    /// An endless stream is ended by an interruption, and its file is complete.
    @Test func interruptedWithoutEnd() throws {
        let process = try RunningProgram(
            ["frames", "in.y4m", "--loop", "--realtime", "-o", "out.y4m", "--subsampling", "mono"],
            in: workspace.directory.path)
        try waitForOutput(of: process)
        process.send(SIGINT)
        #expect(try process.wait().status == 130)
        let header = FrameClip.y4m([])
        let bytes = try workspace.bytes("out.y4m")
        #expect(bytes.starts(with: header))
        #expect((bytes.count - header.count) % 38 == 0)
    }
}
