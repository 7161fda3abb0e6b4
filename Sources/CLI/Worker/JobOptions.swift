import Texel
import TexelMetrics

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
    init(_ work: WorkOptions) {
        files = FileOptions()
        files.inputs = ["-"]
        recipe = RecipeOptions(work)
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
    static let choice = Option<JobOptions>.argument("command", \.namedCommand, help: "")

    private static let imageFields = JobFields(
        [input] + FileOptions.options(at: \.files).filter { FileOptions.ofOneFile.contains($0.name) }
            + RecipeOptions.options.map { $0.within(\.recipe) })

    private static let informationFields = JobFields([input, page] + limits)

    private static let comparisonFields = JobFields(
        [
            .text("original", \.original, help: ""),
            .text("candidate", \.candidate, help: ""),
            .text("heatmap", \.heatmap, help: ""),
            .argument("heatmap-metric", \.heatmapMetric, help: ""),
            page,
            .flag("overwrite", \.files.overwrite, help: ""),
        ] + StrictnessOptions.options(at: \.recipe.work.strictness) + limits)

    private static let input = Option<JobOptions>.text("input", \.input, help: "")
    private static let page = Option<JobOptions>.integer("page", \.page, .from(1), help: "")

    private static let limits = RecipeOptions.options.filter { option in
        LimitOptions.options.contains { $0.name == option.name }
    }.map { $0.within(\JobOptions.recipe) }
}

/// The fields of jobs with a command.
struct JobFields: Sendable {
    /// In the order in which errors name them.
    private let options: [Option<JobOptions>]
    private let byName: [String: Option<JobOptions>]

    init(_ options: [Option<JobOptions>]) {
        self.options = options
        byName = Dictionary(options.map { ($0.name.field, $0) }, uniquingKeysWith: { first, _ in first })
    }

    subscript(name: String) -> Option<JobOptions>? { byName[name] }

    /// The fields with these names, in order.
    func named(_ names: [String]) -> [Option<JobOptions>] {
        let names = Set(names)
        return options.filter { names.contains($0.name.field) }
    }
}
