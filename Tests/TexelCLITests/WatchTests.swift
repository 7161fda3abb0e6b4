import Foundation
import PlatformLibc
import TestSupport
import Testing
import Texel

/// `texel watch` as a program. Tests never wait for time, only for the effects of their actions.
@Suite struct WatchTests {
    private let workspace: Workspace
    private let image: [UInt8]

    init() throws {
        workspace = try Workspace()
        image = try Sample.png(PixelSize(width: 8, height: 8))
        try FileManager.default.createDirectory(
            atPath: workspace.directory("in"), withIntermediateDirectories: true)
    }

    private func move(_ from: String, _ to: String) throws {
        try FileManager.default.moveItem(atPath: workspace.directory(from), toPath: workspace.directory(to))
    }

    private func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: workspace.directory(name))
    }

    /// The outputs, without the record of them.
    private func outputs() throws -> [String] {
        try workspace.files().filter { $0.hasPrefix("out/") && $0 != "out/.texel-manifest" }
    }

    // MARK: New and changed files

    @Test func beginsWithWhatIsThere() throws {
        for name in ["in/new.png", "in/deep/er/new.png", "in/old.png", "in/.hidden.png"] {
            try workspace.add(name, image)
        }
        try workspace.add("in/done.png", image)
        let former = try WatchProcess("--width", "4", in: workspace)
        _ = try former.finished(4)
        #expect(try former.end().status == 130)
        for name in ["out/new.png", "out/deep/er/new.png"] { try remove(name) }
        try set("in/done.png", toSecondsAgo: 100)
        try workspace.add("in/old.png", image)
        try workspace.add("in/notes.txt", Array("no picture".utf8))
        let watch = try WatchProcess(in: workspace)
        #expect(try Set(watch.finished(3).map(\.input)) == ["in/deep/er/new.png", "in/new.png", "in/old.png"])
        // Added last, so everything found at the start has been reported.
        try workspace.add("in/last.png", image)
        #expect(try watch.next().input == "in/last.png")
        #expect(try watch.end().status == 130)
        #expect(
            try outputs() == [
                "out/deep/er/new.png", "out/done.png", "out/last.png", "out/new.png", "out/old.png",
            ])
        #expect(try workspace.image("out/old.png").width == 8)
    }

    private func set(_ name: String, toSecondsAgo seconds: Double) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -seconds)], ofItemAtPath: workspace.directory(name))
    }

    @Test func leavesWhatIsThere() throws {
        try workspace.add("in/there.png", image)
        let watch = try WatchProcess("--no-initial", in: workspace)
        try workspace.add("in/new.png", image)
        #expect(try watch.next().input == "in/new.png")
        try workspace.add("in/there.png", try Sample.png(PixelSize(width: 9, height: 8)))
        #expect(try watch.next().input == "in/there.png")
        #expect(try watch.end().status == 130)
    }

    @Test func recipesApply() throws {
        let watch = try WatchProcess("--width", "4", "--format", "jpeg", in: workspace)
        try workspace.add("in/a.png", image)
        let event = try watch.next()
        #expect(event.event == "finished" && event.width == 4 && event.output == "out/a.jpg")
        #expect(try watch.end().status == 130)
        #expect(try workspace.image("out/a.jpg").width == 4)
    }

    /// Two inputs for one output: the second keeps its own extension before the new one.
    @Test func secondInputKeepsItsExtension() throws {
        let watch = try WatchProcess("--format", "jpeg", in: workspace)
        try workspace.add("in/a.png", image)
        #expect(try watch.next().output == "out/a.jpg")
        try workspace.add("in/a.jpg", try Sample.jpeg())
        #expect(try watch.next().output == "out/a.jpg.jpg")
        try workspace.add("in/a.png", try Sample.png())
        #expect(try watch.next().output == "out/a.jpg")
        #expect(try watch.end().status == 130)
    }

    @Test(arguments: ["a b.png", "line\nbreak.png", "🏞️ été.png", "-o.png", "{name}.png", "*.png"])
    func filesWithOddNamesAreProcessed(name: String) throws {
        let watch = try WatchProcess(in: workspace)
        try workspace.add("in/\(name)", image)
        let event = try watch.next()
        #expect(event.event == "finished" && event.input == "in/\(name)" && event.output == "out/\(name)")
        try remove("in/\(name)")
        #expect(try watch.next().event == "removed")
        #expect(try watch.end().status == 130)
        #expect(try outputs() == [])
    }

    /// Names are bytes.
    @Test func nameThatIsNoText() throws {
        let watch = try WatchProcess(in: workspace)
        try workspace.add("a.png", image)
        var name = Array(workspace.directory("in/a?.png").utf8CString)
        name[name.count - 6] = CChar(bitPattern: 0xFF)
        try #require(rename(workspace.directory("a.png"), name) == 0)
        #expect(try watch.next().event == "finished")
        try #require(unlink(name) == 0)
        #expect(try watch.next().event == "removed")
        #expect(try watch.end().status == 130)
    }

    // MARK: Files of others

    /// A file that is not an output of a watch stays, and its input is reported.
    @Test func otherFilesStay() throws {
        try workspace.add("out/a.png", [1, 2, 3])
        try workspace.add("in/a.png", image)
        try set("out/a.png", toSecondsAgo: 100)
        let watch = try WatchProcess(in: workspace)
        let event = try watch.next()
        #expect(event.event == "failed" && event.input == "in/a.png")
        #expect(event.error == "the output out/a.png already exists; replace it with --overwrite")
        try workspace.add("out/b.png", [1])
        try workspace.add("in/b.png", image)
        #expect(try watch.next().event == "failed")
        #expect(try watch.end().status == 130)
        #expect(try workspace.bytes("out/a.png") == [1, 2, 3] && workspace.bytes("out/b.png") == [1])

        // Files that are written one after the other may have the same time.
        try set("out/b.png", toSecondsAgo: 100)
        let other = try WatchProcess("--overwrite", in: workspace)
        #expect(try Set(other.finished(2).map(\.output)) == ["out/a.png", "out/b.png"])
        #expect(try other.end().status == 130)
    }

    /// An output that another program has changed is not replaced either.
    @Test func changedOutputsStay() throws {
        let watch = try WatchProcess(in: workspace)
        try workspace.add("in/a.png", image)
        _ = try watch.next()
        try workspace.add("out/a.png", [1, 2, 3])
        try workspace.add("in/a.png", try Sample.png(PixelSize(width: 9, height: 8)))
        #expect(try watch.next().event == "failed")
        #expect(try watch.end().status == 130)
        #expect(try workspace.bytes("out/a.png") == [1, 2, 3])
    }

    /// The outputs of an earlier watch are replaced, also if it was killed, or if they were renamed.
    @Test func outputsOfAnEarlierWatch() throws {
        let first = try WatchProcess(in: workspace)
        for name in ["a", "b"] {
            try workspace.add("in/\(name).png", image)
            _ = try first.next()
        }
        try move("in/b.png", "in/c.png")
        #expect(try first.next().output == "out/c.png")
        first.process.send(SIGKILL)
        _ = try first.process.wait()
        for name in ["a", "c"] { try workspace.add("in/\(name).png", try Sample.png(PixelSize(width: 9, height: 8))) }
        let second = try WatchProcess(in: workspace)
        #expect(try Set(second.finished(2).map(\.output)) == ["out/a.png", "out/c.png"])
        #expect(try second.end().status == 130)
        for name in ["a", "c"] { #expect(try workspace.image("out/\(name).png").width == 9) }
    }

    /// A renamed input does not move its output onto a file of others.
    @Test func renamedOntoAnotherFile() throws {
        let watch = try WatchProcess(in: workspace)
        try workspace.add("in/a.png", image)
        _ = try watch.next()
        try workspace.add("out/b.png", [1, 2, 3])
        try move("in/a.png", "in/b.png")
        #expect(try Set([watch.next(), watch.next()].map(\.event)) == ["removed", "failed"])
        #expect(try watch.end().status == 130)
        #expect(try workspace.bytes("out/b.png") == [1, 2, 3] && outputs() == ["out/b.png"])
    }

    /// Outputs are recorded again if their folder was removed.
    @Test func outputFolderIsRemoved() throws {
        let watch = try WatchProcess(in: workspace)
        try workspace.add("in/a.png", image)
        _ = try watch.next()
        try remove("out")
        for width in [9, 10] {
            try workspace.add("in/a.png", try Sample.png(PixelSize(width: width, height: 8)))
            #expect(try watch.next().width == width)
        }
        #expect(try watch.end().status == 130)
        try workspace.add("in/a.png", image)
        let next = try WatchProcess(in: workspace)
        #expect(try next.next().event == "finished")
        #expect(try next.end().status == 130)
    }

    // MARK: Latest state

    /// A slow writer that writes in pieces, without a pause long enough to look complete.
    @Test func slowlyWrittenFilesAreProcessedWhenClosed() throws {
        let watch = try WatchProcess(in: workspace)
        let descriptor = open(workspace.directory("in/slow.png"), O_WRONLY | O_CREAT, 0o644)
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        for (index, byte) in image.enumerated() {
            try file.write(contentsOf: Data([byte]))
            // Other files are added and processed meanwhile.
            guard index % 20 == 0 else { continue }
            try workspace.add("in/\(index).png", image)
            #expect(try watch.next().input == "in/\(index).png")
        }
        try file.close()
        let event = try watch.next()
        #expect(event.event == "finished" && event.input == "in/slow.png")
        #expect(try watch.end().status == 130)
    }

    /// A file that a writer had opened before the watch began is read when the writer has closed it.
    @Test func writerBeforeTheWatch() throws {
        let descriptor = open(workspace.directory("in/slow.png"), O_WRONLY | O_CREAT, 0o644)
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try file.write(contentsOf: Data(image.prefix(40)))
        // As if it had paused for long.
        try set("in/slow.png", toSecondsAgo: 100)
        let watch = try WatchProcess("--fail-on", "none", in: workspace)
        // Two more inputs, one after the other, take longer than two checks of the first one.
        for name in ["b", "c"] {
            try workspace.add("in/\(name).png", image)
            #expect(try watch.next().input == "in/\(name).png")
        }
        try file.write(contentsOf: Data(image.dropFirst(40)))
        try file.close()
        let event = try watch.next()
        #expect(event.event == "finished" && event.input == "in/slow.png")
        #expect(try watch.end().status == 130)
    }

    @Test func emptyImageIsReportedOnceClosed() throws {
        try workspace.add("in/before.png", [])
        try set("in/before.png", toSecondsAgo: 100)
        let watch = try WatchProcess(in: workspace)
        var event = try watch.next()
        #expect(event.event == "failed" && event.input == "in/before.png" && event.error == "the file is empty")
        let descriptor = open(workspace.directory("in/a.png"), O_WRONLY | O_CREAT, 0o644)
        for name in ["b", "c"] {
            try workspace.add("in/\(name).png", image)
            #expect(try watch.next().input == "in/\(name).png")
        }
        close(descriptor)
        event = try watch.next()
        #expect(event.event == "failed" && event.input == "in/a.png" && event.error == "the file is empty")
        #expect(try watch.end().status == 130)
    }

    @Test func latestStateOfAnInputWins() throws {
        let watch = try WatchProcess(in: workspace)
        for width in 1...40 { try workspace.add("in/a.png", try Sample.png(PixelSize(width: width, height: 8))) }
        while try watch.next().width != 40 {}
        #expect(try watch.end().status == 130)
        #expect(try workspace.image("out/a.png").width == 40)
        // Each result was written after those of earlier states.
        let widths = watch.events.compactMap(\.width)
        #expect(widths == widths.sorted())
    }

    @Test func sameImageTwice() throws {
        let watch = try WatchProcess(in: workspace)
        try workspace.add("in/a.png", image)
        #expect(try watch.next().input == "in/a.png")
        // Opened for writing, and closed without a change.
        close(open(workspace.directory("in/a.png"), O_WRONLY))
        try workspace.add("in/b.png", image)
        #expect(try watch.next().input == "in/b.png")
        #expect(try watch.end().status == 130)
    }

    // MARK: Renaming and removing

    @Test func renamedInputsRenameTheirOutput() throws {
        let watch = try WatchProcess(in: workspace)
        try workspace.add("in/a.png", image)
        _ = try watch.next()
        try move("in/a.png", "in/b.png")
        let event = try watch.next()
        #expect(event.event == "renamed" && event.from == "in/a.png" && event.input == "in/b.png")
        #expect(event.output == "out/b.png")
        #expect(try watch.end().status == 130)
        #expect(try outputs() == ["out/b.png"])
    }

    @Test func renamedFoldersMoveTheirOutputs() throws {
        let watch = try WatchProcess(in: workspace)
        for name in ["x/1.png", "x/y/2.png"] { try workspace.add("in/\(name)", image) }
        _ = try watch.finished(2)
        try move("in/x", "in/z")
        #expect(try Set([watch.next(), watch.next()].map(\.input)) == ["in/z/1.png", "in/z/y/2.png"])
        // The contents are watched under the new name.
        try workspace.add("in/z/y/3.png", image)
        #expect(try watch.next().input == "in/z/y/3.png")
        #expect(try watch.end().status == 130)
        #expect(watch.events.count { $0.event == "renamed" } == 2)
        #expect(try outputs() == ["out/z/1.png", "out/z/y/2.png", "out/z/y/3.png"])
    }

    @Test func removedInputsRemoveTheirOutput() throws {
        let watch = try WatchProcess(in: workspace)
        try workspace.add("in/a/a.png", image)
        _ = try watch.next()
        try remove("in/a")
        let event = try watch.next()
        #expect(event.event == "removed" && event.output == "out/a/a.png")
        #expect(try watch.end().status == 130)
        #expect(try outputs() == [])
    }

    @Test func removedOutputsAreItsOwn() throws {
        try workspace.add("in/before.png", image)
        try workspace.add("out/before.png", image)
        try set("in/before.png", toSecondsAgo: 100)
        let watch = try WatchProcess(in: workspace)
        for name in ["mine", "replaced"] {
            try workspace.add("in/\(name).png", image)
            _ = try watch.next()
        }
        // Another program writes there.
        try workspace.add("out/replaced.png", [1, 2, 3])
        for name in ["before", "replaced", "mine"] { try remove("in/\(name).png") }
        #expect(try watch.next().output == "out/mine.png")
        #expect(try watch.end().status == 130)
        #expect(try outputs() == ["out/before.png", "out/replaced.png"])
    }

    @Test func outputsThatStay() throws {
        let watch = try WatchProcess("--keep-deleted", in: workspace)
        try workspace.add("in/a.png", image)
        _ = try watch.next()
        try remove("in/a.png")
        try workspace.add("in/b.png", image)
        #expect(try watch.next().input == "in/b.png")
        #expect(try watch.end().status == 130)
        #expect(try outputs() == ["out/a.png", "out/b.png"])
    }

    // MARK: Many at once

    /// More events than the kernel queues (16,384). Most files are not images, which takes less time.
    @Test func moreThanIsRemembered() throws {
        let watch = try WatchProcess("--effort", "fast", in: workspace)
        watch.process.send(SIGSTOP)
        let names = (0..<1500).map { "\($0 % 10)/\($0).png" }
        for (index, name) in names.enumerated() {
            // Each is created once, and written and closed six times.
            for time in 0..<6 {
                try workspace.add("in/\(name)", index % 50 == 0 ? image : [UInt8(index % 50), UInt8(time)])
            }
        }
        watch.process.send(SIGCONT)
        let events = try names.map { _ in try watch.next() }
        // Each once.
        #expect(Set(events.map(\.input)) == Set(names.map { "in/\($0)" }))
        #expect(events.count { $0.event == "finished" } == 30)
        try workspace.add("in/last.png", image)
        #expect(try watch.next().input == "in/last.png")
        #expect(try watch.end().status == 130)
        #expect(try outputs().count == 31)
    }

    // MARK: Errors

    @Test func badImagesFailUntilReplaced() throws {
        let watch = try WatchProcess(in: workspace)
        try workspace.add("in/bad.png", Array("no picture".utf8))
        let event = try watch.next()
        #expect(event.event == "failed" && event.input == "in/bad.png" && event.error != nil)
        try workspace.add("in/bad.png", image)
        #expect(try watch.next().event == "finished")
        #expect(try watch.end().status == 130)
        #expect(try outputs() == ["out/bad.png"])
    }

    /// An output that could not be written is made again when the input changes.
    @Test func noPlaceForTheOutput() throws {
        try workspace.add("out/sub", [])
        let watch = try WatchProcess(in: workspace)
        try workspace.add("in/sub/a.png", image)
        let event = try watch.next()
        #expect(event.event == "failed" && event.error?.contains("cannot create") ?? false)
        try remove("out/sub")
        try workspace.add("in/sub/a.png", image)
        #expect(try watch.next().event == "finished")
        #expect(try watch.end().status == 130)
    }

    @Test func removalOfTheFolderEndsTheWatch() throws {
        let watch = try WatchProcess("--no-initial", in: workspace)
        try remove("in")
        let event = try watch.next()
        #expect(event.event == "ended" && event.error == "the watched folder was removed or moved")
        let outcome = try watch.process.wait()
        #expect(outcome.status == 66 && outcome.errors == "texel: in: the watched folder was removed or moved\n")
    }

    @Test func twoForOneOutput() throws {
        let watch = try WatchProcess(in: workspace)
        try workspace.expectFailure(
            "watch", "in", "-o", "out", status: 73, naming: "out", saying: "use a different one")
        // Watching for another output folder is allowed.
        let other = try WatchProcess("--width", "4", in: workspace, output: "small")
        try workspace.add("in/a.png", image)
        #expect(try watch.next().width == 8)
        #expect(try other.next().width == 4)
        #expect(try watch.end().status == 130 && other.end().status == 130)
        // The lock was released when its process ended.
        #expect(try WatchProcess(in: workspace).end().status == 130)
    }

    @Test func outputInTheFolder() throws {
        let watch = try WatchProcess(in: workspace, folder: ".", output: "./small")
        try workspace.add("a.png", image)
        #expect(try watch.next().output == "./small/a.png")
        try workspace.add("b.png", image)
        #expect(try watch.next().output == "./small/b.png")
        #expect(try watch.end().status == 130)
        #expect(try workspace.files() == ["a.png", "b.png", "small/.texel-manifest", "small/a.png", "small/b.png"])
    }

    @Test func unsuitableFoldersAreRefused() throws {
        try workspace.expectFailure(
            "watch", "in", "-o", "in/", status: 64, naming: "in", saying: "contains the watched")
        try workspace.expectFailure(
            "watch", "in", "-o", ".", status: 64, naming: ".", saying: "contains the watched")
        try workspace.expectFailure("watch", "none", "-o", "out", status: 66, naming: "none", saying: "no such file")
        try workspace.add("file", [1])
        try workspace.expectFailure("watch", "file", "-o", "out", status: 66, naming: "file", saying: "cannot be read")
        try workspace.expectFailure("watch", "in", "-o", "file", status: 73, naming: "in", saying: "cannot create")
        try workspace.expectUsageError("watch", "in", saying: "--output")
        try workspace.expectUsageError("watch", "in", "-o", "{name}.png", saying: "must be a folder")
        try workspace.expectUsageError("watch", "in", "-o", "out", "--debounce", "0", saying: "--debounce")
    }

    // MARK: The end

    @Test(arguments: [SIGINT, SIGTERM]) func signalsEndTheWatchCleanly(signal: Int32) throws {
        let large = try PixelBuffer.noise(PixelSize(width: 600, height: 400)).encoded(
            as: .png(PNGOptions(effort: .fast)))
        for index in 0..<40 { try workspace.add("in/\(index).png", large) }
        let watch = try WatchProcess(in: workspace)
        _ = try watch.finished(1)
        watch.process.send(signal)
        let outcome = try watch.process.wait()
        #expect(outcome.status == 130 && outcome.errors == "")
        let outputs = try outputs()
        #expect(outputs.count < 40 && outputs.allSatisfy { !$0.contains("/.") })
        for name in outputs { #expect(try workspace.image(name).width == 600) }
    }

    @Test func watchesContinueAfterAKill() throws {
        for index in 0..<20 { try workspace.add("in/\(index).png", image) }
        let watch = try WatchProcess(in: workspace)
        _ = try watch.finished(1)
        watch.process.send(SIGKILL)
        #expect(try watch.process.wait().status == -SIGKILL)
        // The next watch continues there.
        let next = try WatchProcess(in: workspace)
        try workspace.add("in/last.png", image)
        func visible() throws -> [String] { try outputs().filter { !$0.contains("/.") } }
        while try visible().count < 21 { _ = try next.next() }
        #expect(try next.end().status == 130)
        for name in try visible() { #expect(try workspace.image(name).width == 8) }
    }

    /// A slow reader delays the work, and no event is lost.
    @Test func readerThatWaits() throws {
        for index in 0..<400 { try workspace.add("in/\(index).png", image) }
        let watch = try WatchProcess("--effort", "fast", in: workspace)
        try workspace.add("in/last.png", image)
        #expect(try Set(watch.finished(401).map(\.input)).count == 401)
        #expect(try watch.end().status == 130)
    }
}
