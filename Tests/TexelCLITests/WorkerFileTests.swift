import Foundation
import TestSupport
import Testing
import Texel

/// The files that the jobs of a worker read and write, as docs/worker.md describes them.
@Suite struct WorkerFileTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        try workspace.add("a.jpg", try Sample.jpeg())
    }

    private func setTime(_ name: String) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Self.time], ofItemAtPath: workspace.directory(name))
    }

    private func time(_ name: String) throws -> Date? {
        try FileManager.default.attributesOfItem(atPath: workspace.directory(name))[.modificationDate] as? Date
    }

    private static let time = Date(timeIntervalSince1970: 1_000_000_000)

    @Test func existingOutputsAreReplacedOnlyOnRequest() throws {
        try workspace.add("b.jpg", "mine".utf8)
        let refused = try workspace.work(["input": "a.jpg", "output": "b.jpg"])
        #expect(refused.map(\.code) == [73] && refused[0].error?.contains("already exists") == true, "\(refused)")
        let skipped = try workspace.work(["input": "a.jpg", "output": "b.jpg", "skipExisting": true])
        #expect(skipped.map(\.status) == ["skipped"] && skipped[0].code == 0)
        #expect(try workspace.bytes("b.jpg") == Array("mine".utf8))
        let written = try workspace.work(["input": "a.jpg", "output": "b.jpg", "overwrite": true, "width": 8])
        #expect(written.map(\.status) == ["written"], "\(written)")
        #expect(try workspace.image("b.jpg").width == 8)
    }

    /// The input is replaced only with `inPlace`.
    @Test func inputsAreReplacedOnlyInPlace() throws {
        let before = try workspace.bytes("a.jpg")
        let refused = try workspace.work(["input": "a.jpg", "output": "./a.jpg", "overwrite": true, "width": 8])
        #expect(refused.map(\.code) == [73])
        #expect(try workspace.bytes("a.jpg") == before)
        try setTime("a.jpg")
        let replaced = try workspace.work(["input": "a.jpg", "inPlace": true, "keepTimes": true, "width": 8])
        #expect(replaced.map(\.status) == ["written"] && replaced[0].output == "a.jpg", "\(replaced)")
        #expect(try workspace.image("a.jpg").width == 8)
        #expect(try time("a.jpg") == Self.time)
        #expect(try workspace.files() == ["a.jpg"])
    }

    @Test func placesOfOutputs() throws {
        try setTime("a.jpg")
        let results = try workspace.work(
            ["input": "a.jpg", "width": 8], ["input": "a.jpg", "output": "x/y/", "width": 8, "keepTimes": true],
            ["input": "a.jpg", "output": "{dir}/t/{name}-{width}.{ext}", "width": 8],
            ["input": "a.jpg", "output": "new/b.png", "width": 8])
        let expected = ["a-texel.jpg", "x/y/a.jpg", "./t/a-8.jpg", "new/b.png"]
        #expect(results.map(\.output) == expected && results.allSatisfy { $0.status == "written" }, "\(results)")
        #expect(try workspace.files() == ["a-texel.jpg", "a.jpg", "new/b.png", "t/a-8.jpg", "x/y/a.jpg"])
        #expect(try time("x/y/a.jpg") == Self.time)
    }

    /// Several jobs for one output at the same time: with `overwrite` all of them write, without it one does.
    @Test func jobsForOneOutput() throws {
        for overwrites in [true, false] {
            let jobs = (0..<20).map { index -> String in
                let job: JobObject = [
                    "input": "a.jpg", "output": "b.png", "width": 8 + index, "overwrite": overwrites,
                ]
                return job.line
            }
            let (outcome, results) = try workspace.work(jobs, "--jobs", "4")
            #expect(results.count { $0.status == "written" } == (overwrites ? 20 : 1), "\(results)")
            #expect(results.allSatisfy { $0.status == "written" || $0.code == 73 })
            #expect(outcome.status == (overwrites ? 0 : 1))
            #expect(try (8..<28).contains(workspace.image("b.png").width))
            #expect(try workspace.files() == ["a.jpg", "b.png"])
            try FileManager.default.removeItem(atPath: workspace.directory("b.png"))
        }
    }

    @Test func heatmapsAreReplacedOnlyWithOverwrite() throws {
        try workspace.add("map.png", "mine".utf8)
        let job: JobObject = ["command": "compare", "original": "a.jpg", "candidate": "a.jpg", "heatmap": "map.png"]
        #expect(try workspace.work(job).map(\.code) == [73])
        #expect(try workspace.bytes("map.png") == Array("mine".utf8))
        #expect(try workspace.work(JobObject(job.fields + [("overwrite", true)])).map(\.status) == ["done"])
        #expect(try workspace.image("map.png").size == Sample.size)
    }

    /// A worker is killed, and another one gets the same jobs: the same bytes, and no others.
    @Test func jobsThatAreSentAgain() throws {
        let noise = try PixelBuffer.noise(PixelSize(width: 300, height: 200), alphaMode: .opaque)
        try workspace.add("noise.png", try noise.encoded(as: .png(PNGOptions(effort: .fast))))
        let jobs = (0..<12).map { index -> JobObject in
            ["input": "noise.png", "output": "out/\(index).png", "width": 200 + index, "overwrite": true]
        }
        #expect(try workspace.work(jobs.map(\.line)).0.status == 0)
        func outputs() throws -> [String: [UInt8]] {
            try workspace.directory.contents().filter { $0.key.hasPrefix("out/") && !$0.key.hasPrefix("out/.") }
        }
        let whole = try outputs()
        #expect(whole.count == 12)
        try FileManager.default.removeItem(atPath: workspace.directory("out"))

        let worker = try WorkerProcess(in: workspace)
        for job in jobs { try worker.send(job) }
        #expect(try worker.result().status == "written")
        worker.process.send(SIGKILL)
        #expect(try worker.end().status == -SIGKILL)
        for (name, bytes) in try outputs() { #expect(whole[name] == bytes, "\(name)") }
        #expect(try workspace.work(jobs.map(\.line)).0.status == 0)
        #expect(try outputs() == whole)
    }

    /// Each job has the exit code that the program would have.
    @Test func jobsReportTheExitCodesOfTheProgram() throws {
        try workspace.add("bad.jpg", "no image".utf8)
        let (outcome, results) = try workspace.work(
            [
                ["input": "bad.jpg", "output": "b.jpg"], ["input": "gone.jpg", "output": "b.jpg"],
                ["input": "a.jpg", "output": "b.jpg", "limitPixels": 10],
                ["input": "a.jpg", "output": "b.jpg", "maxBytes": 20],
                ["input": "a.jpg", "output": "bad.jpg/b.jpg"], ["input": "a.jpg", "output": "b.jpg", "width": 0],
                ["input": "a.jpg", "output": "/dev/full"],
            ].map { (job: JobObject) in job.line })
        #expect(results.map(\.code) == [65, 66, 69, 69, 73, 64, 74], "\(results)")
        #expect(results.allSatisfy { $0.status == "failed" && $0.error != nil } && outcome.status == 1)
        #expect(try workspace.files() == ["a.jpg", "bad.jpg"])
    }

    @Test func firstOfRepeatedFieldsCounts() throws {
        let (_, results) = try workspace.work([#"{"input":"a.jpg","input":"gone.jpg","output":"b.jpg","width":8}"#])
        #expect(results.map(\.status) == ["written"] && results[0].input == "a.jpg", "\(results)")
    }
}
