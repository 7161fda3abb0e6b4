import SystemPackage
import Texel
import TexelCore

/// Carries out jobs concurrently through one pipeline.
struct JobRunner: Sendable {
    private let defaults: JobOptions
    private let pipeline: ImagePipeline
    private let pool: WorkerPool
    private let stop: StopToken

    /// How long a pipe or a device may take to deliver its bytes in a job without a timeout: a pipe that gets no writer
    /// would delay the results of all later jobs.
    private static let arrivalLimit = Duration.seconds(30)

    init(defaults: JobOptions, pool: WorkerPool, stop: StopToken) {
        self.defaults = defaults
        self.pool = pool
        self.stop = stop
        // Without caches, because jobs rarely repeat; but several may make sizes of one image.
        pipeline = ImagePipeline(workers: pool, sharesWork: true)
    }

    /// Carries out the job of one line; errors are returned as results.
    ///
    /// - Returns: `nil` if the worker was stopped before the job was done.
    func result(of line: JobLine) async -> JobResult? {
        let job = Job(line, defaults: defaults)
        let subjects = job.input.map { ["input": $0] } ?? [:]
        do throws(Failure) {
            let (content, status) = try await run(try job.options.mapError { Failure.refused($0) }.get())
            return JobResult(id: job.id, line: line.number, status: status, content: content)
        } catch {
            switch error {
            case .refused(let fault):
                return JobResult(
                    id: job.id, line: line.number, status: .usage, content: .fault(fault, subjects: subjects))
            case .failed(let fault, let subjects, let status):
                return JobResult(
                    id: job.id, line: line.number, status: status, content: .fault(fault, subjects: subjects))
            case .stopped: return nil
            }
        }
    }

    /// The reason why a job has no report.
    private enum Failure: Error {
        case refused(JobFault)
        case failed(JobFault, subjects: [String: String], ExitStatus)
        case stopped
    }

    private func run(_ options: JobOptions) async throws(Failure) -> (JobResult.Content, ExitStatus) {
        switch options.command {
        case .compress, .resize, .rotate:
            let result = try await image(options)
            if result.isCancelled { throw .stopped }
            return (.image(result), result.error.map { ExitStatus($0) } ?? .success)
        case .info: return try await information(options)
        case .compare: return (.comparison(try await comparison(options)), .success)
        }
    }

    private func image(_ options: JobOptions) async throws(Failure) -> FileResult {
        let item = try item(options.input, options)
        var processing = options.recipe.work.options
        processing.overwrites = options.files.overwrite
        processing.skipsExisting = options.files.skipExisting
        processing.keepsTimes = options.files.keepTimes
        processing.isDryRun = options.files.dryRun
        let command = options.command.recipe ?? .compress
        processing.refusal = UnusedOptions(options.recipe, of: command, given: options.recipe.given).refusal(in: .job)
        let images = try await images(options)
        processing.warnings = images.warnings
        let recipes = command.recipes(options.recipe, images)
        let store: any OutputStore
        do throws(OptionError) {
            store = try options.files.store(isForSeveralInputs: false)
        } catch {
            throw .refused(JobFault(error))
        }
        return await Batch.process(
            item, to: store, with: recipes[0], options: processing, pipeline: pipeline, stop: stop)
    }

    /// Decodes the images that the job names beside its input.
    private func images(_ options: JobOptions) async throws(Failure) -> CompositionImages {
        let work = options.recipe.work
        do {
            return try await options.recipe.changes.composition.images(
                work.limits, work.strictness.level, pipeline, arrivalLimit: Self.arrivalLimit)
        } catch let error as NamedError {
            throw .failed(JobFault(error.sentence), subjects: ["input": options.input ?? ""], ExitStatus(error.error))
        } catch let error as OptionError {
            throw .refused(JobFault(error))
        } catch {
            throw .stopped
        }
    }

    private func information(_ options: JobOptions) async throws(Failure) -> (JobResult.Content, ExitStatus) {
        let item = try item(options.input, options)
        do throws(TexelError) {
            let (info, byteCount) = try await ImageInfo.load(
                from: item, limits: options.recipe.work.limits.limits, page: options.page.map { $0 - 1 },
                timeout: options.recipe.work.limits.timeLimit, pipeline: pipeline)
            return (.information(InfoReport(item, info, byteCount: byteCount)), .success)
        } catch {
            return (.unreadable(InfoFailure(name: item.name, path: item.path, error: error)), ExitStatus(error))
        }
    }

    private func comparison(_ options: JobOptions) async throws(Failure) -> ComparisonReport {
        let (original, candidate) = (try item(options.original, options), try item(options.candidate, options))
        let comparison = ComparisonRun(
            original: original, candidate: candidate, heatmap: options.heatmap.map { FilePath($0) },
            metric: options.heatmapMetric ?? .ssimulacra2, overwrites: options.files.overwrite, page: options.page,
            policy: options.recipe.work.policy,
            timeout: options.recipe.work.limits.timeLimit, pipeline: pipeline, pool: pool)
        do throws(NamedError) {
            let outcome = try await comparison.run(stop: stop)
            return ComparisonReport(
                original.name, candidate.name, outcome.comparison, warnings: outcome.warnings.map(\.sentence))
        } catch {
            if stop.reason != nil { throw .stopped }
            throw .failed(
                JobFault(error.sentence),
                subjects: ["original": original.name, "candidate": candidate.name], ExitStatus(error.error))
        }
    }

    private func item(_ name: String?, _ options: JobOptions) throws(Failure) -> InputItem {
        let name = name ?? ""
        var file = InputItem(FilePath(name))
        file.arrivalLimit = Self.arrivalLimit
        guard Addresses.isAddress(name) else { return file }
        do throws(OptionError) {
            let items = try Addresses.items([name], timeout: options.recipe.work.limits.timeLimit)
            return items[name] ?? file
        } catch {
            throw .refused(JobFault(error))
        }
    }
}
