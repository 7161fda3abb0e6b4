package import SystemPackage
package import TexelBatch
import TexelCodecs
package import TexelCore
package import TexelPipeline
import TexelPixels

/// Writes a page that compares each image of a batch before and after. Listens to the batch's events and writes the
/// page at its end, also if files failed.
///
///     let report = BatchReport(to: "report.html", title: "Report", options: options, pool: pool, stop: stop) { _ in
///         recipe
///     }
///     async let outcome = report.follow(batch) { print("comparing \($0) images") }
package struct BatchReport: Sendable {
    private let path: FilePath
    private let title: String
    private let recipe: @Sendable (FileResult) -> Recipe
    private let options: ProcessingOptions
    private let stop: StopToken
    private let pool: WorkerPool
    private let pipeline: ImagePipeline

    /// Creates a report.
    ///
    /// - Parameters:
    ///   - path: The file of the page.
    ///   - title: The title of the page.
    ///   - options: Settings for reading the images; `overwrites` allows replacing an existing page.
    ///   - pool: The workers that compare the images.
    ///   - stop: Once it is set, no more images are compared; the page is still written, unless it is a pipe without a
    ///     reader.
    ///   - recipe: Returns the recipe that a result was made with.
    package init(
        to path: FilePath, title: String, options: ProcessingOptions, pool: WorkerPool, stop: StopToken,
        recipe: @escaping @Sendable (FileResult) -> Recipe
    ) {
        self.path = path
        self.title = title
        self.recipe = recipe
        self.options = options
        self.stop = stop
        self.pool = pool
        pipeline = ImagePipeline(workers: pool)
    }

    /// Checks before the work whether the page can be written.
    ///
    /// - Throws: errors of the page.
    package func check(inputs: [InputItem]) throws(TexelError) {
        try SheetFile.check(path, replacing: Replacement(overwrites: options.overwrites, except: inputs))
    }

    /// Waits for the end of the batch, which the caller starts, then compares the images and writes the page.
    ///
    /// - Parameters:
    ///   - batch: The batch.
    ///   - onComparing: Called with the number of images to compare, before the comparison starts.
    /// - Returns: The error if the page could not be written, else `nil`.
    package func follow(_ batch: Batch, onComparing: (Int) -> Void) async -> TexelError? {
        let page = await entries(batch, onComparing)
        return await pool.run(bytes: 0) { () -> TexelError? in
            do throws(TexelError) {
                try SheetFile.write(
                    page.bytes(), to: path, replacing: Replacement(overwrites: options.overwrites), stop: stop)
                return nil
            } catch {
                return error
            }
        }
    }

    private func entries(_ batch: Batch, _ onComparing: (Int) -> Void) async -> ReportPage {
        var page = ReportPage(title: title)
        var waiting: [(BatchItem, FileResult)] = []
        for await event in batch.events.listen(bufferingNewest: 0) {
            if let ending = event.ending { waiting.append(ending) }
            if case .ended(let summary) = event { page.duration = summary.duration }
        }
        // Compare after the batch: comparing takes longer than compressing and would distort the times of the files.
        onComparing(waiting.count { $0.1.error == nil })
        let (budget, links) = (EvidenceBudget.forImages(waiting.count), RelativeLink(from: path))
        await withTaskGroup(of: ReportPage.Entry.self) { group in
            var next = waiting.makeIterator()
            func startNext() {
                guard let (item, result) = next.next() else { return }
                group.addTask { await self.entry(item, result, links, budget) }
            }
            // One task per worker, so that images of waiting tasks do not take memory.
            for _ in 0..<pool.width { startNext() }
            while let entry = await group.next() {
                page.entries.append(entry)
                startNext()
            }
        }
        page.entries.sort { $0.index < $1.index }
        // An input may have several results; renumber the entries.
        for place in page.entries.indices { page.entries[place].index = place }
        return page
    }

    private func entry(
        _ item: BatchItem, _ result: FileResult, _ links: RelativeLink, _ budget: EvidenceBudget?
    ) async -> ReportPage.Entry {
        let isFile = result.name == result.input.string && result.input != "-"
        var entry = ReportPage.Entry(index: item.index, result: result)
        if recipe(result).output.target.metric == .ssimulacra2 { entry.knownScore = result.score }
        entry.inputLink = isFile ? links.address(of: result.input) : nil
        entry.outputLink = result.error == nil ? result.output.map { links.address(of: $0) } : nil
        guard let budget, isFile, result.error == nil, result.status != .skipped, let output = result.output,
            // A stream cannot be read again.
            result.input.isRegularFile, output.isRegularFile,
            // The output replaced the original.
            !output.isSameFile(as: result.input), stop.reason == nil
        else { return entry }
        do throws(TexelError) {
            let recipe = recipe(result)
            let original = try await image(result.input, recipe)
            let after = try await image(output, Recipe(), appliesOrientation: recipe.appliesOrientation)
            let knownScore = entry.knownScore
            let background = result.format.map { $0.hasAlpha } ?? true ? nil : recipe.output.background ?? .white
            entry.evidence = try await pool.run(bytes: 16 * original.width * original.height) {
                () throws(TexelError) in
                let before = if let background { try original.flattened(on: background) } else { original }
                return try ComparisonImages(before, after, knownScore: knownScore, budget: budget)
            }
        } catch {
            // The file itself succeeded; it may have been removed or changed since. Keep its numbers.
            entry.note = "The images cannot be shown: \(error)."
        }
        return entry
    }

    private func image(
        _ path: FilePath, _ recipe: Recipe, appliesOrientation: Bool? = nil
    ) async throws(TexelError) -> PixelBuffer {
        var request = ImageRequest(path, recipe: recipe)
        if let appliesOrientation { request.recipe.appliesOrientation = appliesOrientation }
        request.policy = options.policy
        request.cacheUse = .none
        request.priority = .low
        return try await pipeline.image(for: request)
    }
}
