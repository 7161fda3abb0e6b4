import Synchronization
import TestSupport
import Testing
import Texel

/// Inputs and outputs that a caller brings: a tree and a store of its own, with what `import Texel` gives.
@Suite struct OwnStoreTests {
    private let small = Recipe().resizing(width: 8)

    private func image(_ name: String) throws -> InputItem {
        let pixels = try PixelBuffer(width: 16, height: 8, filledWith: 0xFF00_80FF)
        return InputItem(BytesSource(try pixels.encoded(as: .png(PNGOptions())), name: name), fileName: name)
    }

    private func results(
        _ items: [InputItem], to store: MemoryStore, recipes: [Recipe], _ change: (inout ProcessingOptions) -> Void
    ) async -> [FileResult] {
        var options = ProcessingOptions()
        change(&options)
        var results: [FileResult] = []
        for await result in Batch(items, to: store, recipes: recipes, options: options).results() {
            results.append(result)
        }
        return results
    }

    @Test func treesAreListedWithOtherArguments() throws {
        let tree = Shelf(entries: [
            .input(try image("deep/a.png")), .other, .input(try image("b.png")), .failure(.missingFile("c.png")),
        ])
        let found = InputExpansion.expand(["shelf", "-"], isRecursive: false, others: ["shelf": tree])
        #expect(found.items.map(\.relativePath) == ["deep/a.png", "b.png", "stdin"])
        #expect(found.otherFileCount == 1 && found.failures == [.missingFile("c.png")] && found.isOpenEnded)
        let single = InputExpansion.expand(["x"], isRecursive: false, others: ["x": try image("x.png")])
        #expect(single.items.count == 1 && !single.isOpenEnded)
    }

    @Test func resultsKeepTheTreeOfTheInputs() async throws {
        let store = MemoryStore()
        let items = try [image("deep/a.png"), image("deep/a.jpg"), image("b.png")]
        let results = await results(items, to: store, recipes: [small]) { _ in }
        #expect(results.map(\.error) == [nil, nil, nil])
        #expect(results.map(\.output) == ["deep/a.png.png", "deep/a.png", "b.png"])
        #expect(store.names == ["b.png", "deep/a.png", "deep/a.png.png"])
        for name in store.names {
            #expect(
                try CodecRegistry.shared.open(InputBytes(store.bytes(name))).info.size == PixelSize(width: 8, height: 4)
            )
        }
    }

    /// The store decides what happens with a name that is taken.
    @Test func existingResultsAreSkippedOrRefused() async throws {
        let store = MemoryStore()
        let item = try image("a.png")
        _ = await results([item], to: store, recipes: [small]) { _ in }
        let skipped = await results([item], to: store, recipes: [small]) { $0.skipsExisting = true }
        #expect(skipped.map(\.status) == [.skipped])
        let refused = await results([item], to: store, recipes: [small]) { _ in }
        #expect(refused.map(\.error) == [.alreadyExists("a.png")])
        let replaced = await results([item], to: store, recipes: [small]) { $0.overwrites = true }
        #expect(replaced.map(\.status) == [.written])
    }

    @Test func severalWidthsHaveNamesOfTheirOwn() async throws {
        let store = MemoryStore()
        let results = await results([try image("a.png")], to: store, recipes: [small, Recipe()]) { _ in }
        #expect(results.map(\.output) == ["a-8w.png", "a-16w.png"])
        let planned = await self.results([try image("b.png")], to: store, recipes: [small]) { $0.isDryRun = true }
        #expect(planned.map(\.status) == [.planned])
        #expect(store.names == ["a-16w.png", "a-8w.png"])
    }
}

/// A tree with fixed entries.
private struct Shelf: InputTree {
    let entries: [InputEntry]
    func visit(_ body: (InputEntry) -> Void) { entries.forEach(body) }
}

/// Keeps results in memory.
private final class MemoryStore: OutputStore {
    private let files = Mutex<[FilePath: [UInt8]]>([:])

    var names: [FilePath] { files.withLock { $0.keys.sorted { $0.string < $1.string } } }
    func bytes(_ name: FilePath) -> [UInt8] { files.withLock { $0[name] ?? [] } }

    func claim(_ name: FilePath, for request: OutputRequest) throws(TexelError) -> (any UnfinishedOutput)? {
        let exists = files.withLock { $0[name] != nil }
        if exists, request.options.skipsExisting { return nil }
        if exists, !request.options.overwrites { throw .alreadyExists(name) }
        return Unfinished(store: self, name: name)
    }

    private struct Unfinished: UnfinishedOutput {
        let store: MemoryStore
        let name: FilePath

        func commit(
            _ image: EncodedImage, stop: StopToken, willAppear: () -> Void
        ) throws(TexelError) -> EncodedImage {
            willAppear()
            store.files.withLock { $0[name] = image.bytes }
            return image
        }
    }
}
