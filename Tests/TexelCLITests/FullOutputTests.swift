import Foundation
import PlatformLibc
import TestSupport
import Testing
import Texel

/// Standard output that cannot be written: a full disk, a closed pipe.
@Suite struct FullOutputTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        try workspace.add("in/a.png", try Sample.png())
        try workspace.add("b.png", try Sample.png())
    }

    private static let calls: [[String]] = [
        ["compress", "b.png", "-o", "c.png"], ["compress", "b.png", "-o", "c.png", "--json"],
        ["compress", "in", "-r", "-o", "out"], ["compress", "b.png", "-o", "-"], ["compress", "gone.png", "--json"],
        ["resize", "b.png", "--width", "8", "--dry-run"], ["rotate", "b.png", "--angle", "90"],
        ["info", "b.png"], ["info", "b.png", "--json"], ["compare", "b.png", "in/a.png"],
        ["compare", "b.png", "in/a.png", "--json"], ["show", "b.png"], ["sheet", "b.png", "-o", "s.html"],
        ["sheet", "b.png", "-o", "s.html", "--json"], ["duplicates", "b.png", "in/a.png"],
        ["tile", "b.png", "-o", "t"], ["tile", "b.png", "-o", "t", "--json"],
        ["watch", "in", "-o", "out"],
        ["watch", "in", "-o", "out", "--json"], ["worker"],
        ["frames", "pattern:8x8", "--frames", "2", "-o", "-"], [], ["--help"], ["--version"], ["help", "resize"],
        ["compress", "--help"], ["--generate-completion-script", "bash"],
    ]

    private func run(_ arguments: [String], to descriptor: Int32) throws -> RunningProgram.Outcome {
        let input = arguments == ["worker"] ? Array(#"{"input": "b.png", "output": "c.png"}"#.utf8) : []
        return try RunningProgram(
            RunningProgram.texel, arguments, in: workspace.directory.path, input: input, outputDescriptor: descriptor
        ).wait()
    }

    #if os(Linux)
        @Test(arguments: calls) func fullDisksAreReportedOnce(arguments: [String]) throws {
            let device = try FileHandle(forWritingTo: URL(fileURLWithPath: "/dev/full"))
            let outcome = try run(arguments, to: device.fileDescriptor)
            #expect(outcome.status == 74, "\(outcome.errors)")
            #expect(outcome.errors.contains("No space left on device"), "\(outcome.errors)")
            #expect(outcome.errorLines.count { $0.contains("No space left on device") } == 1, "\(outcome.errors)")
        }
    #endif

    @Test(arguments: calls) func closedPipesFailTheCall(arguments: [String]) throws {
        let pipe = try PrivatePipe()
        try pipe.reading.close()
        #expect(try run(arguments, to: pipe.writing.fileDescriptor).status == 74)
    }

    /// The files are written nevertheless.
    @Test func filesAreWritten() throws {
        let pipe = try PrivatePipe()
        try pipe.reading.close()
        let outcome = try run(["compress", "in", "b.png", "-r", "-o", "out"], to: pipe.writing.fileDescriptor)
        #expect(outcome.status == 74 && outcome.errors == "", "\(outcome.errors)")
        #expect(try workspace.files().filter { $0.hasPrefix("out/") } == ["out/a.png", "out/b.png"])
    }
}
