import TestSupport
import Testing
import Texel
import TexelText

/// `--text` on images, in jobs, in recipe files and on frames. Drawing needs a font; those tests are skipped without
/// one.
@Suite struct TextFlagTests {
    static let hasFont = (try? TextOptions("x").rendered()) != nil

    private let workspace: Workspace
    private let gray = PixelColor(red: 100, green: 110, blue: 120)

    init() throws {
        workspace = try Workspace()
        try workspace.add(
            "a.png",
            try PixelBuffer(width: 120, height: 80, filledWith: gray.pixel, alphaMode: .opaque)
                .encoded(as: .png(PNGOptions(effort: .fast))))
    }

    private func result(_ flags: [String]) throws -> PixelBuffer {
        let outcome = try workspace.run(["resize", "a.png", "-o", "out.png", "--overwrite"] + flags)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return try workspace.image("out.png")
    }

    /// The flags are the options of the library.
    @Test(.enabled(if: hasFont)) func flagsAreOptions() async throws {
        let red = PixelColor(red: 255, green: 0, blue: 0)
        let navy = PixelColor(red: 0, green: 0, blue: 128)
        let halfBlack = PixelColor(red: 0, green: 0, blue: 0, alpha: 128)
        let cases: [([String], PixelOperation)] = [
            ([], try .text(TextOptions("Hi\nyou"))),
            (
                ["--text-size", "20", "--text-color", "red", "--text-font", "sans-serif"],
                try .text(TextOptions("Hi\nyou", font: "sans-serif", size: 20, color: red))
            ),
            (["--text-outline", "2"], try .text(TextOptions("Hi\nyou", outline: .init(width: 2)))),
            (
                ["--text-outline", "1.5,navy", "--text-align", "right"],
                try .text(TextOptions("Hi\nyou", outline: .init(width: 1.5, color: navy), alignment: .right))
            ),
            (
                ["--text-width", "40", "--text-background", "#00000080", "--text-align", "center"],
                try .text(TextOptions("Hi\nyou", width: 40, alignment: .center, background: halfBlack))
            ),
            (
                ["--text-gravity", "southeast", "--text-offset", "5,-3", "--text-opacity", "0.5"],
                try .text(TextOptions("Hi\nyou"), gravity: .southeast, offsetX: 5, offsetY: -3, opacity: 0.5)
            ),
            (
                ["--text-offset", "-5,3", "--text-blend", "difference", "--text-tile", "--text-spacing", "7"],
                try .text(TextOptions("Hi\nyou"), offsetX: -5, offsetY: 3, blendMode: .difference, tileSpacing: 7)
            ),
        ]
        let original = try workspace.bytes("a.png")
        for (flags, operation) in cases {
            let recipe = Recipe().appending(operation).encoding(as: .png)
            let expected = try decoded(try await Texel.process(original, with: recipe).bytes).image
            let drawn = try result(["--text", "Hi\\nyou"] + flags)
            expectPixelsEqual(drawn, expected, "\(flags)")
            #expect(drawn.pixels.contains { $0 != gray.pixel })
        }
    }

    /// Text keeps its size if the image is resized, because it is drawn last.
    @Test(.enabled(if: hasFont)) func textIsDrawnLast() throws {
        let text = ["--text", "x", "--text-gravity", "northwest"]
        let whole = try result(text + ["--crop", "60x40+0+0"])
        let resized = try result(text + ["--width", "60"])
        expectPixelsEqual(resized, whole)
        let blurred = try result(text + ["--width", "60", "--blur", "3"])
        expectPixelsEqual(blurred, whole)
    }

    @Test(.enabled(if: hasFont)) func jobsAndRecipeFiles() throws {
        let expected = try result([
            "--text", "a\\nb", "--text-size", "15", "--text-outline", "2,red", "--text-tile", "--text-spacing", "3",
            "--text-opacity", "0.7",
        ])
        let results = try workspace.work([
            "command": "resize", "input": "a.png", "output": "job.png", "text": "a\nb", "textSize": 15,
            "textOutline": "2,red", "textTile": true, "textSpacing": 3, "textOpacity": 0.7,
        ])
        #expect(results.first?.code == 0, "\(results)")
        expectPixelsEqual(try workspace.image("job.png"), expected)
        let file = """
            [resize]
            text-size = 15
            text-outline = "2,red"
            text-tile = true
            text-spacing = 3
            text-opacity = 0.7
            text = 'c'
            """
        try workspace.add("texel.toml", file.utf8)
        expectPixelsEqual(try result(["--text", "a\\nb"]), expected)
    }

