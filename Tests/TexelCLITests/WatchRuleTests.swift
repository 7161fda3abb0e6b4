import Foundation
import TestSupport
import Testing
import Texel

/// The rules of docs/watch.md about which files a watch reads, writes and leaves alone.
@Suite struct WatchRuleTests {
    private let workspace: Workspace
    private let image: [UInt8]

    init() throws {
        workspace = try Workspace()
        image = try Sample.png(PixelSize(width: 8, height: 8))
        try FileManager.default.createDirectory(atPath: workspace.directory("in"), withIntermediateDirectories: true)
    }

    /// The files in the output folder, without the manifest.
    private func outputs() throws -> [String] {
        try workspace.files().filter { $0.hasPrefix("out/") && !$0.hasSuffix("/\(BatchManifest.fileName)") }
    }

    private func move(_ from: String, _ to: String) throws {
        try FileManager.default.moveItem(atPath: workspace.directory(from), toPath: workspace.directory(to))
    }

    private func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: workspace.directory(name))
    }

    private func setTime(_ name: String, _ seconds: Double) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: seconds)], ofItemAtPath: workspace.directory(name))
    }

    /// Files and folders that exist at the start, and the same that come later.
    @Test func hiddenFoldersAndLinksToFolders() throws {
        try workspace.add("elsewhere/a.png", image)
        func add(_ suffix: String) throws {
            try workspace.add("in/.hidden\(suffix)/a.png", image)
            try workspace.add("in/.a\(suffix).png", image)
            try FileManager.default.createSymbolicLink(
                atPath: workspace.directory("in/link\(suffix)"), withDestinationPath: "../elsewhere")
        }
        try add("1")
        try workspace.add("in/deep/first.png", image)
        let watch = try WatchProcess(in: workspace)
        #expect(watch.events.first?.folders == 2)
        #expect(try watch.next().input == "in/deep/first.png")
        try add("2")
        try workspace.add("elsewhere/b.png", image)
        try workspace.add("in/last.png", image)
        #expect(try watch.next().input == "in/last.png")
        #expect(try watch.end().status == 130)
        #expect(try outputs() == ["out/deep/first.png", "out/last.png"])
    }

    @Test func contentDecidesWithoutAKnownExtension() throws {
        try workspace.add("in/first", image)
        try workspace.add("in/notes", "no image".utf8)
        let watch = try WatchProcess(in: workspace)
        #expect(try watch.next().output == "out/first.png")
        try workspace.add("in/more.txt", "no image".utf8)
        try workspace.add("in/second.data", image)
        #expect(try watch.next().output == "out/second.png")
        #expect(try watch.end().status == 130)
    }

    /// Other flags than last time do not make an output outdated.
    @Test func onlyTimesMakeAnOutputOutdated() throws {
        try workspace.add("in/a.png", image)
        try setTime("in/a.png", 1_000_000_000)
        let first = try WatchProcess("--width", "4", in: workspace)
        #expect(try first.next().width == 4)
        #expect(try first.end().status == 130)
        let second = try WatchProcess("--width", "6", in: workspace)
        try workspace.add("in/last.png", image)
        #expect(try second.next().input == "in/last.png")
        #expect(try second.end().status == 130)
        #expect(try workspace.image("out/a.png").width == 4)
    }

    /// An output that another program has changed stays when its input is renamed; the input gets a new output.
    @Test func renamedInputsLeaveForeignFilesAlone() throws {
        let watch = try WatchProcess(in: workspace)
        try workspace.add("in/a.png", image)
        _ = try watch.next()
        try workspace.add("out/a.png", "mine".utf8)
        try move("in/a.png", "in/b.png")
        var event = try watch.next()
        if event.event == "removed" { event = try watch.next() }
        #expect(event.event == "finished" && event.output == "out/b.png", "\(event)")
        #expect(try watch.end().status == 130)
        #expect(try workspace.bytes("out/a.png") == Array("mine".utf8))
        #expect(try workspace.image("out/b.png").width == 8)
    }

    @Test func emptyOutputFoldersStay() throws {
        let watch = try WatchProcess(in: workspace)
        try workspace.add("in/deep/a.png", image)
        _ = try watch.next()
        try remove("in/deep")
        #expect(try watch.next().event == "removed")
        #expect(try watch.end().status == 130)
        #expect(try FileManager.default.contentsOfDirectory(atPath: workspace.directory("out/deep")) == [])
    }

    /// The lines for people, which the page shows.
    @Test func linesForPeople() throws {
        try workspace.add("in/a.png", image)
        let watch = try RunningProgram(["watch", "in", "-o", "out"], in: workspace.directory.path)
        #expect(try watch.readLine().hasPrefix("a.png  "))
        try FileManager.default.createDirectory(
            atPath: workspace.directory("in/deep"), withIntermediateDirectories: true)
        try move("in/a.png", "in/deep/a.png")
        #expect(try watch.readLine() == "in/a.png  renamed to in/deep/a.png: out/deep/a.png")
        try remove("in/deep/a.png")
        #expect(try watch.readLine() == "in/deep/a.png  removed: out/deep/a.png")
        watch.send(SIGINT)
        let outcome = try watch.wait()
        #expect(outcome.status == 130)
        let lines = [
            "texel: watching in, writing to out; press Ctrl-C to stop", "texel: stopped watching in: 1 written",
        ]
        #expect(outcome.errorLines == lines, "\(outcome.errors)")
    }

    /// The watched folder stays as it is, whatever happens in it and in the output folder.
    @Test func inputsAreNotTouched() throws {
        for name in ["a.png", "b.jpg", "deep/c.png"] {
            try workspace.add("in/\(name)", try name.hasSuffix("png") ? image : Sample.jpeg())
        }
        try workspace.add("in/bad.png", "no image".utf8)
        let before = try workspace.directory.contents().filter { $0.key.hasPrefix("in/") }
        let watch = try WatchProcess("--width", "4", in: workspace)
        for _ in 0..<4 { _ = try watch.next() }
        #expect(try watch.end().status == 130)
        #expect(try workspace.directory.contents().filter { $0.key.hasPrefix("in/") } == before)
    }

    #if os(Linux)
        /// Runs a script as the root of a user namespace, whose limits do not concern other processes.
        private func run(_ script: String) throws -> RunningProgram.Outcome {
            try RunningProgram(
                try #require(Program.find("unshare")),
                ["--map-root-user", "sh", "-c", script, "sh", RunningProgram.texel], in: workspace.directory.path
            ).wait()
        }

        /// Whether this user may make user namespaces with limits of their own.
        private static let mayLimit: Bool = {
            let script = "echo 3 > /proc/sys/user/max_inotify_watches"
            return (try? Program.run(Program.find("unshare"), ["--map-root-user", "sh", "-c", script])) != nil
        }()

        @Test(.enabled(if: mayLimit)) func moreFoldersThanMayBeWatched() throws {
            for index in 0..<6 { try workspace.add("in/\(index)/a.png", image) }
            let outcome = try run(
                "echo 3 > /proc/sys/user/max_inotify_watches && exec \"$1\" watch in -o out --json")
            #expect(outcome.status == 69, "\(outcome.errors)")
            #expect(outcome.errors.contains("fs.inotify.max_user_watches"), "\(outcome.errors)")
            #expect(try outputs() == [])
        }
    #endif
}
