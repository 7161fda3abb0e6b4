import ArgumentParser
import Texel

/// The options of a job: the flags of all commands that jobs may use.
struct JobOptions: Sendable {
    /// The command that the job names.
    fileprivate var namedCommand: JobCommand?
    /// The input of all commands except `compare`.
    var input: String?
    /// The inputs of `compare`.
    var original: String?
    var candidate: String?
    var heatmap: String?
    var heatmapMetric: DifferenceMetric?
    /// The page of `info` and `compare`, from 1.
    var page: Int?
    var files: FileOptions
    var recipe: RecipeOptions

    var command: JobCommand { namedCommand ?? .compress }

    /// Makes the default options.
    ///
    /// - Parameter work: the worker's own options.
    init(_ work: WorkOptions) throws {
        // The defaults of flags are only available through the parser.
        files = try .parse(["-"])
        recipe = try RecipeOptions(work)
    }
}

/// The commands of jobs, named as those of the program.
enum JobCommand: String, NamedArgument {
    case compress, resize, rotate, info, compare

    /// The command that makes an image; `nil` for others.
    var recipe: RecipeCommand? { RecipeCommand(rawValue: rawValue) }

    /// The fields of a job with this command, except `id` and `command`.
    var fields: JobFields {
        switch self {
        case .compress, .resize, .rotate: Self.imageFields
        case .info: Self.informationFields
        case .compare: Self.comparisonFields
        }
    }

    /// The field that selects the command.
    static let choice = OptionKey<JobOptions>.argument("command", \.namedCommand)

    private static let imageFields = JobFields(
        [
            .text("input", \.input),
            .text("output", \.files.output),
            .flag("in-place", \.files.inPlace),
            .flag("overwrite", \.files.overwrite),
            .flag("skip-existing", \.files.skipExisting),
            .flag("keep-times", \.files.keepTimes),
            .flag("dry-run", \.files.dryRun),
        ] + RecipeOptions.keys.map { $0.within(\.recipe) })

    private static let informationFields = JobFields([.text("input", \.input), page] + limits)

    private static let comparisonFields = JobFields(
        [
            .text("original", \.original),
            .text("candidate", \.candidate),
            .text("heatmap", \.heatmap),
            .argument("heatmap-metric", \.heatmapMetric),
            page,
            .flag("overwrite", \.files.overwrite),
            OptionKey<StrictnessOptions>.failOn.within(\.recipe.work.strictness),
        ] + limits)

    private static let page = OptionKey<JobOptions>.integer("page", \.page, .from(1))

    private static let limits = LimitOptions.keys.map { $0.within(\JobOptions.recipe.work.limits) }
}

/// The fields of jobs with a command.
struct JobFields: Sendable {
    /// In the order in which errors name them.
    private let keys: [OptionKey<JobOptions>]
    private let byName: [String: OptionKey<JobOptions>]

    init(_ keys: [OptionKey<JobOptions>]) {
        self.keys = keys
        byName = Dictionary(keys.map { ($0.name.field, $0) }, uniquingKeysWith: { first, _ in first })
    }

    subscript(name: String) -> OptionKey<JobOptions>? { byName[name] }

    /// The fields with these names, in order.
    func named(_ names: [String]) -> [OptionKey<JobOptions>] {
        let names = Set(names)
        return keys.filter { names.contains($0.name.field) }
    }
}
