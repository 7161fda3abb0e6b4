import Foundation
import PlatformLibc
import SystemPackage
import TestSupport
import Testing
import TexelCodecs
import TexelCore
import TexelJPEG
import TexelPixels

@testable import TexelBatch
@testable import TexelPipeline

/// Stopped files and batches end with the reason and leave no unfinished files.
@Suite struct StoppedBatchTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        let image = try PixelBuffer.smooth(PixelSize(width: 40, height: 30))
        try directory.add("a.jpg", try image.encoded(as: .jpeg(JPEGOptions())))
    }

    private func process(_ stop: StopToken, _ options: ProcessingOptions = ProcessingOptions()) async -> FileResult {
        await Batch.process(
            FilePath(directory("a.jpg")), to: FilePath(directory("b.jpg")), with: Recipe().resizing(width: 10),
            options: options,
            stop: stop)
    }

    @Test func cancelledItemsWriteNothing() async throws {
        let stop = StopToken()
        #expect(await process(stop).status == .written)
        stop.cancel()
        try FileManager.default.removeItem(atPath: directory("b.jpg"))
        let result = await process(stop)
        #expect(result.status == .failed && result.error == .stopped(.cancelled))
        #expect(try directory.files() == ["a.jpg"])
    }

    @Test func timedOutItemsWriteNothing() async throws {
        var options = ProcessingOptions()
        options.timeout = .zero
        #expect(await process(StopToken(), options).error == .stopped(.timedOut))
        #expect(try directory.files() == ["a.jpg"])
    }

    /// A pipe without a reader, and one whose reader does not read: the wait ends with the time.
    @Test(arguments: [false, true]) func outputWithoutAReader(isOpen: Bool) async throws {
        let pipe = directory("pipe.jpg")
        try #require(mkfifo(pipe, 0o600) == 0)
        let reader = isOpen ? open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC) : -1
        defer { if isOpen { close(reader) } }
        let image = try PixelBuffer.noise(PixelSize(width: 600, height: 500), alphaMode: .opaque)
        // More than a pipe holds.
        try directory.add("large.jpg", try image.encoded(as: .jpeg(JPEGOptions(quality: 95))))
        var options = ProcessingOptions()
        options.timeout = .seconds(2)
        let result = await Batch.process(
            FilePath(directory("large.jpg")), to: FilePath(pipe), with: Recipe().rotating(by: 90), options: options,
            stop: StopToken())
        #expect(result.error == .stopped(.timedOut))
    }

    /// Stopping a batch: finished files are kept, the rest is reported as stopped, and the results end.
    @Test func stoppedBatchesKeepFinishedFiles() async throws {
        let stop = StopToken()
        let items = try (0..<40).map { index in
            if index == 20 {
                let source = ActingSource(bytes: try directory.bytes("a.jpg")) { stop.cancel() }
                return InputItem(source, fileName: "120.jpg")
            }
            let path = try directory.add("in/\(index + 100).jpg", try directory.bytes("a.jpg"))
            return InputItem(path: FilePath(path), relativePath: FilePath("\(index + 100).jpg"))
        }
        let batch = Batch(
            items, to: .directory(FilePath(directory("out"))), recipe: Recipe(),
            pool: WorkerPool(width: 1, byteBudget: 1 << 20), stop: stop)
        var results: [FileResult] = []
        for await result in batch.results() { results.append(result) }
        #expect(results.map(\.input) == items.map(\.path))
        let finished = results.filter { $0.error == nil }
        // Two are in work at the same time, and the other one may be any of those before.
        #expect((18...21).contains(finished.count))
        #expect(results.allSatisfy { [nil, .stopped(.cancelled)].contains($0.error) })
        #expect(results.suffix(18).allSatisfy { $0.error != nil })
        #expect(try directory.files().count { $0.hasPrefix("out/") } == finished.count)
    }

    @Test func emptyBatchDoesNotStopItsToken() async {
        for _ in 0..<100 {
            let stop = StopToken()
            for await _ in Batch([], to: .besideInput, recipe: Recipe(), stop: stop).results() {}
            #expect(stop.reason == nil)
        }
    }
}
