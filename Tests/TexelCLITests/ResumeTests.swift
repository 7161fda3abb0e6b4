import Foundation
import TestSupport
import Testing
import Texel

/// The rules of docs/batches.md about names, manifests and existing files in later calls.
@Suite struct ResumeTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        for name in ["in/p.jpg", "in/q.jpg"] { try workspace.add(name, try Sample.jpeg()) }
    }

    private func resume(_ flags: String...) throws -> RunningProgram.Outcome {
        try workspace.run(["resize", "in", "-r", "-f", "png", "--width", "6", "-o", "out", "--resume"] + flags)
    }

    /// A new input that comes first by path does not take the output's name from the input that has it.
    @Test func namesStayWithTheirFirstInput() throws {
        #expect(try resume().status == 0)
        let first = try workspace.directory.contents()
        #expect(first["out/p.png"] != nil)
        try workspace.add("in/p.jpeg", try Sample.jpeg(PixelSize(width: 40, height: 40)))
        let second = try resume("--json")
        #expect(second.status == 0, "\(second.errors)")
        #expect(try ResultObject.all(in: second).map(\.output) == ["out/p.jpeg.png"])
        #expect(try workspace.bytes("out/p.png") == first["out/p.png"])
        #expect(try resume().text.contains("3 done earlier"))
    }

    /// Without a manifest, results are existing files like others.
    @Test func resultsWithoutAManifestAreNotReplaced() throws {
        #expect(try resume().status == 0)
        try FileManager.default.removeItem(atPath: workspace.directory("out/.texel-manifest"))
        let before = try workspace.directory.contents()
        let refused = try resume()
        #expect(refused.status == 1 && refused.errorLines.count == 2, "\(refused.errors)")
        #expect(refused.errorLines.allSatisfy { $0.contains("already exists") }, "\(refused.errors)")
        #expect(try workspace.directory.contents().filter { $0.key != "out/.texel-manifest" } == before)
        #expect(try resume("--overwrite").status == 0)
        #expect(try resume().text.contains("2 done earlier"))
    }

    /// A manifest that is deleted during the work does not end the batch.
    @Test func manifestsThatAreDeletedMeanwhile() throws {
        let noise = try PixelBuffer.noise(PixelSize(width: 200, height: 150), alphaMode: .opaque)
        let bytes = try noise.encoded(as: .jpeg(JPEGOptions(quality: 95)))
        for index in 0..<40 { try workspace.add("in/\(index).jpg", bytes) }
        let batch = try RunningProgram(
            ["resize", "in", "-r", "--width", "100", "-o", "out", "--json", "-j", "1"], in: workspace.directory.path)
        #expect(try batch.readLine().contains("written"))
        try? FileManager.default.removeItem(atPath: workspace.directory("out/.texel-manifest"))
        let outcome = try batch.wait()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try workspace.files().count { $0.hasPrefix("out/") && $0.hasSuffix(".jpg") } == 42)
    }

    /// Inputs and results are moved together, and the batch is resumed at their new place.
    @Test func movedFoldersAreResumed() throws {
        #expect(try resume().status == 0)
        let manager = FileManager.default
        try manager.createDirectory(atPath: workspace.directory("new"), withIntermediateDirectories: true)
        for name in ["in", "out"] {
            try manager.moveItem(atPath: workspace.directory(name), toPath: workspace.directory("new/\(name)"))
        }
        let outcome = try RunningProgram(
            ["resize", "in", "-r", "-f", "png", "--width", "6", "-o", "out", "--resume"],
            in: workspace.directory("new")
        ).wait()
        #expect(outcome.status == 0 && outcome.text.contains("2 done earlier"), "\(outcome.text)\(outcome.errors)")
    }

    /// A dry run names the errors that the call would have, such as existing outputs.
    @Test func dryRunsNameExistingOutputs() throws {
        try workspace.add("out/p.jpg", "mine".utf8)
        let before = try workspace.directory.contents()
        let outcome = try workspace.texel("compress", "in", "-r", "-o", "out", "--dry-run")
        #expect(outcome.status == 1)
        #expect(outcome.lines.last == "1 file would be written  1 would fail", "\(outcome.text)")
        #expect(outcome.errors.hasPrefix("texel: in/p.jpg: the output out/p.jpg already exists"), "\(outcome.errors)")
        let skipping = try workspace.texel("compress", "in", "-r", "-o", "out", "--dry-run", "--skip-existing")
        #expect(skipping.status == 0, "\(skipping.errors)")
        let replacing = try workspace.texel("compress", "in", "-r", "--dry-run", "--in-place")
        #expect(replacing.status == 0, "\(replacing.errors)")
        #expect(try workspace.directory.contents() == before)
    }

    /// Links to folders and hidden folders are left out, also if they are inside the named folder.
    @Test func hiddenFoldersAndLinksToFolders() throws {
        try workspace.add("in/.hidden/a.jpg", try Sample.jpeg())
        try workspace.add("elsewhere/b.jpg", try Sample.jpeg())
        for (name, target) in [("in/link", "../elsewhere"), ("in/up", "..")] {
            try FileManager.default.createSymbolicLink(
                atPath: workspace.directory(name), withDestinationPath: target)
        }
        #expect(try resume().status == 0)
        let files = try workspace.files().filter { $0.hasPrefix("out/") }
        #expect(files == ["out/.texel-manifest", "out/p.png", "out/q.png"])
    }
}
