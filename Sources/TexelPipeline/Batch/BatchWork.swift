import SystemPackage
import TexelCodecs

/// What a batch has to do for one input.
struct BatchWork: Sendable {
    /// Of the input.
    let index: Int
    let job: FileJob
    /// Results that a former batch left, by their numbers.
    let done: [Int: FileResult]

    var isDone: Bool { done.count == job.recipes.count }

    /// Gives all inputs their places, but for what a manifest knows to be done.
    static func all(
        _ items: [InputItem], _ target: OutputTarget, _ recipes: [Recipe], _ options: ProcessingOptions,
        _ manifest: BatchManifest?
    ) -> [BatchWork] {
        let settings = settings(of: recipes, target)
        let done = items.map { item in
            item.isFile ? manifest?.finished(item.path, count: recipes.count, settings: settings) ?? [:] : [:]
        }
        let open = items.indices.filter { done[$0].count < recipes.count }
        let taken = done.flatMap(\.values)
        let reservations = OutputReservations(inputs: open.map { items[$0] }.filter(\.isFile).map(\.path), taken: taken)
        let destinations = OutputNaming.destinations(
            for: open.map { items[$0] }, target: target, format: recipes.first?.output.format,
            hasSeveralWidths: recipes.count > 1, taken: Set(taken))
        let destination = Dictionary(uniqueKeysWithValues: zip(open, destinations))
        let call = FileJob.Call(
            options: options, isInPlace: target == .inPlace, makesDirectories: target.makesDirectories,
            reservations: reservations, journal: manifest.map { FileJob.Journal(manifest: $0, settings: settings) })
        return items.indices.map { index in
            let item = items[index]
            let results = done[index].mapValues { FileResult(skipping: item, output: $0) }
            let job = FileJob(
                item: item, destination: destination[index] ?? .standardOutput, recipes: recipes, call: call)
            return BatchWork(index: index, job: job, done: results)
        }
    }

    /// Names all that decides what the results are, and how they are called.
    private static func settings(of recipes: [Recipe], _ target: OutputTarget) -> UInt64 {
        var fields = FieldWriter()
        fields.append("Texel batch")
        fields.append(CacheKey.resultsVersion)
        fields.append(recipes.count)
        for recipe in recipes { fields.append(recipe) }
        if case .template(let template) = target { fields.append(template.text) }
        return ContentDigest(of: fields.bytes).bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}

extension FileResult {
    /// Of an input whose result is there.
    fileprivate init(skipping item: InputItem, output: FilePath) {
        self.init(input: item.path)
        name = item.name
        self.output = output
        status = .skipped
    }
}
