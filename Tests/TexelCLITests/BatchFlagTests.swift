import Foundation
import PlatformLibc
import TestSupport
import Testing
import Texel

/// Several widths, dry runs, and resuming a batch.
@Suite struct BatchFlagTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        for name in ["in/a.jpg", "in/deep/b.jpg"] { try workspace.add(name, try Sample.jpeg()) }
        try workspace.add("in/c.png", try Sample.png())
    }

    private func outputs() throws -> [String] { try workspace.files().filter { $0.hasPrefix("out/") } }

    // MARK: Several widths

    @Test func aTreeInSeveralWidths() throws {
        let outcome = try workspace.texel("resize", "in", "-r", "--width", "6,12", "-o", "out", "--json")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let expected = ["a-12w.jpg", "a-6w.jpg", "c-12w.png", "c-6w.png", "deep/b-12w.jpg", "deep/b-6w.jpg"]
        #expect(try outputs() == expected.map { "out/\($0)" })
        for name in try outputs() {
            #expect(try workspace.image(name).width == (name.contains("-12w") ? 12 : 6))
        }
        let results = try ResultObject.all(in: outcome)
        #expect(results.map(\.width) == [6, 12, 6, 12, 6, 12])
        #expect(results.allSatisfy { $0.inputBytes > 0 && $0.status == "written" })
    }

    @Test func templatesNameTheOutputs() throws {
        let template = "{dir}/{name}_{width}x{height}.{ext}"
        #expect(try workspace.texel("resize", "in/a.jpg", "--width", "6,12", "-f", "png", "-o", template).status == 0)
        #expect(try workspace.files().filter { $0.hasSuffix(".png") }.count == 3)
        // Beside the input by default.
        #expect(try workspace.texel("compress", "in/a.jpg", "--width", "6,12").status == 0)
        #expect(try workspace.image("in/a-6w.jpg").width == 6)
    }

    /// If several widths exceed the image's own, it is written once at its own size.
    @Test func widthsThatAreNotThere() throws {
        let outcome = try workspace.texel("resize", "in/a.jpg", "--width", "6,1000,2000", "-o", "out/", "--json")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let results = try ResultObject.all(in: outcome)
        #expect(results.map(\.status) == ["written", "written", "skipped"])
        #expect(results.map(\.route)[1] == "passthrough")
        #expect(try outputs() == ["out/a-6w.jpg", "out/a-\(Sample.size.width)w.jpg"].sorted())
        // A total counts the input once.
        let plain = try workspace.texel("resize", "in/a.jpg", "--width", "5,6", "-o", "out2/")
        let size = try workspace.bytes("in/a.jpg").count
        #expect(plain.lines.last?.hasPrefix("2 files  \(size) B → ") ?? false, "\(plain.text)")
    }

    @Test func widthsThatMakeNoSense() throws {
        let file = "in/a.jpg"
        try workspace.expectUsageError("resize", file, "--width", "6,", saying: "6,")
        try workspace.expectUsageError("resize", file, "--width", "6,6", saying: "6,6")
        try workspace.expectUsageError("resize", file, "--width", "6,0", saying: "--width 0 is not between")
        try workspace.expectUsageError("resize", file, "--width", "6,7", "-o", "{name}.{ext}", saying: "{width}")
        try workspace.expectUsageError("resize", file, "--width", "6,7", "-o", "-", saying: "one image")
        try workspace.expectUsageError("resize", file, "--width", "6,7", "-o", "b.jpg", saying: "b.jpg")
        try workspace.expectUsageError("resize", file, "--width", "6,7", "--in-place", saying: "--in-place")
        try workspace.expectUsageError("resize", "-", "--width", "6,7", saying: "-o")
        try workspace.expectUsageError("frames", "a.mp4", "--width", "6,7", "-o", "-", saying: "one --width")
    }

    // MARK: Dry runs

    @Test func nothingIsDone() throws {
        try workspace.add("in/bad.jpg", "no picture".utf8)
        let before = try workspace.directory.contents()
        let outcome = try workspace.texel("resize", "in", "-r", "--width", "6", "-o", "out", "--dry-run")
        #expect(outcome.status == 1)
        #expect(try workspace.directory.contents() == before)
        #expect(outcome.lines.first == "a.jpg → out/a.jpg  \(6)×\(6 * Sample.size.height / Sample.size.width)  planar")
        #expect(outcome.lines.last == "3 files would be written  1 would fail")
        #expect(outcome.errors.hasPrefix("texel: in/bad.jpg: "))
        try workspace.expectUsageError(
            "compress", "in/a.jpg", "--dry-run", "--report", "report.html", saying: "--report has no effect")
        let json = try workspace.texel("compress", "in/a.jpg", "--dry-run", "--json")
        #expect(try ResultObject.all(in: json).map(\.status) == ["planned"])
        #expect(try workspace.directory.contents() == before)
    }

    // MARK: Resuming

    private func resume(_ flags: String...) throws -> RunningProgram.Outcome {
        try workspace.run(["resize", "in", "-r", "--width", "6", "-o", "out", "--resume"] + flags)
    }

    @Test func onlyWhatIsMissing() throws {
        #expect(try resume().lines.last?.hasPrefix("3 files") ?? false)
        let again = try resume()
        #expect(again.status == 0 && again.lines.count == 1)
        #expect(again.text.hasPrefix("0 files") && again.text.contains("3 done earlier"))
        try FileManager.default.removeItem(atPath: workspace.directory("out/c.png"))
        let third = try resume("--json")
        #expect(try ResultObject.all(in: third).map(\.output) == ["out/c.png"])
    }

    /// Names that two inputs share do not change, and widths above an image's own count as done with its own size.
    @Test func namesStayGiven() throws {
        try workspace.add("in/a.png", try Sample.png())
        let arguments = ["resize", "in", "-r", "-f", "png", "--width", "6,1000,2000", "-o", "out", "--resume"]
        #expect(try workspace.run(arguments).status == 0)
        let first = try workspace.directory.contents()
        #expect(try workspace.run(arguments).text.contains("12 done earlier"))
        #expect(try workspace.directory.contents() == first)
        for name in ["out/a-6w.png", "out/a.png-6w.png"] {
            #expect(first[name] != nil, "\(first.keys)")
            try FileManager.default.removeItem(atPath: workspace.directory(name))
            let outcome = try workspace.run(arguments + ["--json"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(try ResultObject.all(in: outcome).map(\.output) == [name])
            #expect(try workspace.bytes(name) == first[name])
        }
    }

    /// Killed in the middle, without `--resume`.
    @Test func afterAKill() throws {
        let image = try PixelBuffer.noise(PixelSize(width: 400, height: 300), alphaMode: .opaque)
        let bytes = try image.encoded(as: .jpeg(JPEGOptions(quality: 95)))
        for index in 0..<80 { try workspace.add("many/\(100 + index).jpg", bytes) }
        let arguments = ["compress", "many", "-r", "-o", "out", "--json"]
        let process = try RunningProgram(arguments, in: workspace.directory.path)
        #expect(try process.readLine().contains("written"))
        process.send(SIGKILL)
        _ = try process.wait()
        let outcome = try workspace.run(arguments + ["--resume"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let results = try ResultObject.all(in: outcome)
        #expect((1..<80).contains(results.count))
        let visible = try outputs().filter { !$0.hasPrefix("out/.") }
        #expect(visible.count == 80)
        for name in visible { #expect(try workspace.image(name).width == 400) }
    }

    @Test func aManifestThatMakesNoSense() throws {
        // One job at a time, so that begin and done lines alternate.
        _ = try resume("--jobs", "1")
        let path = "out/.texel-manifest"
        var lines = String(decoding: try workspace.bytes(path), as: UTF8.self).split(separator: "\n")
        lines[2] = "= nonsense"
        lines[4] = "more of it"
        try workspace.add(path, lines.joined(separator: "\n").utf8)
        let outcome = try resume()
        #expect(outcome.status == 0)
        #expect(outcome.errors == "texel: warning: \(path): ignored 2 invalid lines; their results are made again\n")
        try workspace.add(path, "somebody's own".utf8)
        let before = try workspace.directory.contents()
        let refused = try resume()
        #expect(refused.status == 65 && refused.errors.contains("\(path) is not a texel manifest"))
        #expect(try workspace.directory.contents() == before)
    }

    @Test func whereThereIsNoPlaceForAManifest() throws {
        try workspace.expectUsageError("compress", "in/a.jpg", "--resume", saying: "--resume requires -o")
        try workspace.expectUsageError(
            "compress", "in/a.jpg", "--resume", "-o", "{dir}/{name}-b.{ext}", saying: "--resume requires -o")
        try workspace.expectUsageError(
            "compress", "in", "-r", "-o", "out", "--resume", "--skip-existing", saying: "--skip-existing")
    }
}

#if os(Linux)
    /// Names that are not valid text, or that contain line breaks.
    @Suite struct OddNameTests {
        @Test func namesThatAreNoText() throws {
            let workspace = try Workspace()
            try workspace.add("in/a.jpg", try Sample.jpeg())
            let names: [[UInt8]] = [Array("new\nline".utf8), Array("☃️ 🖼 \u{1B}[2J".utf8), [0x66, 0xFF, 0xFE]]
            for name in names {
                let path = Array(workspace.directory("in/").utf8) + name + Array(".jpg".utf8)
                let written = path.map { CChar(bitPattern: $0) } + [0]
                let descriptor = open(written, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
                try #require(descriptor >= 0)
                try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
                    .write(contentsOf: try workspace.bytes("in/a.jpg"))
            }
            let outcome = try workspace.texel("resize", "in", "-r", "--width", "6", "-o", "out")
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.lines.count == 5 && !outcome.text.contains("\u{1B}"), "\(outcome.text)")
            // Foundation does not list names that are not valid text.
            #expect(try workspace.files().count { $0.hasPrefix("out/") && $0.hasSuffix(".jpg") } == 3)
            let again = try workspace.texel("resize", "in", "-r", "--width", "6", "-o", "out", "--overwrite", "--json")
            #expect(try ResultObject.all(in: again).allSatisfy { $0.status == "written" })
            // Bytes that no JSON string holds are there in base64.
            for arguments in [
                ["resize", "in", "-r", "--width", "6", "-o", "new", "--json"], ["info", "in", "-r", "--json"],
            ] {
                let lines = try workspace.run(arguments).lines.map { line in
                    try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
                }
                let names = lines.compactMap { ($0["inputBase64"] as? String).flatMap { Data(base64Encoded: $0) } }
                #expect(lines.count == 4 && names == [Data("in/f".utf8) + [0xFF, 0xFE] + Data(".jpg".utf8)])
                if arguments[0] == "resize" {
                    let outputs = lines.compactMap {
                        ($0["outputBase64"] as? String).flatMap { Data(base64Encoded: $0) }
                    }
                    #expect(outputs == [Data("new/f".utf8) + [0xFF, 0xFE] + Data(".jpg".utf8)])
                }
            }
        }
    }
#endif
