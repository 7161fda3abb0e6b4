import Foundation
import TestSupport
import Testing

/// A running `texel watch` whose events a test reads.
final class WatchProcess {
    let process: RunningProgram
    private(set) var events: [WatchObject] = []

    /// Starts to watch `in` for `out`, and waits until all changes will be reported.
    init(_ arguments: String..., in workspace: Workspace, folder: String = "in", output: String = "out") throws {
        process = try RunningProgram(
            ["watch", folder, "-o", output, "--json", "--debounce", "50ms"] + arguments, in: workspace.directory.path)
        let first = try next()
        try #require(first.event == "watching", "\(first)")
    }

    /// Waits for the next event.
    func next() throws -> WatchObject {
        let line = try process.readLine()
        let event = try JSONDecoder().decode(WatchObject.self, from: Data(line.utf8))
        events.append(event)
        return event
    }

    /// Waits until this many inputs have been processed since the call.
    func finished(_ count: Int) throws -> [WatchObject] {
        var found: [WatchObject] = []
        while found.count < count {
            let event = try next()
            if event.event == "finished" { found.append(event) }
        }
        return found
    }

    /// Ends the watch.
    func end() throws -> RunningProgram.Outcome {
        process.send(SIGTERM)
        return try process.wait()
    }
}

/// One line of `watch --json`.
struct WatchObject: Decodable {
    var event: String
    var input: String
    var from: String?
    var output: String?
    var error: String?
    var status: String?
    var width: Int?
    var folders: Int?
}
