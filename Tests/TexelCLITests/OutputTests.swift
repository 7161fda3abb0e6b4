import Foundation
import TestSupport
import Testing
import Texel

/// Where results are written, and which files must not be changed.
@Suite struct OutputTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        try workspace.add("a.jpg", try Sample.jpeg())
    }

    // MARK: Outputs that cannot be written

    /// Missing directories of outputs are created, however the output is named.
    @Test(arguments: [
        ["compress", "a.jpg", "-o", "x/y/a.jpg"], ["compress", "a.jpg", "-o", "x/y/{name}.jpg"],
        ["compress", "a.jpg", "-o", "x/y/"], ["sheet", "a.jpg", "-o", "x/y/a.jpg", "--no-captions"],
        ["compare", "a.jpg", "a.jpg", "--heatmap", "x/y/a.jpg"],
        ["frames", "a.jpg", "--frames", "1", "-o", "x/y/a.jpg"],
    ])
    func missingDirectoriesAreCreated(arguments: [String]) throws {
        let outcome = try workspace.run(arguments)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try workspace.files().contains("x/y/a.jpg"))
    }

    /// The report must not follow the image.
    @Test(arguments: ["-", "/dev/stdout", "/dev/fd/1"]) func reportIsWrittenToStandardError(name: String) throws {
        let outcome = try workspace.texel("resize", "a.jpg", "--width", "9", "-o", name)
        #expect(outcome.status == 0 && outcome.errors.contains("9×"), "\(outcome.errors)")
        #expect(outcome.output.suffix(2) == [0xFF, 0xD9])
    }

    @Test func directoryThatIsAFile() throws {
        try workspace.add("b.jpg", try Sample.jpeg())
        try workspace.add("file", [])
        let outcome = try workspace.texel("compress", "a.jpg", "b.jpg", "-o", "file")
        #expect(outcome.status == 1)
        #expect(try workspace.bytes("file").isEmpty)
        try workspace.expectFailure(
            "compress", "a.jpg", "-o", "file/", status: 73, naming: "a.jpg", saying: "cannot create")
    }

    #if os(Linux)
        @Test func fullDisksAreReported() throws {
            try workspace.expectFailure(
                "compress", "a.jpg", "-o", "/dev/full", status: 74, naming: "a.jpg", saying: "cannot write")
        }
    #endif

    @Test func existingOutputsAreReplacedOnlyOnRequest() throws {
        try workspace.add("out.jpg", "precious".utf8)
        try workspace.expectFailure(
            "compress", "a.jpg", "-o", "out.jpg", status: 73, naming: "a.jpg", saying: "--overwrite")
        try workspace.add("a-texel.jpg", "precious".utf8)
        try workspace.expectFailure("compress", "a.jpg", status: 73, naming: "a.jpg", saying: "--overwrite")

        #expect(try workspace.texel("compress", "a.jpg", "-o", "out.jpg", "--overwrite").status == 0)
        #expect(try workspace.image("out.jpg").size == Sample.size)
        #expect(try workspace.files() == ["a-texel.jpg", "a.jpg", "out.jpg"])
    }

    @Test(arguments: [[], ["--overwrite"]]) func inputAsOutput(flags: [String]) throws {
        let manager = FileManager.default
        try manager.createSymbolicLink(atPath: workspace.directory("symbolic.jpg"), withDestinationPath: "a.jpg")
        try manager.linkItem(atPath: workspace.directory("a.jpg"), toPath: workspace.directory("hard.jpg"))
        for name in ["a.jpg", "./a.jpg", "symbolic.jpg", "hard.jpg"] {
            let before = try workspace.directory.contents()
            let outcome = try workspace.run(["compress", "a.jpg", "-o", name] + flags)
            #expect(outcome.status == 73)
            #expect(outcome.errors.contains("--in-place"), "\(outcome.errors)")
            #expect(try workspace.directory.contents() == before)
        }
    }

    /// Even with `--overwrite`, a result must not replace an image that the same call has yet to read.
    @Test func anotherInputAsOutput() throws {
        let png = try Sample.png()
        try workspace.add("a.png", png)
        let outcome = try workspace.texel(
            "compress", "a.jpg", "a.png", "-f", "png", "-o", ".", "--overwrite", "-j", "1")
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("a.png is also an input"), "\(outcome.errors)")
        #expect(try workspace.bytes("a.png") == png)
        // The manifest remains, so that the batch can be resumed.
        #expect(try workspace.files() == [".texel-manifest", "a.jpg", "a.png", "a.png.png"])
    }

    // MARK: Names

    @Test func besideTheInput() throws {
        try workspace.add("deep/b.png", try Sample.png())
        #expect(try workspace.texel("compress", "a.jpg", "deep/b.png").status == 0)
        #expect(try workspace.files() == ["a-texel.jpg", "a.jpg", "deep/b-texel.png", "deep/b.png"])
    }

    @Test func theOutputsExtensionDecides() throws {
        #expect(try workspace.texel("compress", "a.jpg", "-o", "a.PNG").status == 0)
        #expect(try workspace.info("a.PNG").format == .png)
    }

    @Test func explicitFormatOverridesExtensionWithWarning() throws {
        let outcome = try workspace.texel("compress", "a.jpg", "-o", "b.png", "-f", "jpeg")
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains("warning: b.png has the extension .png but contains a JPEG"))
        #expect(try workspace.info("b.png").format == .jpeg)
    }

    @Test func inputExtensionThatLies() throws {
        try workspace.add("really.jpg", try Sample.png())
        let outcome = try workspace.texel("compress", "really.jpg")
        #expect(outcome.status == 0)
        let warning = "warning: really.jpg has the extension .jpg but contains a PNG"
        #expect(outcome.errors.contains(warning), "\(outcome.errors)")
        #expect(try workspace.info("really-texel.png").format == .png)
        // In place, it is also the extension of the output.
        let replaced = try workspace.texel("compress", "really.jpg", "--in-place")
        #expect(replaced.status == 0)
        #expect(replaced.errors.components(separatedBy: warning).count == 2, "\(replaced.errors)")
    }

    @Test func treeIsMirrored() throws {
        for name in ["in/b.jpg", "in/deep/c.png", "in/deep/er/d.jpeg"] {
            try workspace.add(name, try name.hasSuffix("png") ? Sample.png() : Sample.jpeg())
        }
        try workspace.add("in/notes.txt", "no picture".utf8)
        try workspace.add("in/.hidden.jpg", try Sample.jpeg())
        let outcome = try workspace.texel("compress", "in", "-r", "-o", "out")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let written = try workspace.files().filter { $0.hasPrefix("out/") }
        #expect(written == ["out/b.jpg", "out/deep/c.png", "out/deep/er/d.jpeg"])
    }

    @Test func quotedPatternsAreExpanded() throws {
        try workspace.add("b.jpg", try Sample.jpeg())
        try workspace.add("c.png", try Sample.png())
        #expect(try workspace.texel("compress", "?.jp*g", "-o", "out").status == 0)
        #expect(try workspace.files() == ["a.jpg", "b.jpg", "c.png", "out/a.jpg", "out/b.jpg"])
    }

    /// An existing name with brackets is not treated as a pattern.
    @Test func bracketsInANameThatExists() throws {
        try workspace.add("b[1].jpg", try Sample.jpeg())
        try workspace.add("b1.jpg", try Sample.png())
        #expect(try workspace.texel("info", "b[1].jpg").text.contains("JPEG"))
    }

    @Test func templatesNameOutputs() throws {
        try workspace.add("deep/b.png", try Sample.png())
        let outcome = try workspace.texel(
            "resize", "a.jpg", "deep/b.png", "--width", "12", "-o", "{dir}/small/{name}-{width}x{height}.{ext}")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(
            try workspace.files() == ["a.jpg", "deep/b.png", "deep/small/b-12x8.png", "small/a-12x8.jpg"])
    }

    @Test func resultsOfEarlierCallsAreNotInputs() throws {
        try workspace.add("deep/b.png", try Sample.png())
        #expect(try workspace.texel("compress", ".", "-r").status == 0)
        let before = try workspace.directory.contents()
        let again = try workspace.texel("compress", ".", "-r")
        #expect(again.status == 1 && again.errors.contains("texel: skipped 2 results of an earlier call\n"))
        #expect(again.errorLines.count { $0.hasSuffix("already exists; replace it with --overwrite") } == 2)
        #expect(try workspace.directory.contents() == before)
        #expect(try workspace.texel("compress", ".", "-r", "--overwrite").status == 0)
        #expect(try workspace.directory.contents().keys.sorted() == before.keys.sorted())
        // A file that the user named is processed.
        #expect(try workspace.texel("compress", "a-texel.jpg").status == 0)
        #expect(try workspace.files().contains("a-texel-texel.jpg"))
    }

    /// Results of several widths are not inputs of the next call for several; for others they may be.
    @Test func secondCallsForWidths() throws {
        for name in ["p-12w.jpg", "q-w.jpg", "r-x8w.jpg"] { try workspace.add("deep/\(name)", try Sample.jpeg()) }
        #expect(try workspace.texel("resize", ".", "-r", "--width", "8,12").status == 0)
        let before = try workspace.directory.contents()
        #expect(before.keys.contains("a-8w.jpg") && before.keys.contains("deep/p-12w-12w.jpg"))
        let again = try workspace.texel("resize", ".", "-r", "--width", "8,12", "--overwrite")
        #expect(again.status == 0 && again.errors == "texel: skipped 8 results of an earlier call\n")
        #expect(try workspace.directory.contents() == before)
        #expect(try workspace.texel("compress", ".", "-r").status == 0)
        #expect(try workspace.files().contains("a-8w-texel.jpg"))
    }

    /// A terminal gets an image only if the user insists.
    @Test(arguments: [["-o", "-"], ["--output=-"], ["--output", "-"]]) func outputToATerminal(output: [String]) throws {
        let refused = try PseudoTerminal.run(["compress", "a.jpg"] + output, in: workspace)
        #expect(refused.status == 64 && refused.text == "", "\(refused.text)")
        let insisting = try PseudoTerminal.run(["compress", "a.jpg"] + output + output, in: workspace)
        #expect(insisting.status == 0 && insisting.text.utf8.count > 100)
        let frames = try PseudoTerminal.run(["frames", "a.jpg"] + output, in: workspace)
        #expect(frames.status == 64 && frames.text == "", "\(frames.text)")
    }

    /// Inputs of one name are told apart, and an output of another name than usual is announced.
    @Test func linesOfSharedNames() throws {
        for name in ["x/p.jpg", "y/p.jpg", "y/q.jpg"] { try workspace.add(name, try Sample.jpeg()) }
        let outcome = try workspace.texel("compress", "x/p.jpg", "y/p.jpg", "y/q.jpg", "-o", "out")
        let names = outcome.lines.dropLast().map { $0.split(separator: "  ")[0] }
        #expect(names == ["x/p.jpg", "y/p.jpg → out/p.jpg.jpg", "q.jpg"], "\(outcome.text)")
        try workspace.add("y/q.png", try Sample.png())
        let formats = try workspace.texel("compress", "y/q.jpg", "y/q.png", "-f", "png")
        #expect(formats.lines.first?.hasPrefix("q.jpg  ") ?? false, "\(formats.text)")
        #expect(formats.lines.dropFirst().first?.hasPrefix("q.png → y/q-texel.png.png  ") ?? false, "\(formats.text)")
    }

    /// The extension of a template determines the format, like that of a plain name.
    @Test func extensionsOfTemplates() throws {
        try workspace.add("deep/b.png", try Sample.png())
        let template = "{name}-t.jpg"
        #expect(try workspace.texel("compress", "deep/b.png", "-o", template).status == 0)
        #expect(try workspace.info("b-t.jpg").format == .jpeg)
        #expect(try workspace.texel("resize", "deep/b.png", "--width", "8,9", "-o", "{name}-{width}.JPEG").status == 0)
        #expect(try workspace.info("b-8.JPEG").format == .jpeg && workspace.info("b-9.JPEG").format == .jpeg)
        #expect(try workspace.texel("compress", "-", "-o", "{name}.png", input: Sample.jpeg()).status == 0)
        #expect(try workspace.info("stdin.png").format == .png)
        // With an unknown extension the format follows the image; --format has precedence over all extensions.
        #expect(try workspace.texel("compress", "deep/b.png", "-o", "{name}.image").status == 0)
        #expect(try workspace.info("b.image").format == .png)
        let warned = try workspace.texel("compress", "deep/b.png", "-f", "png", "-o", "{name}-w.jpg")
        #expect(warned.status == 0 && warned.errors.contains("has the extension .jpg but contains a PNG"))
        for name in ["{name}-t.psd", "{dir}/{name}.SVG", "{name}-{width}.exr"] {
            try workspace.expectFailure(
                "compress", "a.jpg", "-o", name, status: 64, naming: "a.jpg", saying: "Texel writes PNG")
        }
    }

    /// Results of files whose format is only read have another one.
    @Test func formatsThatAreOnlyRead() throws {
        let pixel: [UInt8] = [0, 0, 0, 1, 0, 0, 0, 1, 3, 0, 0xC0, 0, 0, 0, 0, 0, 0, 0, 1]
        try workspace.add("dot.qoi", Array("qoif".utf8) + pixel)
        #expect(try workspace.texel("compress", "dot.qoi", "-o", "dot.png").status == 0)
        #expect(try workspace.info("dot.png").format == .png)
        #expect(try workspace.texel("resize", "dot.qoi", "--width", "1", "-f", "ppm").status == 0)
        #expect(try workspace.info("dot-texel.ppm").coding == "PGM, raw")
        // Without a choice, the result is a PNG, which loses nothing either.
        #expect(try workspace.texel("compress", "dot.qoi").status == 0)
        #expect(try workspace.info("dot-texel.png").format == .png)
        try workspace.expectFailure(
            "resize", "dot.qoi", "--width", "2", "--enlarge", "--in-place", status: 64, naming: "dot.qoi",
            saying: "cannot write dot.qoi: Texel writes PNG")
    }

    @Test(arguments: ["out/", "out/{name}.{ext}"]) func collidingOutputsGetDifferentNames(output: String) throws {
        try workspace.add("a.png", try Sample.png())
        try workspace.add("other/a.png", try Sample.png())
        let outcome = try workspace.texel(
            "compress", "other/a.png", "a.png", "a.jpg", "-f", "png", "-o", output, "--json")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let outputs = try ResultObject.all(in: outcome).map { [$0.input, $0.output] }
        #expect(
            outputs == [
                ["other/a.png", "out/a.png-2.png"], ["a.png", "out/a.png.png"], ["a.jpg", "out/a.png"],
            ])
    }

    @Test func oneOutputForAll() throws {
        try workspace.add("b.jpg", try Sample.jpeg())
        let outcome = try workspace.texel("compress", "a.jpg", "b.jpg", "-o", "{dir}/same.jpg")
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("another input has the same output"))
        #expect(try workspace.files() == ["a.jpg", "b.jpg", "same.jpg"])
    }

    // MARK: Streams

    @Test func dashWritesToStandardOutput() throws {
        let outcome = try workspace.texel("resize", "a.jpg", "--width", "10", "-o", "-")
        #expect(outcome.status == 0)
        #expect(try decoded(outcome.output).image.width == 10)
        #expect(outcome.errors.contains("a.jpg  ") && outcome.errors.contains("10×7"))
        #expect(try workspace.files() == ["a.jpg"])
    }

    @Test func dashReadsFromStandardInput() throws {
        let png = try Sample.png()
        let stream = try workspace.texel("compress", "-", input: png)
        #expect(stream.status == 0)
        #expect(try ImageFormat(sniffing: stream.output) == .png)

        #expect(try workspace.texel("compress", "-", "-o", "b.jpg", input: png).status == 0)
        #expect(try workspace.info("b.jpg").format == .jpeg)
        // The name depends on the content.
        #expect(try workspace.texel("compress", "-", "-o", "out/", input: png).status == 0)
        #expect(try workspace.texel("compress", "-", "-o", "{name}-{width}.{ext}", input: png).status == 0)
        #expect(try workspace.files() == ["a.jpg", "b.jpg", "out/stdin.png", "stdin-48.png"])
        #expect(try workspace.texel("info", "-", input: png).text.hasPrefix("-: PNG, 48×32"))
    }

    #if os(Linux)
        /// Identifying the format must not consume the first bytes of a pipe.
        @Test func pipeAsInput() throws {
            let outcome = try workspace.texel("compress", "/dev/stdin", "-o", "out/", input: try Sample.png())
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(try workspace.files() == ["a.jpg", "out/stdin.png"])
        }
    #endif

    @Test func deviceAsOutput() throws {
        #expect(try workspace.texel("compress", "a.jpg", "-o", "/dev/null").status == 0)
    }

    @Test func namedPipeAsOutput() throws {
        #expect(mkfifo(workspace.directory("pipe"), 0o600) == 0)
        // Opened for reading and writing, so that neither side blocks; the image fits into the pipe.
        let reader = try #require(FileHandle(forUpdatingAtPath: workspace.directory("pipe")))
        let outcome = try workspace.texel("compress", "a.jpg", "-o", "pipe", "--json")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let count = try #require(try ResultObject.all(in: outcome).first).outputBytes
        let bytes = [UInt8](try #require(try reader.read(upToCount: count)))
        #expect(try decoded(bytes).image.size == Sample.size)
    }

    // MARK: Existing files

    @Test func inPlaceReplacesTheInputAndKeepsItsPermissions() throws {
        let manager = FileManager.default
        try manager.setAttributes([.posixPermissions: 0o640], ofItemAtPath: workspace.directory("a.jpg"))
        #expect(try workspace.texel("resize", "a.jpg", "--width", "24", "--in-place").status == 0)
        #expect(try workspace.image("a.jpg").size == PixelSize(width: 24, height: 16))
        let attributes = try manager.attributesOfItem(atPath: workspace.directory("a.jpg"))
        #expect(attributes[.posixPermissions] as? Int == 0o640)
        #expect(try workspace.files() == ["a.jpg"])
    }

    @Test func inPlaceKeepsTheInputOfAFailure() throws {
        let whole = try workspace.bytes("a.jpg")
        try workspace.add("cut.jpg", whole.prefix(whole.count / 2))
        try workspace.expectFailure(
            "resize", "cut.jpg", "--width", "4", "--in-place", status: 65, naming: "cut.jpg", saying: "truncated")
    }

    @Test func existingOutputsAreSkippedOnRequest() throws {
        try workspace.add("b.jpg", try Sample.jpeg())
        try workspace.add("out/a.jpg", "precious".utf8)
        let outcome = try workspace.texel(
            "resize", "a.jpg", "b.jpg", "--width", "9", "-o", "out", "--skip-existing", "--json")
        #expect(outcome.status == 0)
        #expect(try ResultObject.all(in: outcome).map(\.status) == ["skipped", "written"])
        #expect(try workspace.bytes("out/a.jpg") == Array("precious".utf8))
    }
}
