import Foundation
import TestSupport
import Testing
import Texel

/// The fields of jobs, and their results.
@Suite struct WorkerJobTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        try workspace.add("a.png", try Sample.png())
        try workspace.add("b.jpg", try Sample.jpeg())
    }

    @Test func resultsTellWhatBecameOfTheFile() throws {
        let results = try workspace.work(
            ["id": "first", "command": "resize", "input": "a.png", "output": "small.png", "width": 24],
            ["id": 7, "input": "b.jpg", "output": "out/", "quality": 50], ["input": "b.jpg"])
        let (first, second, third) = (results[0], results[1], results[2])
        #expect(first.id == "first" && first.status == "written" && first.code == 0 && first.error == nil)
        #expect(first.output == "small.png" && first.width == 24 && first.format == "png" && first.line == 1)
        #expect(first.inputBytes == (try workspace.bytes("a.png").count))
        #expect(first.outputBytes == (try workspace.bytes("small.png").count))
        #expect(try workspace.image("small.png").width == 24)
        #expect(second.number == 7 && second.output == "out/b.jpg")
        #expect(third.id == nil && third.number == nil && third.output == "b-texel.jpg")
    }

    /// A job's fields have the same effect as the flags, to the byte.
    @Test(
        arguments: [
            ("compress", ["--quality", "40", "--progressive"], [("quality", 40), ("progressive", true)]),
            ("compress", ["--max-bytes", "900"], [("maxBytes", 900)]),
            ("resize", ["--density", "300"], [("density", 300)]),
            ("compress", ["--max-bytes", "1KB", "--no-auto-orient"], [("maxBytes", "1KB"), ("noAutoOrient", true)]),
            ("resize", ["--scale", "50%", "--filter", "mitchell"], [("scale", "50%"), ("filter", "mitchell")]),
            ("resize", ["--scale", "0.25", "--effort", "best"], [("scale", 0.25), ("effort", "best")]),
            (
                "resize", ["--crop", "16x8+2+3", "--linear", "--width", "8"],
                [("crop", "16x8+2+3"), ("linear", true), ("width", 8)]
            ),
            (
                "resize", ["--trim", "--trim-tolerance", "90", "--trim-background", "black", "--width", "8"],
                [("trim", true), ("trimTolerance", 90), ("trimBackground", "black"), ("width", 8)]
            ),
            ("rotate", ["--angle=-12.5", "--background", "red"], [("angle", -12.5), ("background", "red")]),
            (
                "compress", ["--overlay", "a.png", "--overlay-opacity", "0.3", "--overlay-tile", "--border", "3,navy"],
                [("overlay", "a.png"), ("overlayOpacity", 0.3), ("overlayTile", true), ("border", "3,navy")]
            ),
            ("rotate", ["--flip", "v", "--subsampling", "444"], [("flip", "v"), ("subsampling", "444")]),
        ] as [(String, [String], [(String, any Sendable)])])
    func fieldsMeanWhatFlagsMean(command: String, flags: [String], fields: [(String, any Sendable)]) throws {
        let outcome = try workspace.run([command, "b.jpg", "-o", "flags.jpg"] + flags)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let results = try workspace.work(
            JobObject([("command", command), ("input", "b.jpg"), ("output", "fields.jpg")] + fields.map { ($0, $1) }))
        #expect(results.first?.code == 0, "\(results)")
        #expect(try workspace.bytes("fields.jpg") == workspace.bytes("flags.jpg"))
    }

    @Test func infoJobsReportHeadersAndFailures() throws {
        let results = try workspace.work(
            ["command": "info", "input": "b.jpg"], ["command": "info", "input": "none.jpg"])
        #expect(results[0].status == "done" && results[0].code == 0 && results[0].width == 48)
        #expect(results[1].status == "failed" && results[1].code == 66 && results[1].input == "none.jpg")
    }

    @Test func compareJobsReportMetricsAndFailures() throws {
        let results = try workspace.work(
            ["command": "compare", "original": "a.png", "candidate": "b.jpg", "heatmap": "map.png"],
            ["command": "compare", "original": "a.png", "candidate": "none.jpg", "id": "x"])
        #expect(results[0].status == "done" && (results[0].psnr ?? 0) > 20)
        #expect(try workspace.image("map.png").width == 48)
        #expect(results[1].status == "failed" && results[1].code == 66 && results[1].id == "x")
        #expect(results[1].error == "none.jpg: no such file")
    }

    /// Every flag of the program is a field; a value of an invalid type is refused with the field's name.
    @Test(arguments: ["compress", "resize", "rotate"]) func everyFlagIsAField(command: String) throws {
        let help = try workspace.texel("help", command, "--all")
        let names = help.text.matches(of: /\n  (?:-\w, )?(--[a-z-]+(?:\/--[a-z-]+)*)/)
            .flatMap { $0.1.split(separator: "/").map { String($0.dropFirst(2)) } }
        // Flags of the worker itself, or without meaning for a single file.
        let others: Set = [
            "recursive", "resume", "recipe", "no-recipe", "jobs", "memory", "isolate", "no-isolate", "json", "progress",
            "report", "explain",
            "verbose", "quiet", "help", "version",
        ]
        let fields = Set(names).subtracting(others).map { name in
            let words = name.split(separator: "-")
            return words.dropFirst().reduce(String(words[0])) { $0 + $1.capitalized }
        }
        #expect(fields.contains("quality") && fields.contains("limitPixels") && fields.count > 35, "\(fields)")
        let values: [any Sendable] = [[Int](), ["x": 1]]
        let jobs = fields.sorted().flatMap { field in
            values.map { JobObject([("id", field), ("command", command), ("input", "b.jpg"), (field, $0)]).line }
        }
        let (_, results) = try workspace.work(jobs)
        #expect(results.count == jobs.count)
        for result in results {
            #expect(result.error?.hasPrefix("\(result.id ?? "no field") is not ") == true, "\(result)")
        }
    }

    private static let wrongFields: [([String: any Sendable], String)] = [
        (["input": 3], "input 3 is not a string (without NUL)"),
        (["input": "a\u{0}.png"], "input is not a string (without NUL)"),
        (["input": ""], "input is empty"),
        (["input": "-"], "input cannot be -, because jobs come from standard input; name a file"),
        (["output": "c.png"], "the field input is missing"),
        (
            ["input": "a.png", "output": "-"],
            "output cannot be -, because results go to standard output; name a file or a folder"
        ),
        (["input": "a.png", "output": ""], "output is empty; name a file or a directory"),
        (
            ["input": "a.png", "output": "{size}.png"],
            "output: unknown placeholder {size}; use {dir}, {name}, {ext}, {width} or {height}, or {{ for a brace"
        ),
        (["input": "a.png", "widht": 3], "unknown field widht for compress"),
        (["input": "a.png", "command": "info", "quality": 3], "unknown field quality for info"),
        (
            ["input": "a.png", "command": "explode"],
            "command \"explode\" is not compress, resize, rotate, info or compare"
        ),
        (
            ["input": "a.png", "command": "resize"],
            "Specify a size, width, height, scale, minWidth or minHeight, or an operation such as crop"
        ),
        (
            ["input": "a.png", "command": "rotate", "noAutoOrient": true],
            "Specify a rotation, angle, flip, yaw, pitch, roll, affine or perspective, or an operation such as crop"
        ),
        (["command": "compare", "original": "a.png"], "the field candidate is missing"),
        (
            ["command": "compare", "original": "a.png", "candidate": "b.jpg", "heatmap": "x.tga"],
            "heatmap x.tga must end in .png, .jpg, .ppm, .gif, .webp, .avif, .jxl or .tif"
        ),
        (["input": "a.png", "trim": "yes"], "trim \"yes\" is not true or false"),
        (["input": "a.png", "trimTolerance": 5], "trimTolerance requires trim"),
        (["input": "a.png", "id": [1]], "id is not a string or an integer"),
        (["input": "a.png", "quality": 101], "quality 101 is not between 1 and 100"),
        (["input": "a.png", "quality": "75"], "quality \"75\" is not an integer"),
        (["input": "a.png", "quality": 7.5], "quality 7.5 is not an integer"),
        (["input": "a.png", "targetScore": 101.5], "targetScore 101.5 is not between -100 and 100"),
        (["input": "a.png", "width": 0], "width 0 is not between 1 and 1000000"),
        (
            ["input": "a.png", "minWidth": 5, "scale": 0.5],
            "Use only one of width/height, minWidth/minHeight and scale"
        ),
        (
            ["input": "a.png", "scale": "big"],
            "scale \"big\" is not a fraction of the size such as \"50%\", 0.5 or \"1/2\""
        ),
        (["input": "a.png", "maxBytes": -3], "maxBytes -3 is not a number of bytes such as 200000 or \"200KB\""),
        (["input": "a.png", "bestEffort": true], "bestEffort requires targetScore or maxBytes"),
        (["input": "a.png", "width": [6, 12]], "width is not an integer; a job has one result"),
        (["input": "a.png", "quality": 80, "targetScore": 70], "Use either quality or targetScore, not both"),
        (
            ["input": "a.png", "lossless": true, "maxBytes": 900],
            "lossless cannot be combined with quality, targetScore, maxBytes, colors or subsampling"
        ),
        (["input": "a.png", "format": "webp", "nearLossless": 101], "nearLossless 101 is not between 0 and 100"),
        (
            ["input": "a.png", "command": "rotate", "angle": 90, "trimBlocks": true, "quality": 80],
            "trimBlocks keeps a JPEG's coefficients; leave out quality, targetScore and maxBytes"
        ),
        (["input": "a.png", "inPlace": true, "format": "png"], "inPlace keeps each file's format; leave out format"),
        (
            ["input": "a.png", "autoOrient": true, "noAutoOrient": false],
            "autoOrient and noAutoOrient exclude each other"
        ),
        (["input": "a.png", "overwrite": "yes"], "overwrite \"yes\" is not true or false"),
        (["input": "a.png", "overwrite": 1], "overwrite 1 is not true or false"),
        (["input": "a.png", "progressive": true, "baseline": true], "progressive and baseline exclude each other"),
        (["input": "a.png", "effort": "huge"], "effort \"huge\" is not fast, balanced or best"),
        (["input": "a.png", "limitSide": 0], "limitSide 0 is not at least 1"),
        (["input": "a.png", "timeout": "soon"], "timeout \"soon\" is not a time such as 30, \"30s\" or \"500ms\""),
        (["input": "a.png", "inPlace": true, "output": "c.png"], "inPlace and output exclude each other"),
        (
            ["input": "a.png", "output": "/dev/stdout"],
            "output cannot be /dev/stdout, because results go to standard output; name a file or a folder"
        ),
        (
            ["input": "a.png", "inPlace": true, "overwrite": true],
            "overwrite has no effect with inPlace, which replaces the inputs"
        ),
        (
            ["input": "a.png", "output": "%03d.png"],
            "output %03d.png is a name for the frames of an animation, which \"texel frames\" writes; name one file"
        ),
    ]

    /// One worker for all of them: each job is refused individually.
    @Test func wrongFieldsAreNamed() throws {
        let files = try workspace.files()
        let (_, results) = try workspace.work(Self.wrongFields.map { JobObject($0.0.map { ($0, $1) }).line })
        #expect(results.count == Self.wrongFields.count)
        for (result, (fields, sentence)) in zip(results, Self.wrongFields) {
            #expect(result.status == "failed" && result.code == 64)
            #expect(result.error == sentence)
            #expect(result.input == fields["input"] as? String)
        }
        #expect(try workspace.files() == files)
    }

    /// A null field counts as missing.
    @Test func nullIsNothing() throws {
        let (_, results) = try workspace.work([
            #"{"id":null,"input":"b.jpg","width":null,"output":"c.jpg","flip":null}"#
        ])
        #expect(results[0].status == "written" && results[0].id == nil && results[0].output == "c.jpg")
    }

    @Test func linesThatAreNoJobs() throws {
        let job = #"{"input":"b.jpg","output":"c.jpg","id":"last"}"#
        let lines = [
            "nonsense", "", "{\"input\":", "[1,2]", "  \t", "\"a.png\"", String(repeating: "[", count: 10_000), "{} {}",
            "\u{0}", job + "\r",
        ]
        let (outcome, results) = try workspace.work(lines)
        #expect(results.map(\.line) == [1, 3, 4, 6, 7, 8, 9, 10])
        #expect(results.dropLast().allSatisfy { $0.code == 64 && $0.error?.hasPrefix("the line is not ") == true })
        #expect(results[2].error == "the line is not a JSON object")
        // The last line is a job even without a newline.
        #expect(results.last?.id == "last" && results.last?.status == "written")
        #expect(outcome.status == 1 && outcome.errors == "")
    }

    @Test func linesThatAreNotUTF8() throws {
        let lines: [UInt8] = Array("{\"input\": \"".utf8) + [0xFF] + Array("\"}\n{\"input\": \"none.png\"}\n".utf8)
        let results = try WorkerObject.all(in: try workspace.texel("worker", input: lines))
        #expect(results.map(\.error) == ["the line is not UTF-8", "no such file"])
    }

    /// Lines that are too long are skipped, and the following ones are processed.
    @Test func tooLongLinesAreSkipped() throws {
        let long = "{\"input\": \"" + String(repeating: "x", count: 3 << 20) + "\"}"
        let (_, results) = try workspace.work([long, #"{"input":"b.jpg","output":"c.jpg"}"#, long])
        #expect(results.map(\.line) == [1, 2, 3] && results.map(\.status) == ["failed", "written", "failed"])
        #expect(results[0].error == "the line is longer than 1 MiB" && results[2].error == results[0].error)
    }

    @Test func exitCodeTellsWhetherAllJobsSucceeded() throws {
        let (bad, good) = (#"{"input":"none.jpg"}"#, #"{"input":"b.jpg","output":"c.jpg","overwrite":true}"#)
        #expect(try workspace.work([good]).0.status == 0)
        #expect(try workspace.work([good, bad]).0.status == 1)
        #expect(try workspace.work([good, bad], "--exit-zero").0.status == 0)
        #expect(try workspace.work([]).0.status == 0)
        try workspace.expectUsageError("worker", "--shard", "0/3", saying: "0/3")
        try workspace.expectUsageError("worker", "--shard", "4/3", saying: "4/3")
        try workspace.expectUsageError("worker", "--shard", "1", saying: "shard")
    }

    /// The worker's own flags are the defaults of its jobs.
    @Test func theWorkersLimits() throws {
        let lines = [#"{"input":"b.jpg","output":"c.jpg"}"#, #"{"input":"b.jpg","output":"d.jpg","limitSide":100}"#]
        let (_, results) = try workspace.work(lines, "--limit-side", "20")
        #expect(results[0].code == 69 && results[0].error?.contains("--limit-side") == true)
        #expect(results[1].status == "written")
    }
}
