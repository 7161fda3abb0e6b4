import SystemPackage
import TexelCodecs
import TexelCore
import TexelFormats
import TexelOperations
import TexelPipeline
import TexelPixels

/// One result of a file job, from its start to its outcome.
struct FileTask: Sendable {
    typealias Outcome = Result<EncodedImage, TexelError>

    /// The index among the results of the input.
    let number: Int
    private let item: InputItem
    private let name: OutputName
    private let recipe: Recipe
    private let call: FileJob.Call
    /// The result so far; final once `isSettled` is `true`.
    private(set) var result: FileResult
    private(set) var isSettled = false
    /// The path to write; `nil` for standard output, and until it is known.
    private(set) var output: FilePath?
    private var unfinished: (any UnfinishedOutput)?
    /// Whether another result of the input has the same output and is the same image.
    private var isSameAsAnother = false
    private let commit = OutputCommit()

    init(number: Int, item: InputItem, name: OutputName, recipe: Recipe, call: FileJob.Call) {
        self.number = number
        self.item = item
        self.name = name
        self.recipe = recipe
        self.call = call
        result = FileResult(input: item.path)
        result.name = item.name
        result.recipeIndex = number
    }

    private var store: any OutputStore { call.store }

    mutating func fail(_ error: TexelError) {
        result.status = .failed
        result.error = error
        isSettled = true
    }

    private mutating func end(as status: FileResult.Status) {
        result.status = status
        isSettled = true
    }

    // MARK: Before the input is read

    /// Checks the output, if its name is known.
    mutating func prepare() {
        if recipe.output.format == nil, let name = formatName, name.promisesUnwritableFormat {
            return fail(.cannotWriteFormat(name))
        }
        switch name {
        case .path(let path): claim(path, others: [])
        case .standardOutput: unfinished = StandardOutput()
        case .template: break
        }
    }

    /// The recipe, with the format of the output's extension.
    var promisedRecipe: Recipe {
        var recipe = recipe
        recipe.output.format = recipe.output.format ?? promisedFormat
        return recipe
    }

    /// The format of a named output's extension. Names that Texel chooses follow the format instead.
    private var promisedFormat: ImageFormat? {
        formatName?.extension.flatMap { ImageFormat(fileExtension: $0) }
    }

    /// The name whose extension determines the format: the output's, or its template.
    private var formatName: FilePath? {
        switch name {
        case .path(let path): store.replacesInputs ? nil : path
        case .template: store.promisedName
        case .standardOutput: nil
        }
    }

    // MARK: Before the work

    /// Stores the plan, and checks an output whose name depends on it.
    ///
    /// - Parameter others: the other outputs of the same input.
    mutating func plan(_ plan: Plan, _ input: LoadedInput, others: [FilePath]) {
        result.inputBytes = input.source.byteCountSoFar
        result.plan = plan
        result.format = plan.format
        result.requestedSize = plan.recipe.sizeIfEnlarged(of: input.source.info)
        result.warnings += call.options.warnings
        result.warnings += extensionWarnings(item.path, holds: input.source.info.format)
        if store.replacesInputs, recipe.output.format == nil, !input.source.info.format.capabilities.writes {
            return fail(.cannotWriteFormat(item.path))
        }
        if let format = plan.format, let reason = call.options.refusal?(format) {
            return fail(.cannotEncode(reason))
        }
        if case .template(let template, let name) = name {
            claim(template.path(for: item.path, name: name, plan: plan), others: others)
        }
        if !isSettled, let refusal = plan.refusal { return fail(refusal) }
        guard !isSettled, call.options.isDryRun else { return }
        result.size = plan.outputSize
        result.route = plan.route
        end(as: .planned)
    }

    /// Reserves a path for the result. Settles the task if the output is skipped or must not be written.
    private mutating func claim(_ path: FilePath, others: [FilePath]) {
        result.output = path
        // Images are not enlarged, so two widths may give the same size.
        if others.contains(path) {
            isSameAsAnother = true
            return end(as: .skipped)
        }
        guard !store.isExclusive(path) || call.reservations.reserve(path) else {
            return fail(.outputConflict(path))
        }
        output = path
        do throws(TexelError) {
            unfinished = try store.claim(path, for: call.request(of: item))
            if unfinished == nil { end(as: .skipped) }
        } catch {
            fail(error)
        }
    }

