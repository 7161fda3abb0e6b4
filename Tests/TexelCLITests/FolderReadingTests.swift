import Foundation
import PlatformLibc
import TestSupport
import Testing
import Texel

/// Commands read regular files below folders, each once, and never their own outputs.
@Suite(.timeLimit(.minutes(30))) struct FolderReadingTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        try workspace.add("in/a.jpg", try Sample.jpeg())
    }

    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: workspace.directory(name), withDestinationPath: target)
    }

    private func hardLink(_ name: String, to target: String) throws {
        try FileManager.default.linkItem(atPath: workspace.directory(target), toPath: workspace.directory(name))
    }

    /// The commands that walk folders, with a call that succeeds for each.
    private static let commands = [
        ["compress", "-o", "out"], ["compress", "-o", "out", "--dry-run"], ["resize", "--width", "8", "-o", "out"],
        ["rotate", "--angle", "90", "-o", "out", "--untrusted"], ["info"], ["info", "--analyze"],
        ["sheet", "-o", "s.png", "--no-captions"], ["sheet", "-o", "s.html"], ["tile", "-o", "t"], ["duplicates"],
        ["show", "--rows", "1"],
    ]

    /// Nothing writes into the pipe, so reading it would last for ever; the device has no end either.
    @Test(arguments: commands) func pipesAndDevicesAreSkipped(command: [String]) throws {
        try #require(mkfifo(workspace.directory("in/pipe.jpg"), 0o600) == 0)
        try link("in/zero.png", to: "/dev/zero")
        try link("in/gone.png", to: "nowhere")
        try link("in/link.jpg", to: "pipe.jpg")
        for inputs in [["in", "-r"], ["in/*"]] {
            let outcome = try workspace.run(command + inputs + (command.contains("-o") ? ["--overwrite"] : []))
            #expect(outcome.status == 0, "\(inputs): \(outcome.errors)")
            #expect((outcome.text + outcome.errors).contains("4 files skipped (not images)"), "\(outcome.text)")
        }
    }

    @Test func inPlaceOnce() throws {
        try link("in/b.jpg", to: "a.jpg")
        try hardLink("in/c.jpg", to: "in/a.jpg")
        try link("other", to: "in")
        let resize = ["resize", "--scale", "50%", "--in-place", "--json"]
        let names = ["in/a.jpg", "in/b.jpg", "in/c.jpg", "other/a.jpg", "in/../in/a.jpg"]
        for inputs in [names, names.reversed(), ["in", "other/", "-r"], ["in/*.jpg"]] {
            for name in ["in/a.jpg", "in/c.jpg"] {
                try FileManager.default.removeItem(atPath: workspace.directory(name))
            }
            try workspace.add("in/a.jpg", try Sample.jpeg(PixelSize(width: 64, height: 32)))
            try hardLink("in/c.jpg", to: "in/a.jpg")
            let outcome = try workspace.run(resize + inputs)
            #expect(outcome.status == 0, "\(inputs): \(outcome.errors)")
            #expect(try ResultObject.all(in: outcome).map(\.width) == [32], "\(inputs): \(outcome.text)")
        }
    }

    @Test func namesInListings() throws {
        try link("in/b.jpg", to: "a.jpg")
        try hardLink("in/c.jpg", to: "in/a.jpg")
        #expect(try workspace.texel("info", "in/a.jpg", "in/b.jpg", "in/c.jpg", "--json").lines.count == 3)
        #expect(try workspace.texel("info", "in", "-r", "--json").lines.count == 1)
        let duplicates = try workspace.texel("duplicates", "in", "-r", "--json")
        #expect(duplicates.status == 0 && duplicates.text == "", "\(duplicates.text)")
        try workspace.add("in/copy.jpg", try workspace.bytes("in/a.jpg"))
        let groups = try workspace.texel("duplicates", "in", "-r")
        #expect(groups.text.contains("in/a.jpg") && groups.text.contains("in/copy.jpg"))
        #expect(!groups.text.contains("in/b.jpg") && !groups.text.contains("in/c.jpg"), "\(groups.text)")
    }

    /// The output folder lies in the input; every call makes the same results.
    @Test(arguments: [
        ["-o", "in/out"], ["-o", "in/out/{name}-s.{ext}"], ["-o", "in/./out/", "--resume"],
        ["-o", "{dir}/out/{name}.{ext}"],
    ])
    func outputsInTheInput(output: [String]) throws {
        let call = ["resize", "in", "-r", "--width", "8"] + output
        #expect(try workspace.run(call).status == 0)
        let before = try workspace.files()
        #expect(before.count >= 2)
        for _ in 0..<2 {
            let outcome = try workspace.run(call + ["--overwrite"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(try workspace.files() == before)
        }
        let listed = ["resize", "in/a.jpg", "in/out", "-r", "--width", "8", "--overwrite"] + output
        if !output[1].contains("{dir}") {
            #expect(try workspace.run(listed).status == 0)
            #expect(try workspace.files() == before)
        }
        let tiles = try (0..<2).map { _ in try workspace.texel("tile", "in", "-r", "-o", "in/out", "--overwrite") }
        #expect(tiles.map(\.status) == [0, 0], "\(tiles.map(\.errors))")
        #expect(try workspace.files().contains { $0.contains("out/out") } == false)
        let sheets = try (0..<2).map { _ in
            try workspace.texel("sheet", "in", "-r", "-o", "in/sheet.png", "--no-captions", "--overwrite")
        }
        #expect(sheets.map(\.status) == [0, 0], "\(sheets.map(\.errors))")
    }

    /// The names of results were made unique, because two inputs have the same name.
    @Test func resultsOfAnEarlierCall() throws {
        try workspace.add("in/a.png", try Sample.png())
        for inputs in [["in", "-r"], ["in/*"]] {
            for command in [["compress"], ["resize", "--width", "8,16"]] {
                let call = command + inputs + ["-f", "jpeg", "--overwrite"]
                #expect(try workspace.run(call).status == 0)
                let before = try workspace.files()
                let outcome = try workspace.run(call)
                #expect(outcome.status == 0, "\(outcome.errors)")
                #expect(try workspace.files() == before, "\(call)")
            }
        }
    }

    #if os(Linux)
        @Test func watchesIgnorePipesDevicesAndTheirOutput() throws {
            try #require(mkfifo(workspace.directory("in/pipe.jpg"), 0o600) == 0)
            try link("in/zero.png", to: "/dev/zero")
            let watch = try RunningProgram(["watch", "in", "-o", "in/out"], in: workspace.directory.path)
            #expect(try watch.readLine().hasPrefix("a.jpg "))
            watch.send(SIGTERM)
            let outcome = try watch.wait()
            #expect(outcome.status == 130)
            #expect(outcome.errorLines.last == "texel: stopped watching in: 1 written", "\(outcome.errors)")
        }
    #endif
}
