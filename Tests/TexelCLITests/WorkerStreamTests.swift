import Foundation
import PlatformLibc
import TestSupport
import Testing
import Texel

/// The order and flow of jobs and results.
@Suite struct WorkerStreamTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        try workspace.add("a.png", try Sample.png(PixelSize(width: 8, height: 8)))
    }

    private func job(_ id: Int, _ input: String = "a.png") -> JobObject {
        ["id": id, "command": "resize", "input": input, "output": "out/{name}-\(id).png", "width": 4]
    }

    /// Adds a pipe that blocks its reader until the test writes into it.
    private func addPipe(_ name: String) throws {
        try #require(mkfifo(workspace.directory(name), 0o600) == 0)
    }

    private func fill(_ name: String) throws {
        let descriptor = open(workspace.directory(name), O_WRONLY)
        try #require(descriptor >= 0)
        try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).write(contentsOf: try workspace.bytes("a.png"))
    }

    /// Every result is printed before the next job is sent.
    @Test(arguments: [[], ["--unordered"]]) func resultsAreNotHeldBack(flags: [String]) throws {
        let worker = try WorkerProcess(in: workspace)
        for id in 0..<5 {
            try worker.send(job(id))
            #expect(try worker.result().number == id)
        }
        #expect(try worker.end().status == 0)
    }

    @Test func resultsFollowTheOrderOfJobs() throws {
        try addPipe("slow")
        let worker = try WorkerProcess("--jobs", "2", in: workspace)
        try worker.send(job(0, "slow"))
        for id in 1..<50 { try worker.send(job(id)) }
        try fill("slow")
        #expect(try (0..<50).map { _ in try worker.result().number } == Array(0..<50))
        #expect(try worker.end().status == 0)
    }

    @Test func unorderedResultsDoNotWaitForSlowJobs() throws {
        try addPipe("slow")
        let worker = try WorkerProcess("--unordered", "--jobs", "2", in: workspace)
        try worker.send(job(0, "slow"))
        for id in 1..<50 { try worker.send(job(id)) }
        // These do not wait for the first one.
        #expect(try Set((1..<50).map { _ in try worker.result().number }) == Set(1..<50))
        try fill("slow")
        #expect(try worker.result().number == 0)
        #expect(try worker.end().status == 0)
    }

    @Test(arguments: [[], ["--unordered"]]) func thousandsOfJobsKeepTheirNumbers(flags: [String]) throws {
        let lines = (0..<3000).map { id in
            id % 10 == 9 ? "{\"id\":\(id)}" : (["id": id, "command": "info", "input": "a.png"] as JobObject).line
        }
        let outcome = try workspace.run(["worker"] + flags, input: Array((lines.joined(separator: "\n") + "\n").utf8))
        let results = try WorkerObject.all(in: outcome)
        let numbers = results.compactMap(\.number)
        #expect(flags.isEmpty ? numbers == Array(0..<3000) : numbers.sorted() == Array(0..<3000))
        #expect(results.allSatisfy { $0.line == ($0.number ?? 0) + 1 })
        #expect(results.count { $0.code == 64 } == 300 && outcome.status == 1)
    }

    /// Workers with the same list, in any order, share it.
    @Test(arguments: [1, 2, 3, 7]) func shardsAreAPartition(count: Int) throws {
        let lines = (0..<300).map { "{\"id\":\($0),\"command\":\"info\",\"input\":\"a.png\"}" } + ["no job"]
        var found: [Int: Int] = [:]
        var refused = 0
        for index in 1...count {
            let (_, results) = try workspace.work(lines, "--shard", "\(index)/\(count)")
            let (_, again) = try workspace.work(lines.reversed(), "--shard", "\(index)/\(count)")
            #expect(Set(results.map(\.number)) == Set(again.map(\.number)))
            // About equal: within four standard deviations.
            let mean = 301.0 / Double(count)
            #expect(abs(Double(results.count) - mean) <= 4 * mean.squareRoot())
            for result in results {
                if let number = result.number { found[number, default: 0] += 1 } else { refused += 1 }
            }
        }
        #expect(found.count == 300 && found.values.allSatisfy { $0 == 1 } && refused == 1)
    }

    /// Waits until a worker is blocked because its results are not read.
    private func waitUntilBlocked(_ worker: WorkerProcess) {
        // The pipe is full once each of its 16 pages is begun; lines leave parts of them empty.
        while worker.process.unreadCount <= 11 * 4096 { sched_yield() }
    }

    /// If results are not read, the work stops; the jobs that have been started and read are bounded.
    @Test func unreadResultsStopTheWork() throws {
        let worker = try WorkerProcess("--jobs", "1", in: workspace)
        let job: JobObject = ["command": "info", "input": "a.png"]
        let sent = worker.send(endlessly: [job])
        waitUntilBlocked(worker)
        let before = worker.process.unreadCount
        worker.process.send(SIGKILL)
        let outcome = try worker.end()
        #expect(outcome.status == -SIGKILL)
        // At most two pipes of jobs, those read and those waiting, besides the jobs whose results were written.
        let line = job.line.utf8.count + 1
        let results = outcome.lines.count
        // A line of results has about 600 bytes.
        #expect(before <= 64 << 10 && results > 50)
        #expect(sent.wait() <= (results + 3) * line + 2 * (64 << 10) + line)
    }

    /// No more jobs are carried out than are reported or running.
    @Test func workInFlightIsBounded() throws {
        let worker = try WorkerProcess("--jobs", "1", in: workspace)
        let sent = worker.send(endlessly: (0..<5000).map { job($0) })
        waitUntilBlocked(worker)
        worker.process.send(SIGKILL)
        let told = try worker.process.wait().lines.count
        let made = try workspace.files().count { $0.hasPrefix("out/a-") }
        #expect(told > 100 && told <= made && made <= told + 3, "\(told) told, \(made) made")
        _ = sent.wait()
    }

    // MARK: The end

    @Test(arguments: [SIGINT, SIGTERM]) func stoppedInTheMiddle(signal: Int32) throws {
        try addPipe("slow")
        let worker = try WorkerProcess("--unordered", "--jobs", "2", in: workspace)
        for id in 0..<10 { try worker.send(job(id)) }
        try worker.send(job(10, "slow"))
        for _ in 0..<10 { #expect(try worker.result().status == "written") }
        worker.process.send(signal)
        let outcome = try worker.end()
        #expect(outcome.status == 130 && outcome.lines.isEmpty && outcome.errors == "")
        #expect(try workspace.files().count { $0.hasPrefix("out/") } == 10)
    }

    @Test func stoppedWhileItWaitsForJobs() throws {
        let worker = try WorkerProcess(in: workspace)
        try worker.send(job(0))
        #expect(try worker.result().number == 0)
        worker.process.send(SIGTERM)
        let outcome = try worker.process.wait()
        #expect(outcome.status == 130 && outcome.lines.isEmpty && outcome.errors == "")
    }

    @Test func stoppedWhileItWaitsForItsReader() throws {
        let worker = try WorkerProcess(in: workspace)
        let sent = worker.send(endlessly: [["command": "info", "input": "a.png"]])
        waitUntilBlocked(worker)
        worker.process.send(SIGTERM)
        let outcome = try worker.process.wait(reading: false)
        #expect(outcome.status == 130 && outcome.errors == "")
        _ = sent.wait()
    }

    @Test func aReaderThatGoesAway() throws {
        let worker = try WorkerProcess(in: workspace)
        let sent = worker.send(endlessly: [["command": "info", "input": "a.png"]])
        #expect(try worker.result().status == "done")
        try worker.process.stopReading()
        let outcome = try worker.process.wait(reading: false)
        #expect(outcome.status == 74 && outcome.errors == "")
        _ = sent.wait()
    }

    @Test func jobsThatCannotBeRead() throws {
        let directory = open(workspace.directory.path, O_RDONLY | O_CLOEXEC)
        let process = try RunningProgram(
            ["worker"], in: workspace.directory.path, inputHandle: FileHandle(fileDescriptor: directory))
        let outcome = try process.wait()
        #expect(outcome.status == 74 && outcome.lines.isEmpty)
        #expect(outcome.errors.hasPrefix("texel: cannot read standard input: "), "\(outcome.errors)")
    }
}
