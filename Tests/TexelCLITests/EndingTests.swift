import Foundation
import PlatformLibc
import TestSupport
import Testing
import Texel

/// One signal ends every command wherever it waits, with the exit code for interruptions and without leftovers.
@Suite struct EndingTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        try workspace.add("a.png", try Sample.png(PixelSize(width: 300, height: 200)))
        for name in ["pipe.png", "pipe.y4m", "pipe.toml", "pipe.html"] {
            try #require(mkfifo(workspace.directory(name), 0o600) == 0)
        }
    }

    /// How long a program may take on a busy machine. Without a signal it would wait for ever.
    private static let patience = Duration.seconds(20)

    /// Starts a program, sends a signal once it waits, and checks its end.
    private func expectEnd(
        _ arguments: [String], signal: Int32 = SIGTERM, input: FileHandle? = nil, output: FileHandle? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let process = try RunningProgram(
            RunningProgram.texel, arguments, in: workspace.directory.path, inputHandle: input,
            outputDescriptor: output?.fileDescriptor)
        process.waitUntilItWaits()
        try #require(process.isRunning, "\(arguments) ended early", sourceLocation: sourceLocation)
        process.send(signal)
        let hasEnded = process.waits(atMost: Self.patience) { !process.isRunning }
        #expect(hasEnded, "\(arguments) does not end", sourceLocation: sourceLocation)
        if !hasEnded { process.send(SIGKILL) }
        let outcome = try process.wait()
        #expect(outcome.status == 130, "\(arguments): \(outcome.errors)", sourceLocation: sourceLocation)
        let leftovers = try workspace.files().filter { $0.contains(".texel-") && !$0.hasSuffix(".texel-manifest") }
        #expect(leftovers.isEmpty, "\(arguments): \(leftovers)", sourceLocation: sourceLocation)
    }

    /// Nobody has opened the other end of the pipe.
    @Test(arguments: [
        ["compress", "pipe.png", "-o", "x.png"], ["resize", "pipe.png", "--width", "9", "-o", "x.png"],
        ["rotate", "a.png", "pipe.png", "--angle", "90", "-o", "out"],
        ["compress", "a.png", "--overlay", "pipe.png", "-o", "x.png"],
        ["compress", "a.png", "--recipe", "pipe.toml", "-o", "x.png"],
        ["info", "pipe.png"], ["info", "pipe.png", "--analyze"], ["sheet", "pipe.png", "-o", "s.png"],
        ["sheet", "pipe.png", "-o", "s.html"], ["tile", "pipe.png", "-o", "t"], ["duplicates", "pipe.png", "a.png"],
        ["compare", "pipe.png", "a.png"], ["compare", "a.png", "pipe.png"], ["show", "pipe.png"],
        ["frames", "pipe.y4m", "-o", "x.y4m"],
    ])
    func waitingForAWriter(arguments: [String]) throws { try expectEnd(arguments) }

    @Test(arguments: [
        ["compress", "a.png", "-o", "pipe.png"], ["resize", "a.png", "--width", "9", "-o", "pipe.png"],
        ["rotate", "a.png", "--angle", "90", "-o", "pipe.png"], ["sheet", "a.png", "-o", "pipe.png"],
        ["compare", "a.png", "a.png", "--heatmap", "pipe.png"], ["frames", "pattern:64x64", "-o", "pipe.y4m"],
        ["frames", "pattern:64x64", "--frames", "1", "-o", "pipe.png"],
        ["compress", "a.png", "-o", "x.png", "--report", "pipe.html"],
    ])
    func waitingForAReader(arguments: [String]) throws { try expectEnd(arguments) }

    @Test(arguments: [
        ["compress", "a.png", "-o", "-"], ["resize", "a.png", "--width", "9", "-o", "/dev/stdout"],
        ["rotate", "a.png", "--angle", "90", "-o", "x.png"], ["info", "a.png"], ["info", "a.png", "none", "--json"],
        ["sheet", "a.png", "-o", "s.png"], ["tile", "a.png", "-o", "t"], ["duplicates", "a.png", "a.png"],
        ["compare", "a.png", "a.png"], ["show", "a.png"], ["watch", ".", "-o", "out", "--json"],
        ["frames", "pattern:640x480", "-o", "-"], ["--generate-completion-script", "bash"],
        ["help", "compress", "--all"],
    ])
    func fullStandardOutput(arguments: [String]) throws {
        let pipe = try fullPipe()
        try expectEnd(arguments, output: pipe.writing)
        try pipe.reading.close()
    }

    @Test(arguments: [["compress", "-", "-o", "x.png"], ["info", "-"], ["compare", "-", "a.png"], ["worker"]])
    func silentStandardInput(arguments: [String]) throws {
        let pipe = try PrivatePipe()
        try expectEnd(arguments, input: pipe.reading)
        try pipe.writing.close()
    }

    @Test(arguments: [
        #"{"input": "a.png", "output": "pipe.png"}"#, #"{"input": "pipe.png", "output": "x.png"}"#,
        #"{"command": "info", "input": "pipe.png"}"#,
        #"{"command": "compare", "original": "a.png", "candidate": "pipe.png"}"#,
    ])
    func workerInTheMiddleOfAJob(job: String) throws {
        let pipe = try PrivatePipe()
        try pipe.writing.write(contentsOf: Data("\(job)\n".utf8))
        try expectEnd(["worker"], input: pipe.reading)
        try pipe.writing.close()
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP]) func signalsEndCommandsThatWaitForPipes(signal: Int32) throws {
        try expectEnd(["compress", "a.png", "-o", "pipe.png"], signal: signal)
        try expectEnd(["info", "pipe.png"], signal: signal)
    }

    /// A pipe that holds no more bytes.
    private func fullPipe() throws -> PrivatePipe {
        let pipe = try PrivatePipe()
        let descriptor = pipe.writing.fileDescriptor
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        let bytes = [UInt8](repeating: 0, count: Int(PIPE_BUF))
        while write(descriptor, bytes, bytes.count) > 0 {}
        _ = fcntl(descriptor, F_SETFL, 0)
        return pipe
    }
}
