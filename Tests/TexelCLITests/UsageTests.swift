import TestSupport
import Testing
import Texel

/// Arguments that are refused before any file is opened, and the program's version.
@Suite struct UsageTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        try workspace.add("a.png", try Sample.png())
    }

    @Test(arguments: [
        (["resize", "a.png", "--width", "0"], "--width 0"),
        (["resize", "a.png", "--height", "-5"], "--height"),
        (["resize", "a.png", "--width", "many"], "--width"),
        (["resize", "a.png"], "Specify a size"),
        (["resize", "a.png", "--width", "9", "--scale", "50%"], "--scale"),
        (["resize", "a.png", "--scale", "0"], "--scale"),
        (["resize", "a.png", "--scale", "50"], "--scale 50 enlarges 50 times and requires --enlarge; to shrink"),
        (["resize", "a.png", "--scale", "1/0"], "--scale"),
        (["resize", "a.png", "--scale", "0.5/9223372036854775807"], "--scale"),
        (["resize", "a.png", "--crop", "0x5+1+1"], "--crop"),
        (["resize", "a.png", "--crop", "5"], "--crop"),
        (["resize", "a.png", "--trim", "--trim-tolerance", "256"], "--trim-tolerance 256"),
        (["resize", "a.png", "--trim", "--trim-background", "octarine"], "--trim-background"),
        (["resize", "a.png", "--width", "9", "--trim-tolerance", "3"], "--trim-tolerance requires --trim"),
        (["resize", "a.png", "--width", "9", "--trim-background", "red"], "--trim-background requires --trim"),
        (["resize", "a.png", "--width", "9", "--fit", "tight"], "--fit"),
        (["resize", "a.png", "--width", "9", "--filter", "magic"], "--filter"),
        (["compress", "a.png", "--quality", "101"], "--quality 101"),
        (["compress", "a.png", "--quality", "-5"], "--quality -5 is not between 1 and 100."),
        (["compress", "a.png", "-q", "-5"], "--quality -5 is not between 1 and 100."),
        (["compress", "a.png", "-q500"], "--quality 500 is not between 1 and 100."),
        (["compress", "a.png", "--frame", "-1"], "--frame \"-1\" is not a frame such as 3"),
        (["compress", "a.png", "--max-bytes", "-3"], "--max-bytes \"-3\" is not a number of bytes"),
        (["compress", "a.png", "--max-bytes", "1.2.3MB"], "--max-bytes \"1.2.3MB\" is not a number of bytes"),
        (["compress", "a.png", "--timeout", "1d"], "--timeout \"1d\" is not a time"),
        (["compress", "a.png", "--background", "rgb(1,2)"], "--background"),
        (["compress", "a.png", "--colors", "1"], "--colors 1"),
        (["compress", "a.png", "--colors", "257"], "--colors 257"),
        (["compress", "a.png", "--colors", "16", "-f", "jpeg"], "--colors"),
        (["compress", "a.png", "-q", "0"], "--quality 0"),
        (["compress", "a.png", "-f", "webp", "--near-lossless", "101"], "--near-lossless 101"),
        (["compress", "a.png", "-f", "webp", "--alpha-quality", "101"], "--alpha-quality 101"),
        (
            ["compress", "a.png", "-f", "webp", "--near-lossless", "60", "-q", "50"],
            "--near-lossless cannot be combined"
        ),
        (["compress", "a.png", "-f", "webp", "--near-lossless", "60", "--lossless"], "Use only one of --lossless, "),
        (["compress", "a.png", "-f", "tga"], "tga"),
        (["compress", "a.png", "--metadata", "some"], "--metadata"),
        (["compress", "a.png", "--background", "octarine"], "--background"),
        (["compress", "a.png", "--density", "0"], "--density 0 is not between 1 and 65535"),
        (["compress", "a.png", "--density", "65536"], "--density 65536"),
        (["compress", "a.png", "--nonsense"], "--nonsense"),
        (["compress", "a.png", "--jobs", "0"], "--jobs 0"),
        (["compress", "a.png", "--memory", "lots"], "--memory"),
        (["compress", "a.png", "--limit-pixels", "0"], "--limit-pixels 0"),
        (["compress", "a.png", "--timeout", "-1"], "--timeout"),
        (["compress", "a.png", "-o", ""], "--output is empty"),
        (["compress", "a.png", "-o", "{nonsense}.png"], "{nonsense}"),
        (["compress", "a.png", "b.png", "-o", "-"], "Standard output"),
        (["compress", "a.png", "b.png", "-o", "c.png"], "several inputs"),
        (["compress", "a.png", "--in-place", "-o", "b.png"], "--in-place"),
        (["compress", "-", "--in-place"], "standard input"),
        (["compress", "a.png", "--in-place", "-f", "jpeg"], "--in-place"),
        (["compress", "a.png", "-o", "%03d.png"], "which \"texel frames\" writes; name one file"),
        (["compress", "a.png", "b.png", "-o", "/dev/stdout"], "Standard output takes one image"),
        (["compress", "a.png", "-f", "auto"], "--format \"auto\" is not extension, "),
        (["compress"], "inputs"),
        (["rotate", "a.png", "--no-auto-orient"], "Specify a rotation"),
        (["resize", "a.png", "--no-auto-orient"], "or an operation such as --crop"),
        (["rotate", "a.png", "--angle", "north"], "--angle"),
        (["rotate", "a.png", "--angle", "nan"], "--angle"),
        (["rotate", "a.png", "--angle"], "--angle"),
        (["rotate", "a.png", "--flip", "d"], "--flip"),
        (["nonsense", "a.png"], "nonsense"),
    ])
    func invalidCallsAreRefusedBeforeWriting(arguments: [String], words: String) throws {
        let before = try workspace.files()
        let outcome = try workspace.run(arguments)
        #expect(outcome.status == 64, "\(arguments): \(outcome.errors)")
        #expect(outcome.text == "")
        #expect(outcome.errorLines.first?.hasPrefix("Error: ") ?? false, "\(outcome.errors)")
        #expect(outcome.errors.contains(words), "\(outcome.errors)")
        #expect(try workspace.files() == before)
    }

    /// The parser would take the last one.
    @Test(arguments: [
        (["compress", "a.png", "--overlay", "a.png", "--overlay", "b.png"], "--overlay"),
        (["compress", "a.png", "--text", "a", "--border", "3", "--text=b"], "--text"),
        (["resize", "a.png", "--width", "9", "-w", "8"], "--width"),
        (["compress", "a.png", "-q50", "--quality", "60"], "--quality"),
        (["compress", "a.png", "-q", "50", "-q", "50"], "--quality"),
        (["compress", "a.png", "-o", "b.png", "-o", "c.png"], "--output"),
        (["compress", "a.png", "-o", "-", "-o", "c.png"], "--output"),
        (["rotate", "a.png", "--angle", "-9", "--angle=-8"], "--angle"),
        (["frames", "pattern:8x8", "-o", "null", "--every", "2", "--every", "3"], "--every"),
        (["worker", "-j1", "--jobs", "2"], "--jobs"),
    ])
    func repeatedOptionsAreRefused(arguments: [String], name: String) throws {
        let before = try workspace.files()
        let outcome = try workspace.run(arguments)
        #expect(outcome.status == 64 && outcome.text == "")
        #expect(outcome.errors.hasPrefix("Error: \(name) is given twice, but has one value"), "\(outcome.errors)")
        #expect(try workspace.files() == before)
    }

    /// A repetition without a value changes nothing, and a value may look like an option.
    @Test func repetitionsThatAreHarmless() throws {
        for flags in [["--json", "--json"], ["--text", "-q", "-q", "50"], ["-q", "50", "--", "-q"]] {
            let outcome = try workspace.run(["compress", "a.png", "-o", "b/", "--overwrite"] + flags)
            #expect(!outcome.errors.contains("given twice"), "\(outcome.errors)")
        }
    }

    /// Every short name of an option with a value is another spelling of its long one.
    @Test func shortNamesEqualTheirLongNames() throws {
        for command in ["compress", "resize", "rotate", "watch", "frames", "sheet", "tile", "duplicates", "worker"] {
            let help = try workspace.texel("help", command, "--all").text
            for line in help.split(separator: "\n") {
                let words = line.split { " ,".contains($0) }
                guard words.count > 2, words[0].count == 2, words[1].hasPrefix("--"), words[2].hasPrefix("<") else {
                    continue
                }
                let outcome = try workspace.texel(command, String(words[0]), "1", String(words[1]), "2")
                #expect(outcome.errors.contains("\(words[1]) is given twice"), "\(command) \(line)")
            }
        }
    }

    @Test(arguments: ["out.psd", "out.SVG", "out.exr", "out.bmp", "out.QOI"]) func formatsThatAreNotWritten(
        name: String
    ) throws {
        try workspace.expectFailure(
            "compress", "a.png", "-o", name, status: 64, naming: "a.png", saying: "Texel writes PNG")
    }

    @Test(arguments: [["--help"], ["help", "resize"], ["compress", "--help"], ["--version"], []])
    func helpIsPrintedWithoutError(arguments: [String]) throws {
        let outcome = try workspace.run(arguments)
        #expect(outcome.status == 0)
        #expect(outcome.text.contains(arguments == ["--version"] ? "texel 0." : "USAGE: texel"))
        #expect(outcome.errors == "")
    }

    @Test func versionNamesLevelAndLibraries() throws {
        let short = try workspace.texel("--version").lines
        #expect(short.count == 1)
        for level in ProcessorLevel.allCases where level.isAvailable {
            let outcome = try workspace.texel("--version", "-v", environment: ["TEXEL_CPU": level.rawValue])
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.lines.first == short.first)
            #expect(outcome.lines.contains("processor level \(level.rawValue)"), "\(outcome.text)")
        }
        let lines = try workspace.texel("-v", "--version").lines
        for library in [
            "libjpeg-turbo ", "libpng 1.", "libdeflate ", "ISA-L ", "zlib ", "Little CMS 2.", "libsodium ",
            "libseccomp 2.",
        ] {
            #expect(lines.contains { $0.hasPrefix(library) && $0.last?.isNumber == true }, "\(lines)")
        }
    }

    @Test(arguments: ["bash", "zsh", "fish"]) func completionScriptsNameTheFlags(shell: String) throws {
        let outcome = try workspace.texel("--generate-completion-script", shell)
        #expect(outcome.status == 0)
        #expect(outcome.text.contains("texel") && outcome.text.contains("limit-pixels"))
    }
}
