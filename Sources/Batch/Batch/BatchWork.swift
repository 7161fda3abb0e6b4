import SystemPackage
import TexelCodecs
import TexelCore
import TexelOperations
import TexelPipeline
import TexelPixels

/// The work of a batch for one input.
struct BatchWork: Sendable {
    let job: FileJob
    /// The indices of the recipes whose results are missing.
    let numbers: [Int]

    /// Names the outputs of all inputs, except results that a manifest records as done.
    static func all(
        _ items: [InputItem], _ store: any OutputStore, _ recipes: [Recipe], _ options: ProcessingOptions,
        _ manifest: BatchManifest?
    ) -> [BatchWork] {
        let settings = FileJob.Journal.settings(of: recipes, store)
        let done = finished(items, count: recipes.count, settings, manifest)
        let open = items.indices.filter { done[$0].count < recipes.count }
        guard !open.isEmpty else { return [] }
        let taken = done.flatMap(\.values)
        let reservations = OutputReservations(
            inputs: open.compactMap { items[$0].filePath }, taken: taken, isInPlace: store.replacesInputs)
        // A finished result may have the name that another input would get, so such inputs take part in the naming.
        let stems = Set(open.map { items[$0].relativePath.stem })
        let named =
            open.count == items.count ? open : items.indices.filter { stems.contains(items[$0].relativePath.stem) }
        let naming = OutputNaming(
            format: recipes.first?.output.format, hasSeveralWidths: recipes.count > 1, taken: Set(taken))
        let names = store.names(of: named.map { items[$0] }, by: naming)
        let call = FileJob.Call(
            options: options, store: store, reservations: reservations,
            journal: manifest.map { FileJob.Journal(manifest: $0, settings: settings) })
        return zip(named, names).filter { done[$0.0].count < recipes.count }.map { index, name in
            let job = FileJob(item: items[index], name: name, recipes: recipes, call: call)
            return BatchWork(job: job, numbers: recipes.indices.filter { done[index][$0] == nil })
        }
    }

    /// The finished results of each item. Looked up concurrently, because each of up to 100,000 items takes two
    /// system calls.
    private static func finished(
        _ items: [InputItem], count: Int, _ settings: UInt64, _ manifest: BatchManifest?
    ) -> [[Int: FilePath]] {
        guard let manifest else { return items.map { _ in [:] } }
        return ParallelJobs.map(items) { item in
            item.filePath.map { manifest.finished($0, count: count, settings: settings) } ?? [:]
        }
    }
}
