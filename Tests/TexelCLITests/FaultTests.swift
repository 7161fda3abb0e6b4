import Foundation
import TestSupport
import Testing
import Texel

/// Errors of the file system and of other programs during the work.
@Suite struct FaultTests {
    private let workspace: Workspace

    init() throws { workspace = try Workspace() }

    private func addInputs(_ count: Int) throws {
        let image = try PixelBuffer.noise(PixelSize(width: 200, height: 150), alphaMode: .opaque)
        let bytes = try image.encoded(as: .jpeg(JPEGOptions(quality: 95)))
        for index in 0..<count { try workspace.add("in/\(100 + index).jpg", bytes) }
    }

    /// Several programs that write the same files at the same time: each file is complete, and there are no others.
    @Test(arguments: [[], ["--overwrite"]]) func concurrentProgramsWriteCompleteFiles(flags: [String]) throws {
        try addInputs(6)
        let arguments = ["resize", "in", "-r", "--width", "100", "-o", "out", "--json"] + flags
        let processes = try (0..<3).map { _ in try RunningProgram(arguments, in: workspace.directory.path) }
        var written = 0
        for process in processes {
            let outcome = try process.wait()
            for result in try ResultObject.all(in: outcome) {
                if result.status == "written" { written += 1 }
                #expect(result.status == "written" || result.error?.contains("already exists") == true, "\(result)")
            }
        }
        #expect(written == (flags.isEmpty ? 6 : 18))
        let files = try workspace.files().filter { $0.hasPrefix("out/") && $0 != "out/.texel-manifest" }
        #expect(files == (0..<6).map { "out/\(100 + $0).jpg" })
        #expect(Set(try files.map { try workspace.bytes($0) }).count == 1)
        #expect(try workspace.image("out/100.jpg").width == 100)
    }

    /// Several resuming batches, started at once with a missing folder: one works, the others report that.
    @Test func oneOfSeveralResumes() throws {
        try addInputs(6)
        let arguments = ["resize", "in", "-r", "--width", "100", "-o", "new/out", "--resume"]
        let processes = try (0..<4).map { _ in try RunningProgram(arguments, in: workspace.directory.path) }
        let outcomes = try processes.map { try $0.wait() }
        let working = outcomes.filter { $0.status == 0 }
        // A process that started late may find everything done.
        #expect(working.count { $0.text.contains("6 files") } == 1, "\(outcomes.map(\.text))")
        for outcome in outcomes where outcome.status != 0 {
            #expect(outcome.status == 73)
            #expect(outcome.errors.hasPrefix("texel: another texel process writes into new/out; "), "\(outcome.errors)")
        }
        #expect(try workspace.files().count { $0.hasPrefix("new/out/") && $0.hasSuffix(".jpg") } == 6)
    }

    /// A batch that has not written anything yet has created its folder already.
    @Test func resumesWhileAnotherWorks() throws {
        try addInputs(2)
        #expect(mkfifo(workspace.directory("pipe.jpg"), 0o600) == 0)
        let flags = ["--width", "100", "-o", "out/", "--resume"]
        let first = try RunningProgram(["resize", "pipe.jpg"] + flags, in: workspace.directory.path)
        // Waits until the pipe is being read.
        let writer = open(workspace.directory("pipe.jpg"), O_WRONLY | O_CLOEXEC)
        defer { close(writer) }
        let second = try workspace.run(["resize", "in", "-r"] + flags)
        #expect(second.status == 73 && second.text == "", "\(second.errors)")
        #expect(second.errors.hasPrefix("texel: another texel process writes into out; "), "\(second.errors)")
        first.send(SIGTERM)
        #expect(try first.wait().status == 130)
    }

    /// A batch that writes nothing leaves no folder for its manifest.
    @Test func resumesThatWriteNothing() throws {
        try workspace.add("in/bad.jpg", "no image".utf8)
        let before = try workspace.directory.contents()
        let outcome = try workspace.texel("compress", "in", "-r", "-o", "new/out", "--resume")
        #expect(outcome.status == 1)
        #expect(try workspace.directory.contents() == before)
        #expect(!FileManager.default.fileExists(atPath: workspace.directory("new")))
    }

    /// Manifests compare times for equality, so clocks may jump.
    @Test func clocksThatJump() throws {
        try addInputs(3)
        let arguments = ["resize", "in", "-r", "--width", "9", "-o", "out", "--json", "--resume"]
        let times: [Double] = [-86400 * 365 * 10, 0, 86400 * 365 * 100]
        for (index, seconds) in times.enumerated() {
            try setTime("in/\(100 + index).jpg", seconds)
        }
        #expect(try ResultObject.all(in: workspace.run(arguments)).count == 3)
        let again = try workspace.run(arguments)
        #expect(try ResultObject.all(in: again).isEmpty)
        #expect(again.status == 0 && again.errors == "", "\(again.errors)")
        // Forwards and backwards.
        try setTime("in/101.jpg", -5)
        try setTime("in/102.jpg", 86400 * 365 * 90)
        try setTime("out/100.jpg", -1)
        let results = try ResultObject.all(in: workspace.run(arguments))
        // A file with another time than in the manifest counts as another program's.
        #expect(results.map(\.status) == ["failed", "written", "written"], "\(results)")
    }