    @Test(.enabled(if: hasFont)) func framesGetTheSameTextAsImages() throws {
        let flags = ["--text", "now", "--text-gravity", "south", "--text-outline", "1"]
        try workspace.add("f1.png", try workspace.bytes("a.png"))
        try workspace.add("f2.png", try workspace.bytes("a.png"))
        let outcome = try workspace.run(["frames", "f%d.png", "-o", "g%d.png"] + flags)
        try #require(outcome.status == 0, "\(outcome.errors)")
        let still = try result(flags)
        for name in ["g1.png", "g2.png"] { expectPixelsEqual(try workspace.image(name), still) }
    }

    /// Characters that no font has are a warning of each image, and one of a stream of frames.
    @Test(.enabled(if: hasFont)) func missingCharactersAreWarnings() throws {
        let flags = ["--text", "a\u{F1234}"]
        let warning = "no installed font has U+F1234; boxes were drawn instead"
        let outcome = try workspace.run(["resize", "a.png", "-o", "out.png"] + flags)
        #expect(outcome.status == 0 && outcome.errors == "texel: a.png: warning: \(warning)\n", "\(outcome.errors)")
        let report = try workspace.run(["compress", "a.png", "-o", "json.png", "--json"] + flags)
        #expect(report.text.contains("\"warnings\":[\"\(warning)\"]"), "\(report.text)")
        let frames = try workspace.run(["frames", "a.png", "-o", "g%d.png", "--stats", "none"] + flags)
        #expect(frames.status == 0 && frames.errors == "texel: a.png: warning: \(warning)\n", "\(frames.errors)")
    }

    /// Lines begin on the right in a script that runs from right to left, unless a side is named.
    @Test(.enabled(if: hasFont)) func alignmentFollowsTheScript() throws {
        func drawn(_ text: String, _ alignment: String?) throws -> PixelBuffer {
            try result(["--text", text, "--text-size", "20"] + (alignment.map { ["--text-align", $0] } ?? []))
        }
        for (text, start, end) in [("HHHHH\\nH", "left", "right"), ("אאאאא\\nא", "right", "left")] {
            let expected = try [start, end].map { try drawn(text, $0) }
            expectPixelsEqual(try drawn(text, nil), expected[0])
            expectPixelsEqual(try drawn(text, "start"), expected[0])
            expectPixelsEqual(try drawn(text, "end"), expected[1])
            #expect(expected[0] != expected[1])
        }
    }

    @Test(arguments: [
        (["--text-size", "20"], "--text-size requires --text"),
        (["--text-tile"], "--text-tile requires --text"),
        (["--text", "a", "--text-spacing", "3"], "--text-spacing requires --text-tile"),
        (["--text", ""], "--text"),
        (["--text", "a", "--text-size", "0"], "--text-size 0 is not between 1 and 10000"),
        (["--text", "a", "--text-outline", "0"], "--text-outline"),
        (["--text", "a", "--text-outline", "2,nocolor"], "--text-outline"),
        (["--text", "a", "--text-offset", "3"], "--text-offset"),
        (["--text", "a", "--text-opacity", "2"], "--text-opacity 2.0 is not between 0 and 1"),
        (["--text", "a", "--text-gravity", "attention"], "--text-gravity"),
        (["--text", "a", "--text-blend", "mix"], "--text-blend"),
        (["--text", "a", "--text-font", "No Such Family 7"], "--text-font: no font family named No Such Family 7"),
        (["--text", "a", "--text-font", "none.ttf"], "--text-font: none.ttf is not a usable font"),
    ])
    func wrongTextFlagsAreRefused(flags: [String], words: String) throws {
        for command in [["compress", "a.png"], ["frames", "a.png", "-o", "null"]] {
            let outcome = try workspace.run(command + flags)
            #expect(outcome.status == 64 && outcome.errors.contains(words), "\(outcome.errors)")
        }
    }

    @Test(.enabled(if: hasFont)) func textsThatAreTooLarge() throws {
        let outcome = try workspace.texel("compress", "a.png", "--text", "WWWW", "--text-size", "9000")
        #expect(outcome.status == 64 && outcome.errors.contains("--text: the text would take"), "\(outcome.errors)")
    }

    @Test func machinesWithoutFonts() throws {
        try workspace.add("fonts.conf", "<?xml version=\"1.0\"?><fontconfig></fontconfig>".utf8)
        let outcome = try workspace.texel(
            "compress", "a.png", "--text", "a", environment: ["FONTCONFIG_FILE": workspace.directory("fonts.conf")])
        #expect(outcome.status == 64 && outcome.errors.contains("install a font such as"), "\(outcome.errors)")
    }
}
