import Foundation
import TestSupport
import Testing
import Texel

/// Directories that cannot be read completely, and empty ones.
@Suite struct UnreadableInputTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        try workspace.add("in/a.png", try Sample.png())
        try workspace.add("in/deep/b.jpg", try Sample.jpeg())
        for name in ["notes.txt", "deep/film.mkv", "deep/plain"] { try workspace.add("in/\(name)", "RIFF".utf8) }
        // No user can follow this link.
        let link = workspace.directory("in/deep/loop")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "loop")
        for name in ["none", "empty/deep"] {
            try FileManager.default.createDirectory(
                atPath: workspace.directory(name), withIntermediateDirectories: true)
        }
        try workspace.add("empty/notes.txt", "no image".utf8)
    }

    /// Creates a directory that cannot be listed.
    ///
    /// - Returns: its path in messages if `in` is the argument.
    private func addUnreadableFolder() throws -> String {
        _ = try workspace.directory.addUnreadableDirectory(in: "in/deep")
        // The limit applies to the path as given, which is relative.
        var path = "in/deep"
        while path.utf8.count < 4096 { path += "/" + String(repeating: "d", count: 250) }
        return path
    }

    private func expectBothNamed(
        _ outcome: RunningProgram.Outcome, _ folder: String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(outcome.status == 1, "\(outcome.errors)", sourceLocation: sourceLocation)
        for line in [
            "texel: \(folder): cannot be read: File name too long",
            "texel: in/deep/loop: cannot be read: Too many levels of symbolic links",
        ] {
            #expect(outcome.errorLines.contains(line), "\(outcome.errors)", sourceLocation: sourceLocation)
        }
    }

    @Test func batchesReportUnreadableFilesAndGoOn() throws {
        let folder = try addUnreadableFolder()
        let outcome = try workspace.texel("resize", "in", "-r", "--width", "8", "-o", "out")
        expectBothNamed(outcome, folder)
        #expect(outcome.lines.last?.hasPrefix("2 files  ") ?? false)
        #expect(outcome.lines.last?.hasSuffix("  2 failed  3 files skipped (not images)") ?? false, "\(outcome.text)")
        let plan = try workspace.texel("resize", "in", "-r", "--width", "9", "-o", "out2", "--dry-run")
        let planned = "2 files would be written  2 would fail  3 files skipped (not images)"
        #expect(plan.lines.last == planned, "\(plan.text)")
        let json = try workspace.texel("compress", "in", "-r", "-o", "out3", "--json", "--progress", "json")
        #expect(
            try ResultObject.all(in: json).filter { $0.status == "failed" }.map(\.input) == [folder, "in/deep/loop"])
        #expect(json.errorLines.last?.contains(#""otherFiles":3"#) ?? false, "\(json.errors)")
    }

    @Test func reportsNameUnreadableFiles() throws {
        let folder = try addUnreadableFolder()
        for arguments in [["info", "in", "-r"], ["sheet", "in", "-r", "-o", "s.png", "--no-captions"]] {
            let outcome = try workspace.run(arguments)
            expectBothNamed(outcome, folder)
            #expect(outcome.errorLines.last == "texel: 3 files skipped (not images)")
        }
        #expect(try workspace.image("s.png").height > 0)
        expectBothNamed(try workspace.texel("show", "in", "-r", "--rows", "1"), folder)
        let json = try workspace.texel("info", "in", "-r", "--json")
        #expect(json.status == 1 && json.errors == "" && json.lines.count == 4)
    }

    #if os(Linux)
        @Test func watchesReportUnreadableFilesAndGoOn() throws {
            let folder = try addUnreadableFolder()
            let watch = try RunningProgram(
                ["watch", "in", "-o", "out", "--width", "8"], in: workspace.directory.path)
            for _ in 0..<2 { #expect(try watch.readLine().contains(" → ")) }
            watch.send(SIGTERM)
            let outcome = try watch.wait()
            #expect(outcome.status == 130)
            for name in [folder, "in/deep/loop"] {
                #expect(outcome.errors.contains("texel: \(name): cannot be read: "), "\(outcome.errors)")
            }
            #expect(outcome.errorLines.last == "texel: stopped watching in: 2 written, 2 failed")
        }
    #endif

    @Test(arguments: ["none", "empty"]) func nothingIsFound(folder: String) throws {
        let commands = [
            ["compress", "-o", "out"], ["compress", "-o", "out", "--resume"], ["compress", "--in-place"],
            ["compress", "--dry-run"], ["resize", "--width", "6,8", "-o", "out"], ["info"], ["show"],
            ["sheet", "-o", "s.png"], ["sheet", "-o", "s.html"], ["duplicates"], ["tile", "-o", "t"],
        ]
        let before = try workspace.directory.contents().keys.sorted()
        for command in commands {
            let outcome = try workspace.run(command + [folder, "-r"])
            #expect(outcome.status == 66, "\(command): \(outcome.errors)")
            #expect(outcome.errorLines.first == "texel: \(folder): contains no images", "\(outcome.errors)")
            if command[0] == "sheet" {
                #expect(outcome.errors.contains("texel: \(command[2]): not written, because no image was found"))
            }
        }
        #expect(try workspace.directory.contents().keys.sorted() == before)
        // It is one of several inputs here.
        let both = try workspace.texel("compress", folder, "in/a.png", "-r", "-o", "out")
        #expect(both.status == 1 && both.errorLines == ["texel: \(folder): contains no images"], "\(both.errors)")
    }

    /// A file that cannot be opened is not a missing file.
    @Test func filesThatCannotBeOpened() throws {
        for command in ["compress", "info", "show"] {
            let outcome = try workspace.texel(command, "in/deep/loop")
            #expect(outcome.status == 66)
            #expect(outcome.errors == "texel: in/deep/loop: cannot be read: Too many levels of symbolic links\n")
        }
        let outcome = try workspace.texel("compare", "in/a.png", "in/deep/loop")
        #expect(outcome.errors == "texel: in/deep/loop: cannot be read: Too many levels of symbolic links\n")
    }

    @Test func filesThatAreNamedTwice() throws {
        let outcome = try workspace.texel("compress", "in/a.png", "./in/a.png", "in/a.p*", "-o", "out")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.lines.count == 1 && outcome.lines[0].hasPrefix("a.png  "), "\(outcome.text)")
        #expect(try workspace.files().filter { $0.hasPrefix("out/") } == ["out/a.png"])
    }
}