    // MARK: Work

    /// Where a result that is too large for memory is written.
    var place: OutputPlace? { unfinished?.place }

    /// Writes the result; blocks the calling thread.
    ///
    /// - Parameter stamp: the input's stamp before it was read.
    /// - Returns: the image, with warnings about the writing added.
    func write(
        _ image: EncodedImage, _ stop: StopToken, _ stamp: FileStamp?
    ) throws(TexelError) -> EncodedImage {
        if let reason = stop.reason { throw .stopped(reason) }
        return try commit.write { () throws(TexelError) in
            guard let unfinished else { return image }
            var hasBegun = false
            do throws(TexelError) {
                let written = try unfinished.commit(image, stop: stop) {
                    hasBegun = true
                    if let output { call.journal?.begin(item, output) }
                }
                if hasBegun, let output { call.journal?.finish(item, stamp, number, output) }
                return written
            } catch {
                if hasBegun, error.kind == .alreadyExists, let output {
                    call.journal?.withdraw(item, number, output)
                }
                if error.kind == .cannotWrite, error.errno == .canceled, let reason = stop.reason {
                    throw .stopped(reason)
                }
                throw error
            }
        }
    }

    /// The outcome if the work ended with an error; the result may have been written before that.
    func outcome(of error: TexelError) async -> Outcome { await commit.giveUp() ?? .failure(error) }

    // MARK: After the work

    /// Records a result that is the same as another one, if that one is done.
    func noteSameness(among tasks: [FileTask], _ stamp: FileStamp?) {
        let isThere = tasks.contains { $0.output == result.output && $0.result.error == nil && $0.isSettled }
        guard isSameAsAnother, isThere, !call.options.isDryRun, let output = result.output else { return }
        call.journal?.finish(item, stamp, number, output)
    }

    mutating func settle(_ outcome: Outcome, _ input: LoadedInput) {
        result.inputBytes = input.source.byteCountSoFar
        do throws(TexelError) {
            let image = try outcome.get()
            result.outputBytes = image.byteCount
            result.size = image.size
            result.route = image.route
            result.score = image.score
            result.searchSummary = image.searchSummary
            result.warnings += image.warnings
            if let output, let format = result.format {
                // In place, the input may have caused the same warning.
                let warnings = extensionWarnings(output, holds: format)
                result.warnings += warnings.filter { !result.warnings.contains($0) }
            }
            end(as: image.isKept ? .kept : .written)
        } catch {
            fail(error)
        }
    }

    private func extensionWarnings(_ path: FilePath, holds format: ImageFormat) -> [String] {
        guard let name = path.extension else { return [] }
        let promised = ImageFormat(fileExtension: name)
        guard path.promisesForeignFormat || (promised ?? format) != format else { return [] }
        return ["\(path) has the extension .\(name) but contains a \(format.displayName)"]
    }
}

extension Recipe {
    /// The size of the result if its resize could enlarge; `nil` if that is the same.
    fileprivate func sizeIfEnlarged(of info: ImageInfo) -> PixelSize? {
        var size = appliesOrientation ? info.displaySize : info.size
        for operation in operations {
            if let options = operation.value as? ResizeOptions {
                var rule = options.rule
                let own = try? rule.plan(for: size).canvasSize
                rule.enlarges = true
                let larger = try? rule.plan(for: size).canvasSize
                return larger == own ? nil : larger
            }
            guard let steps = try? operation.value.steps(for: size, background: .white) else { return nil }
            size = steps.reduce(size) { $1.outputSize(of: $0) }
        }
        return nil
    }
}

extension FilePath {
    /// Whether the extension is that of an image format that Texel neither reads nor writes.
    fileprivate var promisesForeignFormat: Bool {
        let foreign: Set = [
            "avif", "exr", "gif", "heic", "heif", "ico", "jp2", "jxl", "pdf", "psd", "svg", "tga", "tif", "tiff",
            "webp",
        ]
        guard let name = `extension`?.lowercased() else { return false }
        return foreign.contains(name) && ImageFormat(fileExtension: name) == nil
    }

    /// Whether the extension is that of an image format that Texel does not write.
    fileprivate var promisesUnwritableFormat: Bool {
        if let format = `extension`.flatMap({ ImageFormat(fileExtension: $0) }) { return !format.capabilities.writes }
        return promisesForeignFormat
    }
}
