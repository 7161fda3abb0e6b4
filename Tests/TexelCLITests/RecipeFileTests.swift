import Foundation
import PlatformLibc
import TestSupport
import Testing
import Texel

/// Shared flags in a file.
@Suite struct RecipeFileTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        try workspace.add("a.jpg", try Sample.jpeg())
    }

    private func file(_ text: String, at name: String = "texel.toml") throws { try workspace.add(name, text.utf8) }

    /// Runs two calls whose outputs must be equal.
    private func expectSame(
        _ arguments: [String], as others: [String], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        var bytes: [[UInt8]] = []
        for (index, arguments) in [arguments, others].enumerated() {
            let name = "result\(index).jpg"
            let outcome = try workspace.run(arguments + ["-o", name, "--overwrite"])
            #expect(outcome.status == 0, "\(outcome.errors)", sourceLocation: sourceLocation)
            bytes.append(try workspace.bytes(name))
        }
        #expect(bytes[0] == bytes[1], sourceLocation: sourceLocation)
    }

    /// A pipe that the user names is read; one that happens to have the default name is not, as it might never end.
    @Test func recipePipesAreReadOnlyIfNamed() throws {
        try #require(mkfifo(workspace.directory("texel.toml"), 0o600) == 0)
        #expect(try workspace.texel("compress", "a.jpg", "-o", "default.jpg").status == 0)
        try #require(mkfifo(workspace.directory("flags"), 0o600) == 0)
        let pipe = workspace.directory("flags")
        let writer = Thread {
            // Opening waits for the reader.
            try? Data("quality = 35".utf8).write(to: URL(fileURLWithPath: pipe), options: [])
        }
        writer.start()
        #expect(try workspace.texel("compress", "a.jpg", "--recipe", "flags", "-o", "35.jpg").status == 0)
        #expect(try workspace.texel("compress", "a.jpg", "-q", "35", "-o", "same.jpg").status == 0)
        #expect(try workspace.bytes("35.jpg") == workspace.bytes("same.jpg"))
    }

    @Test func flagsOfAFile() throws {
        try file(
            """
            # What our site wants.
            quality = 3_5   # coarse
            "subsampling" = '444'

            [resize]
            width = 10
            linear = true
            progressive = true
            [ rotate ]
            angle = -90
            flip = "h"\r
            auto-orient = false
            """)
        try expectSame(
            ["compress", "a.jpg"], as: ["compress", "a.jpg", "--no-recipe", "-q", "35", "--subsampling", "444"])
        try expectSame(
            ["resize", "a.jpg"],
            as: [
                "resize", "a.jpg", "--no-recipe", "-q", "35", "--subsampling", "444", "--width", "10", "--linear",
                "--progressive",
            ])
        try expectSame(
            ["rotate", "a.jpg"],
            as: [
                "rotate", "a.jpg", "--no-recipe", "-q", "35", "--subsampling", "444", "--angle", "-90", "--flip", "h",
                "--no-auto-orient",
            ])
        // Other commands ignore the file.
        #expect(try workspace.texel("info", "a.jpg").status == 0)
    }

    @Test func trimOfAFile() throws {
        try file("trim = true\ntrim-tolerance = 70\ntrim-background = \"black\"\nwidth = 20")
        try expectSame(
            ["resize", "a.jpg"],
            as: [
                "resize", "a.jpg", "--no-recipe", "--trim", "--trim-tolerance", "70", "--trim-background", "black",
                "--width", "20",
            ])
    }

    @Test func theCommandLineCountsMore() throws {
        try file("quality = 35\nprogressive = true\nheight = 7\n[compress]\nquality = 40", at: "team.toml")
        let plain = ["compress", "a.jpg", "--no-recipe"]
        let shared = ["compress", "a.jpg", "--recipe", "team.toml"]
        try expectSame(shared, as: plain + ["-q", "40", "--progressive", "--height", "7"])
        try expectSame(shared + ["--quality", "90"], as: plain + ["-q", "90", "--progressive", "--height", "7"])
        try expectSame(shared + ["--baseline"], as: plain + ["-q", "40", "--baseline", "--height", "7"])
        try expectSame(shared + ["--scale=50%"], as: plain + ["-q", "40", "--progressive", "--scale", "50%"])
        // One file at a time: the named one.
        try file("quality = 1")
        try expectSame(shared, as: plain + ["-q", "40", "--progressive", "--height", "7"])
    }

    /// A flag on the command line overrides contradicting flags of the file, and those that require them.
    @Test(arguments: [
        ("target-score = 60", ["-q", "35"], ["-q", "35"]),
        ("target-score = 60", ["--quality=35"], ["-q", "35"]),
        ("target-score = 60\nbest-effort = true", ["-q", "35"], ["-q", "35"]),
        ("quality = 35", ["--target-score", "50"], ["--target-score", "50"]),
        (
            "target-score = 60\nmax-bytes = 900\nbest-effort = true", ["-q", "35"],
            ["-q", "35", "--max-bytes", "900", "--best-effort"]
        ),
        ("colors = 16", ["-f", "jpg"], ["-f", "jpeg"]),
        ("colors = 16", ["--format=jpeg"], ["-f", "jpeg"]),
        ("colors = 16", ["--lossless"], ["--lossless"]),
        ("lossless = true", ["-q", "35"], ["-q", "35"]),
        ("near-lossless = 60", ["-q", "35"], ["-q", "35"]),
        ("lossless = true\nmax-bytes = 900", ["-q", "35"], ["-q", "35", "--max-bytes", "900"]),
        (
            "subsampling = 444\nauto-orient = false", ["--subsampling", "420", "--auto-orient"],
            ["--subsampling", "420"]
        ),
        ("scale = 2\nenlarge = true", [], ["--scale", "2", "--enlarge"]),
        ("scale = 0.5", ["--metadata", "color"], ["--scale", "50%"]),
        // The flags of a table override those above the tables.
        ("quality = 35\n[compress]\ntarget-score = 60", [], ["--target-score", "60"]),
        ("scale = \"50%\"\n[compress]\nwidth = 12", [], ["--width", "12"]),
        ("quality = 35\n[compress]\nlossless = true", [], ["--lossless"]),
        ("no-auto-orient = true\n[compress]\nauto-orient = true", [], []),
    ])
    func flagsOverrideContradictingRecipeKeys(text: String, flags: [String], meaning: [String]) throws {
        try file(text)
        try expectSame(["compress", "a.jpg"] + flags, as: ["compress", "a.jpg", "--no-recipe"] + meaning)
    }

    @Test func formatsOfAFile() throws {
        try file("format = \"jpeg\"")
        try workspace.add("b.png", try Sample.png())
        #expect(try workspace.texel("compress", "b.png", "--in-place").status == 0)
        #expect(try workspace.texel("compress", "b.png", "--colors", "4", "-o", "c.png").status == 0)
        #expect(try workspace.info("c.png").format == .png)
        // The file must be valid on its own.
        try file("best-effort = true")
        try workspace.expectUsageError("compress", "a.jpg", saying: "--best-effort")
    }

    @Test func eachListedWidthMakesAFile() throws {
        try file("[resize]\nwidth = [6, 12,]")
        #expect(try workspace.texel("resize", "a.jpg", "-o", "out/").status == 0)
        #expect(try workspace.files().filter { $0.hasPrefix("out/") } == ["out/a-12w.jpg", "out/a-6w.jpg"])
    }

    @Test(arguments: [
        ("widht = 3", 1, "unknown flag widht"),
        ("\n\nquality = \"x\"", 3, "quality \"x\" is not an integer"),
        ("quality = 7.5", 1, "quality 7.5 is not an integer"),
        ("quality = true", 1, "quality true is not an integer"),
        ("quality = 500", 1, "quality 500 is not between 1 and 100"),
        ("quality = [1]", 1, "quality is not an integer"),
        ("quality = 012", 1, "\"012\" is not a quoted string"),
        ("quality = +", 1, "\"+\" is not a quoted string"),
        ("quality = 1__2", 1, "\"1__2\" is not a quoted string"),
        ("quality = 0x20", 1, "\"0x20\" is not a quoted string"),
        ("quality =", 1, "\"\" is not a quoted string"),
        ("quality 3", 1, "expected = after quality"),
        ("quality = 3 4", 1, "unexpected \"4\""),
        ("quality = 3\nquality = 4", 2, "duplicate key quality"),
        ("max-bytes = \"lots\"", 1, "max-bytes \"lots\" is not a number of bytes"),
        ("linear = 1", 1, "linear 1 is not true or false"),
        ("width = [1, \"x\"]", 1, "a list must contain integers only"),
        ("width = [6, 6]", 1, "width is not a list of different integers"),
        ("width = [6", 1, "expected ] after the list"),
        ("width = [6, 0]", 1, "width 0 is not between"),
        ("width = \"6\"", 1, "width \"6\" is not an integer"),
        ("scale = .5", 1, "\".5\" is not a quoted string"),
        ("scale = 5.", 1, "\"5.\" is not a quoted string"),
        ("scale = 1e", 1, "\"1e\" is not a quoted string"),
        ("scale = 1e999", 1, "\"1e999\" is not a quoted string"),
        ("limit-pixels = 99999999999999999999", 1, "limit-pixels 1e+20 is not an integer"),
        (
            "quality = 3\n[resize]\nprogressive = true\nbaseline = true", 4,
            "progressive and baseline exclude each other"
        ),
        ("isolate = true", 1, "isolate cannot be set in a recipe file"),
        ("debounce = 2", 1, "debounce cannot be set in a recipe file"),
        ("width = 0", 1, "width 0 is not between"),
        ("effort = \"fast", 1, "unterminated string"),
        ("effort = \"f\\qast\"", 1, "unknown escape \\q"),
        ("effort = \"\\uD800\"", 1, "unknown escape \\u"),
        ("output = \"b.jpg\"", 1, "output cannot be set in a recipe file"),
        ("in-place = true", 1, "in-place cannot be set in a recipe file"),
        ("[compres]", 1, "[compres] is not one of [compress], [resize], [rotate]"),
        ("[compress]\n[compress]", 2, "duplicate table [compress]"),
        ("[compress", 1, "expected ] after the table's name"),
        ("a.b = 3", 1, "expected = after a"),
        ("= 3", 1, "\"= 3\" is not a valid key"),
        ("date = 2026-11-21", 1, "\"2026-11-21\" is not a quoted string"),
    ]) func filesThatMakeNoSense(text: String, line: Int, message: String) throws {
        try file(text)
        try workspace.expectFailure(
            "compress", "a.jpg", status: 64, naming: "texel.toml:\(line)", saying: message)
    }

    /// A megabyte of keys; a quadratic check for duplicates would take minutes.
    @Test func aHundredThousandKeys() throws {
        let count = 100_000
        try file((0..<count).map { "a\($0)=0" }.joined(separator: "\n") + "\na0=0")
        try workspace.expectFailure(
            "compress", "a.jpg", status: 64, naming: "texel.toml:\(count + 1)", saying: "duplicate key a0")
    }

    @Test func filesThatCannotBeRead() throws {
        try workspace.expectFailure(
            "compress", "a.jpg", "--recipe", "none.toml", status: 66, naming: "none.toml",
            saying: "no such file")
        try workspace.expectFailure(
            "compress", "a.jpg", "--recipe=.", status: 66, naming: ".", saying: "cannot be read")
        try workspace.add("bytes.toml", [0xFF, 0xFE, 0x00])
        try workspace.expectFailure(
            "compress", "a.jpg", "--recipe", "bytes.toml", status: 64, naming: "bytes.toml", saying: "UTF-8")
        // The argument after two dashes is a file name.
        try workspace.expectFailure(
            "compress", "--", "--recipe", status: 66, naming: "--recipe", saying: "no such file")
    }
}
