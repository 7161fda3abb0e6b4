import SystemPackage
import TexelCodecs
import TexelPixels

/// One result of a file job, on its way from nothing to what became of it.
struct FileTask: Sendable {
    typealias Outcome = Result<EncodedImage, PipelineError>

    /// Among the results of its input.
    let number: Int
    private let item: InputItem
    private let destination: OutputNaming.Destination
    private let recipe: Recipe
    private let call: FileJob.Call
    /// What there is to say of it; final once it is settled.
    private(set) var result: FileResult
    private(set) var isSettled = false
    /// Where it is written to; `nil` for standard output and until it is known.
    private(set) var output: FilePath?
    /// The folder that the output may not leave; `nil` for a file that was named itself.
    private var root: FilePath?
    private var isReplacing = false
    /// Whether another result of the same input is the same picture under the same name.
    private var isSameAsAnother = false
    private let commit = OutputCommit()

    init(number: Int, item: InputItem, destination: OutputNaming.Destination, recipe: Recipe, call: FileJob.Call) {
        self.number = number
        self.item = item
        self.destination = destination
        self.recipe = recipe
        self.call = call
        result = FileResult(input: item.path)
        result.name = item.name
        result.recipeIndex = number
    }

    private var isInPlace: Bool { call.target == .inPlace }

    mutating func fail(_ error: PipelineError) {
        result.status = .failed
        result.error = error
        isSettled = true
    }

    private mutating func end(as status: FileResult.Status) {
        result.status = status
        isSettled = true
    }

    // MARK: Before the input is read

    /// Looks at the output, where its name is known.
    mutating func prepare() {
        if recipe.output.format == nil, let name = formatName, name.promisesForeignFormat {
            return fail(.file(.cannotWriteFormat(name)))
        }
        if case .file(let path) = destination { claim(path, others: []) }
    }

    /// The recipe, with the format that the output's name promises.
    var promisedRecipe: Recipe {
        var recipe = recipe
        recipe.output.format = recipe.output.format ?? promisedFormat
        return recipe
    }

    /// What the extension of a named output promises; names that Texel gives follow the content instead.
    private var promisedFormat: ImageFormat? {
        formatName?.extension.flatMap { ImageFormat(fileExtension: $0) }
    }

    /// The name whose extension chooses the format: the output's, or that of the template which its name is made from.
    private var formatName: FilePath? {
        switch (destination, call.target) {
        case (.file(let path), let target): target == .inPlace ? nil : path
        case (.template, .template(let template)): template.fileExtension == nil ? nil : FilePath(template.text)
        case (.template, _), (.standardOutput, _): nil
        }
    }

    // MARK: Before the work

    /// Takes note of the plan, and looks at the output whose name depends on it.
    ///
    /// - Parameter others: outputs of the same input.
    mutating func plan(_ plan: Plan, _ input: LoadedInput, others: [FilePath]) {
        result.inputBytes = input.source.byteCountSoFar
        result.plan = plan
        result.format = plan.format
        result.largerSize = recipe.sizeIfEnlarged(of: input.source.info)
        result.warnings += extensionWarnings(item.path, holds: input.source.info.format)
        if let reason = call.options.refusal?(plan.format) { return fail(.codec(.cannotEncode(reason))) }
        if case .template(let template, let name) = destination {
            claim(template.path(for: item.path, name: name, plan: plan), others: others)
        }
        guard !isSettled, call.options.isDryRun else { return }
        result.size = plan.outputSize
        result.route = plan.route
        end(as: .planned)
    }

    /// Takes a path for the result, unless nothing is to be done because it exists, or it must not be overwritten.
    private mutating func claim(_ path: FilePath, others: [FilePath]) {
        result.output = path
        // Pictures are not enlarged, so that two widths may come to the same.
        if others.contains(path) {
            isSameAsAnother = true
            return end(as: .skipped)
        }
        root = call.target.root(of: path, for: item)
        if let root, path.relative(to: root) == nil { return fail(.file(.leavesFolder(path, root))) }
        // Only who is named is written into.
        let isStream = root == nil && path.isDeviceOrPipe
        guard isStream || call.reservations.reserve(path) else { return fail(.file(.takenByAnother(path))) }
        output = path
        // Only a link that was named itself is followed.
        let isLink = root != nil && path.isLink
        if isInPlace { return isLink ? fail(.file(.isLink(path))) : (isReplacing = true) }
        if isLink { return call.options.skipsExisting ? end(as: .skipped) : fail(.file(.isLink(path))) }
        if item.isFile, path.isSameFile(as: item.path) { return fail(.file(.isInput(path))) }
        // What appears meanwhile is replaced as well.
        isReplacing = call.options.overwrites
        // A link that leads nowhere is there as well.
        guard FileStatus(path, followsLinks: false) != nil, !isStream else { return }
        if call.options.skipsExisting { return end(as: .skipped) }
        if call.reservations.isInput(path) { return fail(.file(.isInput(path))) }
        isReplacing = isReplacing || call.journal?.manifest.owns(path) ?? false
        if !isReplacing { fail(.file(.alreadyExists(path))) }
    }

