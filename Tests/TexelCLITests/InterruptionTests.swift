import Foundation
import PlatformLibc
import TestSupport
import Testing
import Texel

/// The files that remain if the program is stopped in the middle of a batch.
@Suite struct InterruptionTests {
    private let workspace: Workspace
    private static let fileCount = 200

    /// Much more work than is done before a signal arrives.
    init() throws {
        workspace = try Workspace()
        let image = try PixelBuffer.noise(PixelSize(width: 400, height: 300), alphaMode: .opaque)
        let bytes = try image.encoded(as: .jpeg(JPEGOptions(quality: 95)))
        for index in 0..<Self.fileCount { try workspace.add("in/\(1000 + index).jpg", bytes) }
    }

    private func stopped(by signal: Int32) throws -> RunningProgram.Outcome {
        let process = try RunningProgram(["compress", "in", "-r", "-o", "out", "--json"], in: workspace.directory.path)
        #expect(try process.readLine().contains("written"))
        process.send(signal)
        return try process.wait()
    }

    /// The visible outputs, without the manifest and unfinished files.
    private func outputs() throws -> [String] {
        try workspace.files().filter { $0.hasPrefix("out/") && !$0.hasPrefix("out/.") }
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP]) func signalsKeepFinishedFilesOnly(signal: Int32) throws {
        let outcome = try stopped(by: signal)
        #expect(outcome.status == 130)
        let outputs = try outputs()
        #expect(!outputs.isEmpty && outputs.count < Self.fileCount)
        for name in outputs { #expect(try workspace.image(name).width == 400) }
        // Every existing file was reported, the first one before the signal; none failed.
        let results = try ResultObject.all(in: outcome)
        #expect(results.count + 1 == outputs.count)
        #expect(results.allSatisfy { $0.status == "written" })
        #expect(outcome.errors == "")
    }

    /// Listeners receive all events until the end.
    @Test func eventsToTheEnd() throws {
        let process = try RunningProgram(
            ["compress", "in", "-r", "-o", "out", "--json", "--progress", "json"], in: workspace.directory.path)
        #expect(try process.readLine().contains("written"))
        process.send(SIGINT)
        let outcome = try process.wait()
        #expect(outcome.status == 130)
        let events = try outcome.errorLines.map { try EventObject($0) }
        let cancelled = events.filter { $0.event == "cancelled" }
        let finished = events.filter { $0.event == "finished" }
        #expect(!cancelled.isEmpty && cancelled.count + finished.count == Self.fileCount)
        let end = try #require(events.last)
        #expect(end.event == "ended" && end.written == finished.count && end.cancelled == cancelled.count)
        #expect(try outputs().count == finished.count)
    }

    @Test func killedBatchesLeaveNoPartialFiles() throws {
        #expect(try stopped(by: SIGKILL).status == -SIGKILL)
        // The file being written then has a hidden temporary name; no final name has a partial file.
        let visible = try outputs()
        #expect(!visible.isEmpty && visible.count < Self.fileCount)
        for name in visible { #expect(try workspace.image(name).width == 400) }
    }
}
