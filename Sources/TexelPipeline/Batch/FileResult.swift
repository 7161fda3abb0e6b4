public import SystemPackage
public import TexelCodecs
public import TexelPixels

/// How files are treated, whatever the recipe.
public struct ProcessingOptions: Sendable {
    public var limits = Limits()
    public var strictness = Strictness.truncated
    /// How long one file may take; `nil` is for ever.
    public var timeout: Duration?
    /// Whether an existing output is replaced.
    public var overwrites = false
    /// Whether a file whose output exists is left alone.
    public var skipsExisting = false

    public init() {}
}

/// What became of one file.
public struct FileResult: Sendable {
    public enum Status: String, Sendable, Hashable {
        /// New pixels were written.
        case written
        /// The input's own pixels were smaller and were kept; its metadata obey the policy.
        case kept
        /// The output was there already.
        case skipped
        case failed
    }

    public var input: FilePath
    /// What people call the input: its path, its address.
    public var name: String
    /// `nil` where it is standard output or was never known.
    public var output: FilePath?
    public var inputBytes = 0
    public var outputBytes = 0
    /// Of the result.
    public var size: PixelSize?
    public var format: ImageFormat?
    public var route: Route?
    public var status = Status.failed
    public var error: PipelineError?
    public var duration = Duration.zero
    /// The SSIMULACRA2 score against the picture that was encoded, where one was asked for.
    public var score: Double?
    /// What a search for an ``EncodingTarget`` chose, in a few words.
    public var searchSummary: String?
    /// What was let pass, each in one sentence.
    public var warnings: [String] = []
    /// What was planned, where it came to that.
    public var plan: Plan?

    public init(input: FilePath) {
        self.input = input
        name = input.string
    }
}

/// Reads one file, carries out a recipe and writes the result.
struct FileJob: Sendable {
    let item: InputItem
    let destination: OutputNaming.Destination
    let recipe: Recipe
    let options: ProcessingOptions
    /// Whether the output may be the input itself.
    let isInPlace: Bool
    /// Whether missing directories of the output are made.
    let makesDirectories: Bool
    let reservations: OutputReservations

    /// Never throws: a failure is a result.
    func run(in pipeline: ImagePipeline, stop: StopToken, rowCounter: RowCounter = RowCounter()) async -> FileResult {
        let start = ContinuousClock.now
        var result = FileResult(input: item.path)
        result.name = item.name
        let token = StopToken(parent: stop, timeout: options.timeout)
        do throws(PipelineError) {
            try await run(in: pipeline, token: token, rowCounter, result: &result)
        } catch {
            result.status = .failed
            result.error = error
        }
        result.duration = ContinuousClock.now - start
        return result
    }

    private func run(
        in pipeline: ImagePipeline, token: StopToken, _ rowCounter: RowCounter, result: inout FileResult
    ) async throws(PipelineError) {
        if let reason = token.reason { throw .codec(.stopped(reason)) }
        if case .file(let path) = destination {
            let isChosenByName = recipe.output.format == nil && !isInPlace
            if isChosenByName, path.promisesForeignFormat { throw .file(.cannotWriteFormat(path)) }
            if try isDone(path, &result) { return }
        }

        var request = ImageRequest(item.source, recipe: recipe)
        request.recipe.output.format = recipe.output.format ?? promisedFormat
        request.limits = options.limits
        request.strictness = options.strictness
        let urgency = Urgency(request.priority)
        let loaded = pipeline.load(request, urgency)
        defer { loaded.leave() }
        let input = try await loaded.output()
        result.inputBytes = input.source.byteCountSoFar
        result.warnings += extensionWarnings(item.path, holds: input.source.info.format)

        let run = try pipeline.plan(.file, request, input, token, rowCounter)
        result.plan = run.plan
        result.format = run.plan.format

        let output = outputPath(run.plan)
        if case .template = destination, let output, try isDone(output, &result) { return }
        let processed = try await pipeline.carryOut(.file, run, urgency) { processed throws(PipelineError) in
            if let reason = token.reason { throw .codec(.stopped(reason)) }
            try write(processed.bytes, to: output)
        }
        result.inputBytes = input.source.byteCountSoFar
        result.outputBytes = processed.bytes.count
        result.size = processed.size
        result.route = processed.route
        result.score = processed.score
        result.searchSummary = processed.searchSummary
        result.status = processed.isKept ? .kept : .written
        result.warnings += processed.warnings
        if let output { result.warnings += extensionWarnings(output, holds: run.plan.format) }
    }

    // MARK: The output

    /// Whether there is nothing to do because the output exists; refuses what must not be overwritten.
    private func isDone(_ path: FilePath, _ result: inout FileResult) throws(PipelineError) -> Bool {
        result.output = path
        guard path.isDeviceOrPipe || reservations.reserve(path) else { throw .file(.takenByAnother(path)) }
        if isInPlace { return false }
        if item.isFile, path.isSameFile(as: item.path) { throw .file(.isInput(path)) }
        guard path.exists, !path.isDeviceOrPipe else { return false }
        if options.skipsExisting {
            result.status = .skipped
            return true
        }
        if reservations.isInput(path) { throw .file(.isInput(path)) }
        if !options.overwrites { throw .file(.alreadyExists(path)) }
        return false
    }

    private func outputPath(_ plan: Plan) -> FilePath? {
        switch destination {
        case .file(let path): path
        case .template(let template, let name): template.path(for: item.path, name: name, plan: plan)
        case .standardOutput: nil
        }
    }

    private func write(_ bytes: [UInt8], to output: FilePath?) throws(PipelineError) {
        do throws(FileError) {
            guard let output else { return try StandardOutput.write(bytes) }
            if makesDirectories { try output.removingLastComponent().makeDirectories() }
            try AtomicFile.write(bytes, to: output, replacing: options.overwrites || isInPlace)
        } catch {
            throw .file(error)
        }
    }

    // MARK: Formats

    /// What the extension of a named output promises; names that Texel gives follow the content instead.
    private var promisedFormat: ImageFormat? {
        guard case .file(let path) = destination, !isInPlace else { return nil }
        return path.extension.flatMap { ImageFormat(fileExtension: $0) }
    }

    private func extensionWarnings(_ path: FilePath, holds format: ImageFormat) -> [String] {
        guard let name = path.extension else { return [] }
        let promised = ImageFormat(fileExtension: name)
        guard path.promisesForeignFormat || (promised ?? format) != format else { return [] }
        return ["\(path) is called .\(name) but holds a \(format.rawValue.uppercased())"]
    }
}

extension FilePath {
    /// Whether the extension is that of a picture format that Texel neither reads nor writes.
    fileprivate var promisesForeignFormat: Bool {
        let foreign: Set = [
            "avif", "bmp", "exr", "gif", "heic", "heif", "ico", "jp2", "jxl", "pdf", "pgm", "ppm", "psd", "qoi", "svg",
            "tga", "tif", "tiff", "webp",
        ]
        return `extension`.map { foreign.contains($0.lowercased()) } ?? false
    }
}
