import Foundation
import TestSupport
import Testing
import Texel

/// The promises of a batch about files, to a package that imports only Texel.
@Suite(.timeLimit(.minutes(30))) struct BatchFileTests {
    private let directory: TemporaryDirectory
    private let small = Recipe().resizing(width: 16)

    init() throws {
        directory = try TemporaryDirectory()
        let image = try PixelBuffer.smooth(PixelSize(width: 60, height: 40))
        for name in ["in/a.jpg", "in/deep/b.jpg"] {
            try directory.add(name, try image.encoded(as: .jpeg(JPEGOptions(quality: 95))))
        }
    }

    private func path(_ name: String) -> FilePath { FilePath(directory(name)) }

    private var items: [InputItem] { InputExpansion.expand([directory("in")], isRecursive: true).items }

    private func results(
        _ store: some OutputStore, manifest: BatchManifest? = nil,
        _ change: (inout ProcessingOptions) -> Void = { _ in }
    ) async -> [FileResult] {
        var options = ProcessingOptions()
        change(&options)
        let batch = Batch(items, to: store, recipes: [small], options: options, manifest: manifest)
        var results: [FileResult] = []
        for await result in batch.results() { results.append(result) }
        return results
    }

    private func width(_ name: String) throws -> Int {
        try CodecRegistry.shared.open(InputBytes(try directory.bytes(name))).info.size.width
    }

    /// The tree of the inputs is kept, and missing folders are made.
    @Test func intoAFolder() async throws {
        let before = try directory.contents()
        let results = await results(.directory(path("new/out")))
        #expect(results.map(\.status) == [.written, .written])
        #expect(results.map(\.output) == [path("new/out/a.jpg"), path("new/out/deep/b.jpg")])
        #expect(try width("new/out/deep/b.jpg") == 16)
        #expect(try directory.contents().filter { $0.key.hasPrefix("in/") } == before)
    }

    @Test func besideTheInputs() async throws {
        #expect(await results(.besideInput).map(\.status) == [.written, .written])
        #expect(
            try directory.files() == ["in/a-texel.jpg", "in/a.jpg", "in/deep/b-texel.jpg", "in/deep/b.jpg"])
    }

    @Test func throughATemplate() async throws {
        let template = try OutputTemplate("\(directory("out"))/{name}-{width}.{ext}")
        #expect(await results(.template(template)).map(\.status) == [.written, .written])
        #expect(try directory.files().filter { $0.hasPrefix("out/") } == ["out/a-16.jpg", "out/b-16.jpg"])
    }

    /// Each input is replaced; its permissions stay, and its times on demand.
    @Test(arguments: [false, true]) func inPlaceReplacesInputsAndKeepsPermissions(keepsTimes: Bool) async throws {
        let written = Date(timeIntervalSince1970: 1_000_000_000)
        try FileManager.default.setAttributes(
            [.modificationDate: written, .posixPermissions: 0o640], ofItemAtPath: directory("in/a.jpg"))
        let results = await results(.inPlace) { $0.keepsTimes = keepsTimes }
        #expect(results.map(\.status) == [.written, .written])
        #expect(try width("in/a.jpg") == 16 && width("in/deep/b.jpg") == 16)
        #expect(try directory.files() == ["in/a.jpg", "in/deep/b.jpg"])
        let attributes = try FileManager.default.attributesOfItem(atPath: directory("in/a.jpg"))
        #expect(attributes[.posixPermissions] as? Int == 0o640)
        #expect((attributes[.modificationDate] as? Date == written) == keepsTimes)
    }

    @Test func timesOfOutputs() async throws {
        let written = Date(timeIntervalSince1970: 1_000_000_000)
        try FileManager.default.setAttributes([.modificationDate: written], ofItemAtPath: directory("in/a.jpg"))
        _ = await results(.directory(path("out"))) { $0.keepsTimes = true }
        let attributes = try FileManager.default.attributesOfItem(atPath: directory("out/a.jpg"))
        #expect(attributes[.modificationDate] as? Date == written)
    }

    /// Existing files stay, are skipped, or are replaced.
    @Test func existingOutputsFollowTheOptions() async throws {
        try directory.add("out/a.jpg", "mine".utf8)
        let refused = await results(.directory(path("out")))
        #expect(refused.map(\.status) == [.failed, .written])
        #expect(refused[0].error == .alreadyExists(path("out/a.jpg")))
        let skipped = await results(.directory(path("out"))) { $0.skipsExisting = true }
        #expect(skipped.map(\.status) == [.skipped, .skipped])
        #expect(try directory.bytes("out/a.jpg") == Array("mine".utf8))
        let replaced = await results(.directory(path("out"))) { $0.overwrites = true }
        #expect(replaced.map(\.status) == [.written, .written])
        #expect(try width("out/a.jpg") == 16)
    }

    /// No option lets a result replace its own input or another one; only `.inPlace` does.
    @Test func inputsAreNotReplaced() async throws {
        let before = try directory.contents()
        let results = await results(.directory(path("in"))) { $0.overwrites = true }
        #expect(results.map(\.error) == ["in/a.jpg", "in/deep/b.jpg"].map { .isInput(path($0)) })
        #expect(try directory.contents().filter { !$0.key.hasSuffix(".texel-manifest") } == before)
    }

    /// A link that is found below the output folder is not followed.
    @Test func linksBelowTheFolder() async throws {
        try directory.add("elsewhere/b.jpg", "mine".utf8)
        try directory.add("out/x", [])
        try FileManager.default.createSymbolicLink(
            atPath: directory("out/deep"), withDestinationPath: directory("elsewhere"))
        let results = await results(.directory(path("out"))) { $0.overwrites = true }
        #expect(results.map(\.error) == [nil, .isLink(path("out/deep"))])
        #expect(try directory.bytes("elsewhere/b.jpg") == Array("mine".utf8))
    }

    @Test func dryRunsWriteNothing() async throws {
        let before = try directory.contents()
        let stores: [any OutputStore] = [DirectoryStore(path("out")), InPlaceStore(), BesideInputStore()]
        for store in stores {
            let results = await results(store) { $0.isDryRun = true }
            #expect(results.map(\.status) == [.planned, .planned])
            #expect(results.allSatisfy { $0.output != nil && $0.plan != nil })
        }
        #expect(try directory.contents() == before)
    }

    /// A file that fails does not stop the others and has no output, nor have inputs that were not found.
    @Test func failedFilesDoNotStopTheOthers() async throws {
        try directory.add("in/0.jpg", try directory.bytes("in/a.jpg").prefix(500))
        let found = InputExpansion.expand([directory("in"), directory("gone.jpg")], isRecursive: true)
        #expect(found.failures == [.missingFile(path("gone.jpg"))])
        let batch = Batch(found.items, failures: found.failures, to: .directory(path("out")), recipe: small)
        var results: [FileResult] = []
        for await result in batch.results() { results.append(result) }
        #expect(results.map(\.status) == [.failed, .failed, .written, .written])
        #expect(results.map(\.input) == ["gone.jpg", "in/0.jpg", "in/a.jpg", "in/deep/b.jpg"].map(path))
        #expect(try directory.files().filter { $0.hasPrefix("out/") } == ["out/a.jpg", "out/deep/b.jpg"])
    }

    /// Only what is missing or has changed is done again; two batches with one manifest exclude each other.
    @Test func resumedBatchesProcessChangedFilesOnly() async throws {
        func manifest() throws -> BatchManifest { try BatchManifest(in: path("out"), isResuming: true) }
        #expect(await results(.directory(path("out")), manifest: try manifest()).count == 2)
        let first = try directory.contents()
        #expect(await results(.directory(path("out")), manifest: try manifest()).isEmpty)
        #expect(try directory.contents() == first)
        try FileManager.default.removeItem(atPath: directory("out/deep/b.jpg"))
        let again = await results(.directory(path("out")), manifest: try manifest())
        #expect(again.map(\.output) == [path("out/deep/b.jpg")])
        #expect(try directory.bytes("out/deep/b.jpg") == first["out/deep/b.jpg"])
        try directory.add("out/a.jpg", "mine".utf8)
        let edited = await results(.directory(path("out")), manifest: try manifest())
        #expect(edited.map(\.error) == [.alreadyExists(path("out/a.jpg"))])
        #expect(try directory.bytes("out/a.jpg") == Array("mine".utf8))

        let held = try manifest()
        #expect(throws: TexelError.inUse(path("out/\(BatchManifest.fileName)"))) { try manifest() }
        withExtendedLifetime(held) {}
    }

    /// A batch that was stopped before it began writes nothing, and every item ends as cancelled.
    @Test func stoppedBatchesWriteNothing() async throws {
        let before = try directory.contents()
        let stop = StopToken()
        stop.cancel()
        let batch = Batch(items, to: .directory(path("out")), recipe: small, stop: stop)
        let listener = batch.events.listen(bufferingNewest: 8)
        batch.start()
        var (cancelled, summary) = (0, BatchSummary())
        for await event in listener {
            if case .cancelled = event { cancelled += 1 }
            if case .ended(let found) = event { summary = found }
        }
        #expect(cancelled == 2 && summary.cancelledCount == 2 && summary.writtenCount == 0)
        #expect(try directory.contents() == before)
    }

    /// If a call for one file throws, no output is written, and an existing file is unchanged.
    @Test func callsThatThrow() async throws {
        let cut = FilePath(try directory.add("cut.jpg", try directory.bytes("in/a.jpg").prefix(500)))
        try directory.add("there.jpg", "mine".utf8)
        let before = try directory.contents()
        var options = ProcessingOptions()
        options.overwrites = true
        for output in ["new.jpg", "there.jpg", "cut.jpg"] {
            await #expect(throws: TexelError.self) {
                try await Texel.resize(cut, to: path(output), width: 8, options: options)
            }
        }
        options.timeout = .zero
        await #expect(throws: TexelError.self) {
            try await Texel.compress(path("in/a.jpg"), to: path("there.jpg"), options: options)
        }
        #expect(try directory.contents() == before)
    }
}