    private func setTime(_ name: String, _ seconds: Double) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: seconds)], ofItemAtPath: workspace.directory(name))
    }

    /// A name that begins with a dash is a name, in folders and after `--`.
    @Test func namesLikeFlags() throws {
        for name in ["-r.jpg", "in/--overwrite.jpg", "in/-o/-q.jpg"] { try workspace.add(name, try Sample.jpeg()) }
        #expect(try workspace.texel("resize", "--width", "9", "-o", "out/", "-r", "--", "-r.jpg", "in").status == 0)
        #expect(
            try workspace.files().filter { $0.hasPrefix("out/") } == [
                "out/--overwrite.jpg", "out/-o/-q.jpg", "out/-r.jpg",
            ])
    }

    /// A file whose name would point outside the folder.
    @Test func namesOfFoldersAbove() throws {
        try workspace.add("in/...jpg", try Sample.jpeg())
        try workspace.expectFailure(
            "resize", "in/...jpg", "--width", "9", "-o", "out/{name}/small.{ext}", status: 73, naming: "in/...jpg",
            saying: "the output out/../small.jpg is outside of out")
    }

    /// The watched folder may be writable for others.
    @Test func watchedFolderThatIsALink() throws {
        #if os(Linux)
            try workspace.add("in/x.txt", "no picture".utf8)
            try workspace.add("elsewhere/keep", [])
            try workspace.add("out/keep", [])
            try FileManager.default.createSymbolicLink(
                atPath: workspace.directory("out/sub"), withDestinationPath: "../elsewhere")
            let watch = try WatchProcess("--width", "9", in: workspace)
            try workspace.add("new/a.jpg", try Sample.jpeg())
            try FileManager.default.moveItem(
                atPath: workspace.directory("new"), toPath: workspace.directory("in/sub"))
            let event = try watch.next()
            #expect(event.event == "failed" && event.error?.contains("out/sub is a symbolic link") == true, "\(event)")
            #expect(try watch.end().status == 130)
            #expect(try workspace.files().filter { $0.hasPrefix("elsewhere") } == ["elsewhere/keep"])
        #endif
    }

    #if os(Linux)
        @Test func readErrorsFailOnlyTheirFile() throws {
            try addInputs(1)
            let outcome = try workspace.texel(
                "resize", "/proc/self/mem", "in/100.jpg", "/proc/self/task", "in/gone.jpg", "--width", "9", "-o", "out",
                "--json")
            let results = try ResultObject.all(in: outcome)
            #expect(outcome.status == 1)
            #expect(results.map(\.status) == ["failed", "failed", "failed", "written"], "\(results)")
            let errors = results.compactMap(\.error)
            #expect(errors.contains { $0.contains("cannot be read: Input/output error") }, "\(errors)")
            #expect(try workspace.files() == ["in/100.jpg", "out/.texel-manifest", "out/100.jpg"])
        }

        /// A writer that dies in the middle has sent a truncated image.
        @Test func pipeWhoseWriterDies() throws {
            let bytes = try Sample.jpeg()
            try workspace.add("half.jpg", bytes.prefix(bytes.count / 2))
            try #require(mkfifo(workspace.directory("pipe"), 0o600) == 0)
            let script = "(cat half.jpg; kill -9 $$) > pipe"
            let shell = try RunningProgram("/bin/sh", ["-c", script], in: workspace.directory.path)
            let outcome = try workspace.texel("resize", "pipe", "--width", "9", "-o", "out.jpg")
            #expect(try shell.wait().status == -SIGKILL)
            #expect(outcome.status == 65 && outcome.errors.hasPrefix("texel: pipe: "), "\(outcome.errors)")
            #expect(try workspace.files().contains("out.jpg") == false)
        }

        private static let mayMount: Bool = {
            let directory = try? TemporaryDirectory()
            let unshare = ["--map-root-user", "--mount", "mount", "-t", "tmpfs", "none", directory?.path ?? "/nowhere"]
            return (try? Program.run(Program.find("unshare"), unshare)) != nil
        }()

        /// The output folder becomes read-only in the middle of a batch.
        @Test(.enabled(if: mayMount)) func readOnlyInTheMiddle() throws {
            try addInputs(40)
            let script = """
                cd "$1" && mkfifo lines && mkdir out || exit 1
                "$2" resize in -r --width 100 -o out --json --resume -j 1 > lines 2> first.txt &
                exec 3< lines && read -r line <&3 && echo "$line" > first.json
                mount -t tmpfs -o ro none out
                cat <&3 >> first.json
                wait $!; echo $?
                umount out
                "$2" resize in -r --width 100 -o out --json --resume > second.json 2> second.txt; echo $?
                """
            let codes = try Program.run(
                Program.find("unshare"),
                [
                    "--map-root-user", "--mount", "sh", "-c", script, "sh", workspace.directory.path,
                    RunningProgram.texel,
                ])
            #expect(String(decoding: codes, as: UTF8.self) == "1\n0\n")
            func results(_ name: String) throws -> [ResultObject] {
                try String(decoding: try workspace.bytes(name), as: UTF8.self).split(separator: "\n").map {
                    try JSONDecoder().decode(ResultObject.self, from: Data($0.utf8))
                }
            }
            let first = try results("first.json")
            let written = first.count { $0.status == "written" }
            #expect(first.count == 40 && (1..<40).contains(written))
            #expect(first.allSatisfy { $0.error?.contains("Read-only file system") ?? ($0.status == "written") })
            let second = try results("second.json")
            // The file written at the moment of the mount may not be recorded as done.
            #expect((40 - written...41 - written).contains(second.count))
            #expect(second.allSatisfy { $0.status == "written" })
            let files = try workspace.files().filter { $0.hasPrefix("out/") }
            #expect(files == ["out/.texel-manifest"] + (0..<40).map { "out/\(100 + $0).jpg" })
            #expect(Set(try files.dropFirst().map { try workspace.bytes($0) }).count == 1)
        }
    #endif
}