    // MARK: The work

    /// Writes the result, on the thread that calls it.
    ///
    /// - Parameter stamp: of the input, before it was read.
    /// - Returns: the image with what is to be said of the writing.
    @discardableResult
    func write(
        _ image: EncodedImage, _ stop: StopToken, _ stamp: FileStamp?
    ) throws(PipelineError) -> EncodedImage {
        if let reason = stop.reason { throw .codec(.stopped(reason)) }
        return try commit.write(image) { image throws(PipelineError) in
            do throws(FileError) {
                return try written(image, stamp)
            } catch {
                throw .file(error)
            }
        }
    }

    /// Writes the result. In place, a file that holds the result already is not touched.
    ///
    /// - Returns: the image with what is to be said of the writing.
    private func written(_ image: EncodedImage, _ stamp: FileStamp?) throws(FileError) -> EncodedImage {
        var image = image
        if isInPlace {
            // To a file that is replaced, only the same bytes mean that it was kept.
            image.isKept = output?.holds(image.bytes) ?? false
            if image.isKept { return image }
        }
        let lost = try write(image.bytes, stamp)
        if !lost.isEmpty { image.warnings.append("the new file could not be given: \(lost.joined(separator: ", "))") }
        return image
    }

    /// - Returns: attributes of the former file that could not be kept.
    private func write(_ bytes: [UInt8], _ stamp: FileStamp?) throws(FileError) -> [String] {
        guard let output else {
            try StandardOutput.write(bytes)
            return []
        }
        let times = call.options.keepsTimes && item.isFile ? item.path : nil
        guard let root else {
            return try AtomicFile.write(bytes, to: output, replacing: isReplacing, times: times)
        }
        let lost: [String]
        var hasBegun = false
        do throws(FileError) {
            lost = try AtomicFile.write(
                bytes, to: output, below: root, makesDirectories: call.target.makesDirectories, replacing: isReplacing,
                times: times
            ) {
                call.journal?.manifest.begin(output)
                hasBegun = true
            }
        } catch {
            if case .alreadyExists = error, hasBegun, let journal = call.journal {
                journal.manifest.withdraw(item.path, number: number, settings: journal.settings, output: output)
            }
            throw error
        }
        if let journal = call.journal, let stamp {
            journal.manifest.finish(item.path, stamp, number: number, settings: journal.settings, output: output)
        }
        return lost
    }

    /// What became of the result, when it was written.
    func outcome() async -> Outcome { await commit.result() }

    /// What became of the result, when its work has ended with an error: it may have been written before.
    func outcome(of error: PipelineError) async -> Outcome { await commit.giveUp() ?? .failure(error) }

    // MARK: After the work

    /// Writes down that a result which is the same as another is there with it.
    func noteSameness(among tasks: [FileTask], _ stamp: FileStamp?) {
        let isThere = tasks.contains { $0.output == result.output && $0.result.error == nil && $0.isSettled }
        guard isSameAsAnother, isThere, !call.options.isDryRun, let stamp, let output = result.output else { return }
        call.journal?.manifest.finish(
            item.path, stamp, number: number, settings: call.journal?.settings ?? 0, output: output)
    }

    mutating func settle(_ outcome: Outcome, _ input: LoadedInput) {
        result.inputBytes = input.source.byteCountSoFar
        do throws(PipelineError) {
            let image = try outcome.get()
            result.outputBytes = image.bytes.count
            result.size = image.size
            result.route = image.route
            result.score = image.score
            result.searchSummary = image.searchSummary
            result.warnings += image.warnings
            if let output, let format = result.format { result.warnings += extensionWarnings(output, holds: format) }
            end(as: image.isKept ? .kept : .written)
        } catch {
            fail(error)
        }
    }

    private func extensionWarnings(_ path: FilePath, holds format: ImageFormat) -> [String] {
        guard let name = path.extension else { return [] }
        let promised = ImageFormat(fileExtension: name)
        guard path.promisesForeignFormat || (promised ?? format) != format else { return [] }
        return ["\(path) is called .\(name) but holds a \(format.rawValue.uppercased())"]
    }
}

extension Recipe {
    /// The size of the result if its resize enlarged; `nil` if it is the same.
    fileprivate func sizeIfEnlarged(of info: ImageInfo) -> PixelSize? {
        var size = appliesOrientation ? info.displaySize : info.size
        for operation in operations {
            switch operation {
            case .crop(let rectangle): size = rectangle.size
            case .resize(let options):
                var rule = options.rule
                let own = try? rule.plan(for: size).canvasSize
                rule.enlarges = true
                let larger = try? rule.plan(for: size).canvasSize
                return larger == own ? nil : larger
            case .flip, .rotate, .turn, .flatten: return nil
            }
        }
        return nil
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
