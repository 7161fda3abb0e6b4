import Foundation
import PlatformLibc
import TestSupport
import Testing
import Texel

/// Items of files and what `Batch` does with them, for a program that only imports Texel.
@Suite(.timeLimit(.minutes(30))) struct FileItemTests {
    private let directory: TemporaryDirectory
    private let photo: FilePath
    private let original: [UInt8]
    private let recipe = Recipe().resizing(width: 16)

    init() throws {
        directory = try TemporaryDirectory()
        original = try PixelBuffer.smooth(PixelSize(width: 120, height: 80)).encoded(as: .jpeg(JPEGOptions()))
        photo = FilePath(try directory.add("in/photo.jpg", original))
    }

    /// The ways to make the item of a file.
    enum Form: CaseIterable {
        case path, source, namedSource
    }

    private func item(_ path: FilePath, _ form: Form) -> InputItem {
        switch form {
        case .path: InputItem(path)
        case .source: InputItem(FileSource(path), fileName: nil)
        case .namedSource: InputItem(FileSource(path), fileName: path.lastComponent?.string)
        }
    }

    private func path(_ name: String) -> FilePath { FilePath(directory(name)) }

    private func results(
        _ items: [InputItem], to store: some OutputStore, options: ProcessingOptions = ProcessingOptions()
    ) async -> [FileResult] {
        var results: [FileResult] = []
        for await result in Batch(items, to: store, recipe: recipe, options: options).results() {
            results.append(result)
        }
        return results
    }

    private func width(_ name: String) throws -> Int {
        try CodecRegistry.shared.open(InputBytes(try directory.bytes(name))).info.size.width
    }

    @Test(arguments: Form.allCases) func theFormsAreEqual(form: Form) {
        #expect(item(photo, form) == InputItem(photo))
        #expect(item(photo, form).path == photo && item(photo, form).relativePath == "photo.jpg")
        #expect(item(photo, form).name == photo.string && !item(photo, form).isStandardInput)
    }

    @Test(arguments: Form.allCases) func inputsAreNotReplaced(form: Form) async throws {
        var options = ProcessingOptions()
        options.overwrites = true
        let stores: [any OutputStore] = [
            DirectoryStore(path("in")), FileStore(photo), FileStore(path("in/../in/photo.jpg")),
        ]
        for store in stores {
            let results = await results([item(photo, form)], to: store, options: options)
            guard results[0].error?.kind == .isInput else {
                Issue.record("\(store): \(results[0])")
                return
            }
        }
        #expect(try directory.contents() == ["in/photo.jpg": original])
    }

    /// Also if it is the input of another item.
    @Test(arguments: Form.allCases) func otherInputsAreNotReplaced(form: Form) async throws {
        let other = FilePath(try directory.add("other/photo.jpg", original))
        var options = ProcessingOptions()
        options.overwrites = true
        let results = await results(
            [item(photo, form), item(other, form)], to: .directory(path("other")), options: options)
        #expect(results[0].error == .isInput(other), "\(results[0])")
        #expect(try directory.bytes("other/photo.jpg") == original)
    }

    @Test(arguments: Form.allCases) func inPlaceReplacesTheInput(form: Form) async throws {
        let results = await results([item(photo, form)], to: .inPlace)
        #expect(results[0].status == .written && results[0].output == photo)
        #expect(try width("in/photo.jpg") == 16)
        #expect(try directory.files() == ["in/photo.jpg"])
    }

    /// A file is changed once, however many names of it are given.
    @Test(arguments: Form.allCases) func inPlaceOnce(form: Form) async throws {
        let manager = FileManager.default
        try manager.createSymbolicLink(atPath: directory("in/link.jpg"), withDestinationPath: "photo.jpg")
        let names = ["in/photo.jpg", "in/link.jpg", "in/../in/photo.jpg"]
        let half = Recipe().appending(.resize(ResizeOptions(ResizeRule(.scale(numerator: 1, denominator: 2)))))
        let batch = Batch(names.map { item(path($0), form) }, to: .inPlace, recipe: half)
        var errors: [TexelError?] = []
        for await result in batch.results() { errors.append(result.error) }
        #expect(errors == [nil] + names.dropFirst().map { .outputConflict(path($0)) })
        #expect(try width("in/photo.jpg") == 60)
    }

    @Test(arguments: Form.allCases) func besideTheInput(form: Form) async throws {
        let results = await results([item(photo, form)], to: .besideInput)
        #expect(results[0].output == path("in/photo-texel.jpg") && results[0].error == nil)
        #expect(try directory.files() == ["in/photo-texel.jpg", "in/photo.jpg"])
        #expect(try directory.bytes("in/photo.jpg") == original)
    }

    @Test func anotherNameForTheOutput() async throws {
        let item = InputItem(FileSource(photo), fileName: "holiday.jpg")
        _ = await results([item], to: .besideInput)
        _ = await results([item], to: .directory(path("out")))
        #expect(try directory.files() == ["in/holiday-texel.jpg", "in/photo.jpg", "out/holiday.jpg"])
    }

    @Test(arguments: Form.allCases) func outputsKeepTheModificationTime(form: Form) async throws {
        let date = Date(timeIntervalSince1970: 1_000_000_000)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: photo.string)
        var options = ProcessingOptions()
        options.keepsTimes = true
        _ = await results([item(photo, form)], to: .directory(path("out")), options: options)
        let attributes = try FileManager.default.attributesOfItem(atPath: directory("out/photo.jpg"))
        #expect(attributes[.modificationDate] as? Date == date)
    }

    /// A second batch processes nothing, and a third one what has changed.
    @Test(arguments: Form.allCases) func resumedBatchesProcessChangedItemsOnly(form: Form) async throws {
        let other = FilePath(try directory.add("in/other.jpg", original))
        func run() async throws -> (written: Int, resumed: Int) {
            let manifest = try BatchManifest(in: path("out"), isResuming: true)
            let batch = Batch(
                [item(photo, form), item(other, form)], to: .directory(path("out")), recipes: [recipe],
                manifest: manifest)
            var written = 0
            for await result in batch.results() where result.status == .written { written += 1 }
            return (written, batch.emptySummary.resumedCount)
        }
        #expect(try await run() == (2, 0))
        #expect(try await run() == (0, 2))
        try directory.add("in/other.jpg", original + [0])
        #expect(try await run() == (1, 1))
    }

    @Test(arguments: Form.allCases) func outputsAreNamedByTheirWidth(form: Form) async throws {
        let recipes = [20, 40, 500].map { Recipe().resizing(width: $0) }
        let batch = Batch([item(photo, form)], to: .besideInput, recipes: recipes)
        for await result in batch.results() { #expect(result.error == nil) }
        let files = ["in/photo-120w.jpg", "in/photo-20w.jpg", "in/photo-40w.jpg", "in/photo.jpg"]
        #expect(try directory.files() == files)
    }

    @Test func eventsReportEveryItem() async throws {
        let items = [InputItem(photo), InputItem(path("in/missing.jpg"))]
        let batch = Batch(items, to: .directory(path("out")), recipe: recipe)
        let events = batch.events.listen(bufferingNewest: 8)
        batch.start()
        var (queued, ended) = ([FilePath](), [FilePath: FileResult.Status]())
        var summary: BatchSummary?
        for await event in events {
            if case .queued(let items) = event { queued = items.map(\.input) }
            if let ending = event.ending { ended[ending.item.input] = ending.result.status }
            if case .ended(let result) = event { summary = result }
        }
        #expect(queued == items.map(\.path))
        #expect(ended == [photo: .written, path("in/missing.jpg"): .failed])
        #expect(summary?.writtenCount == 1 && summary?.failedCount == 1)
    }

    /// A pipe that gets no writer ends with the batch, or with the time limit.
    @Test func silentPipesEndWithTheBatchOrTimeout() async throws {
        try #require(mkfifo(directory("pipe"), 0o600) == 0)
        let stop = StopToken()
        let batch = Batch([InputItem(path("pipe"))], to: .directory(path("out")), recipe: recipe, stop: stop)
        let results = batch.results()
        stop.cancel()
        for await result in results { #expect(result.error == .stopped(.cancelled)) }
        var options = ProcessingOptions()
        options.timeout = .milliseconds(50)
        let late = await self.results([InputItem(path("pipe"))], to: .directory(path("out")), options: options)
        #expect(late.map(\.error) == [.stopped(.timedOut)])
        await #expect(throws: TexelError.stopped(.timedOut)) {
            try await ImageInfo.load(from: InputItem(path("pipe")), timeout: .milliseconds(50))
        }
        #expect(try directory.files().contains { $0.hasPrefix("out/") } == false)
    }

    /// A link is followed unless the source says otherwise.
    @Test func linksAreFollowedUnlessForbidden() async throws {
        let link = path("link.jpg")
        try FileManager.default.createSymbolicLink(atPath: link.string, withDestinationPath: "in/photo.jpg")
        let out = DirectoryStore(path("out"))
        let strict = InputItem(FileSource(link, followsLinks: false), fileName: nil)
        #expect(strict != InputItem(link))
        let error = TexelError.cannotRead(link, .tooManySymbolicLinkLevels)
        #expect(await results([strict], to: out).map(\.error) == [error])
        #expect(throws: error) { try ImageInfo.read(from: strict) }
        #expect(await results([InputItem(link)], to: out).map(\.error) == [nil])
    }

    @Test func foldersAndPatterns() async throws {
        try #require(mkfifo(directory("in/pipe.jpg"), 0o600) == 0)
        try FileManager.default.linkItem(atPath: photo.string, toPath: directory("in/same.jpg"))
        try directory.add("in/out/photo.jpg", original)
        for argument in ["in", "in/*"] {
            let found = InputExpansion.expand(
                [directory(argument)], isRecursive: true, excluding: [path("in/out")])
            #expect(found.items.map(\.path) == [photo] && found.otherFileCount == 1 && found.failures.isEmpty)
        }
    }

    /// Other names of a file are not copies of it, whoever has listed them.
    @Test func hardLinksAreNotDuplicates() async throws {
        try FileManager.default.linkItem(atPath: photo.string, toPath: directory("in/same.jpg"))
        try directory.add("in/copy.jpg", original)
        let items = ["in/photo.jpg", "in/same.jpg", "in/copy.jpg"].map { InputItem(path($0)) }
        #expect(await DuplicateSearch().groups(in: Array(items.prefix(2))).isEmpty)
        let groups = await DuplicateSearch().groups(in: items)
        #expect(groups.map { $0.map(\.item.path) } == [[photo, path("in/copy.jpg")]])
    }
}
