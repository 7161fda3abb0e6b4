import SystemPackage

import TexelCore
@testable import TexelBatch
@testable import TexelPipeline

/// The results of a batch, in the order of its inputs.
func results(
    _ items: [InputItem], _ store: some OutputStore, overwrites: Bool = false, manifest: BatchManifest? = nil
) async -> [FileResult] {
    var options = ProcessingOptions()
    options.overwrites = overwrites
    let batch = Batch(
        items, to: store, recipes: [Recipe().resizing(width: 16)], options: options, manifest: manifest,
        pool: WorkerPool(width: 2, byteBudget: 1 << 24))
    var results: [FileResult] = []
    for await result in batch.results() { results.append(result) }
    return results
}

/// The error of a single input.
func failure(
    of items: [InputItem], _ store: some OutputStore, overwrites: Bool = false, manifest: BatchManifest? = nil
) async -> TexelError? {
    await results(items, store, overwrites: overwrites, manifest: manifest).first?.error
}
