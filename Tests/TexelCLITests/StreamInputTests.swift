import Foundation
import PlatformLibc
import TestSupport
import Testing
import Texel

/// Inputs without a size: standard input, pipes and devices that the user named.
@Suite(.timeLimit(.minutes(30))) struct StreamInputTests {
    private let workspace: Workspace

    init() throws { workspace = try Workspace() }

    /// Runs the program with the output of a shell command as its standard input.
    private func texel(_ arguments: [String], reading command: String) throws -> RunningProgram.Outcome {
        let script = "\(command) 2>errors | \"$@\""
        return try RunningProgram(
            "/bin/sh", ["-c", script, "sh", RunningProgram.texel] + arguments, in: workspace.directory.path
        ).wait()
    }

    private static let readers = [
        ["info", "-"], ["compress", "-"], ["compress", "-", "-o", "o.png"], ["info", "-", "--untrusted"],
        ["compress", "-", "-o", "o.png", "--untrusted"], ["tile", "-", "-o", "t"], ["show", "-"],
        ["info", "/dev/stdin"], ["compare", "-", "a.png"], ["compress", "/dev/zero", "-o", "o.png"],
        ["info", "/dev/zero"],
    ]

    /// The input has no end, so the program must stop reading.
    @Test(arguments: readers) func streamsThatAreNoImages(arguments: [String]) throws {
        try workspace.add("a.png", try Sample.png())
        let outcome = try texel(arguments, reading: "cat /dev/zero")
        #expect(outcome.status == 65, "\(outcome.errors)")
        #expect(outcome.text == "" && outcome.errors.contains("is not a PNG, JPEG"), "\(outcome.errors)")
        #expect(try workspace.files() == ["a.png", "errors"])
    }

    /// A stream that begins like an image is refused at the limit, with the number of bytes read so far.
    @Test(arguments: [["info", "-"], ["compress", "-", "-o", "o.png"], ["info", "-", "--untrusted"]])
    func endlessImagesAreRefusedAtTheLimit(arguments: [String]) throws {
        let brand: [UInt8] = [0, 0, 0, 0x18] + Array("ftypheic".utf8) + [0, 0, 0, 0] + Array("mif1heic".utf8)
        try workspace.add("head", brand)
        let outcome = try texel(arguments + ["--limit-input", "3MB"], reading: "cat head /dev/zero")
        #expect(outcome.status == 69, "\(outcome.errors)")
        let value = try #require(outcome.errors.firstMatch(of: /at least (\d+) bytes/)?.1)
        #expect((3_000_001...3_100_000).contains(Int(value) ?? 0), "\(outcome.errors)")
    }

    /// A pipe that gets no writer; `--dry-run` reads headers too.
    @Test(arguments: [
        ["compress", "-o", "o.png"], ["compress", "--dry-run"], ["compress", "-o", "o.png", "--untrusted"], ["info"],
        ["info", "--analyze"], ["sheet", "-o", "s.png"], ["tile", "-o", "t"], ["duplicates"], ["show"],
        ["compare", "a.png"], ["compress", "a.png", "--overlay"],
    ])
    func pipesWithoutWriterTimeOut(arguments: [String]) throws {
        try workspace.add("a.png", try Sample.png())
        try #require(mkfifo(workspace.directory("pipe.png"), 0o600) == 0)
        let outcome = try workspace.run(arguments + ["pipe.png", "--timeout", "200ms"])
        #expect(outcome.status == 69, "\(outcome.errors)")
        #expect(outcome.errors.contains("pipe.png") && outcome.errors.contains("--timeout"), "\(outcome.errors)")
        #expect(try workspace.files().filter { $0 != "s.png" } == ["a.png", "pipe.png"])
    }

    /// Commands that need the header and the pixels read a pipe once.
    @Test(arguments: [
        ["info", "--json"], ["info", "--analyze"], ["compress", "-o", "o.png"], ["sheet", "-o", "s.png"], ["show"],
        ["compress", "a.png", "-o", "o.png", "--overlay"],
        ["resize", "--width", "8", "-o", "o.png", "--report", "r.html"],
    ])
    func pipesAreReadOnce(arguments: [String]) throws {
        try workspace.add("a.png", try Sample.png())
        try #require(mkfifo(workspace.directory("pipe.png"), 0o600) == 0)
        let writer = try RunningProgram("/bin/sh", ["-c", "cat a.png > pipe.png"], in: workspace.directory.path)
        let outcome = try workspace.run(arguments + ["pipe.png"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try writer.wait().status == 0)
    }

    /// Standard input that is a file gives the same result, from where it stands.
    @Test func filesAsStandardInput() throws {
        try workspace.add("a.png", try Sample.png())
        let direct = try workspace.texel("resize", "a.png", "--width", "8", "-o", "-")
        for command in ["cat a.png", "cat a.png | dd bs=7 status=none"] {
            #expect(try texel(["resize", "-", "--width", "8"], reading: command).output == direct.output)
        }
        let piped = try workspace.texel("resize", "-", "--width", "8", input: try workspace.bytes("a.png"))
        #expect(piped.output == direct.output)
        let refused = try workspace.texel(
            "info", "-", "--limit-input", "99", input: try workspace.bytes("a.png"))
        #expect(refused.status == 69, "\(refused.errors)")
    }

    /// The results of later jobs come although a pipe gets no writer.
    @Test(arguments: [[], ["--unordered"]]) func silentPipesDoNotDelayLaterJobs(flags: [String]) throws {
        try workspace.add("a.png", try Sample.png())
        try #require(mkfifo(workspace.directory("pipe.png"), 0o600) == 0)
        let jobs = [
            #"{"id":1,"command":"info","input":"pipe.png","timeout":"300ms"}"#,
            #"{"id":2,"input":"pipe.png","output":"o.png","timeout":"300ms"}"#,
            #"{"id":3,"input":"a.png","output":"p.png","overlay":"pipe.png","timeout":"300ms"}"#,
            #"{"id":4,"command":"info","input":"a.png"}"#,
        ]
        let outcome = try workspace.run(
            ["worker", "-j", "1"] + flags, input: Array((jobs.joined(separator: "\n") + "\n").utf8))
        let results = try WorkerObject.all(in: outcome)
        let codes = Dictionary(uniqueKeysWithValues: results.map { ($0.number ?? 0, $0.code) })
        #expect(codes == [1: 69, 2: 69, 3: 69, 4: 0])
    }
}
