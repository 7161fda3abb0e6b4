import Foundation
import PlatformLibc
import TestSupport
import Testing
import Texel

/// Commands other than batches that are killed at random moments: every output is absent or complete.
///
/// `make test-kills COUNT=1000` runs it with the release build for any number of rounds.
@Suite struct KilledCommandTests {
    enum Command: CaseIterable {
        case sheet, tile, watch

        var arguments: [String] {
            switch self {
            case .sheet: ["sheet", "in", "-r", "-o", "out/sheet.png", "--columns", "2", "--no-captions", "--overwrite"]
            case .tile: ["tile", "in/large.png", "-o", "out", "--tile-size", "64"]
            case .watch: ["watch", "in", "-o", "out", "--width", "40", "--json", "--debounce", "50ms"]
            }
        }

        /// How many lines the command prints until everything is done.
        var lineCount: Int { self == .watch ? 9 : 1 }
    }

    private let workspace: Workspace
    private let count: Int
    private let program: String

    init() throws {
        let environment = ProcessInfo.processInfo.environment
        count = (environment["TEXEL_KILLS"].flatMap { Int($0) } ?? 27) / Command.allCases.count
        program = environment["TEXEL_PROGRAM"] ?? RunningProgram.texel
        workspace = try Workspace()
        let large = try PixelBuffer.noise(PixelSize(width: 400, height: 300), alphaMode: .opaque)
        try workspace.add("in/large.png", try large.encoded(as: .png(PNGOptions(effort: .fast))))
        for index in 0..<7 { try workspace.add("in/\(index).png", try Sample.png(PixelSize(width: 60, height: 40))) }
    }

    /// The files in the output folder, without the record of a watch.
    private func outputs() throws -> [String: [UInt8]] {
        try workspace.directory.contents().filter { $0.key.hasPrefix("out/") && !$0.key.hasSuffix("/.texel-manifest") }
    }

    private func start(_ command: Command) throws -> RunningProgram {
        try RunningProgram(command.arguments, in: workspace.directory.path, program: program)
    }

    /// Runs a command until everything is done.
    private func finish(_ command: Command) throws -> (outputs: [String: [UInt8]], transfer: Int) {
        let process = try start(command)
        for _ in 0..<command.lineCount { _ = try process.readLine() }
        let transfer = process.transferredByteCount ?? 0
        process.send(SIGTERM)
        let status = try process.wait().status
        #expect(status == 0 || status == 130)
        return (try outputs(), transfer)
    }

    @Test(arguments: Command.allCases) func killedAtAnyMoment(command: Command) throws {
        var generator = SeededGenerator(seed: UInt64(count))
        try workspace.add("out/other.txt", [1])
        let (whole, transfer) = try finish(command)
        var leftovers = 0
        for round in 0..<count {
            try FileManager.default.removeItem(atPath: workspace.directory("out"))
            try workspace.add("out/other.txt", [1])
            let process = try start(command)
            let point = Int.random(in: 0...transfer, using: &generator)
            while process.isRunning, let count = process.transferredByteCount, count < point { sched_yield() }
            process.send(SIGKILL)
            _ = try process.wait()

            let found = try outputs()
            let visible = found.filter { !$0.key.contains("/.") }
            leftovers += found.count - visible.count
            for (name, bytes) in visible { #expect(bytes == whole[name], "round \(round): \(name)") }
            #expect(visible["out/other.txt"] == [1])
            // A pyramid's description appears last.
            if visible["out/large.dzi"] != nil { #expect(visible == whole, "round \(round)") }
            // The next watch makes what is missing.
            guard command == .watch, round % 5 == 0 else { continue }
            let next = try start(command)
            while try outputs().filter({ !$0.key.contains("/.") }) != whole {
                try #require(next.isRunning)
                sched_yield()
            }
            next.send(SIGTERM)
            let outcome = try next.wait()
            #expect(outcome.status == 130 && !outcome.text.contains(#""failed""#), "round \(round): \(outcome.text)")
        }
        print("\(command): killed \(count) times; \(leftovers) temporary files are left")
    }
}
