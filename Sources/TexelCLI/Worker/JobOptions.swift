import ArgumentParser
import Texel

/// The options of a job: the flags of all commands that jobs may use.
struct JobOptions: Sendable {
    var command = JobCommand.compress
    /// The input of all commands except `compare`.
    var input: String?
    /// The inputs of `compare`.
    var original: String?
    var candidate: String?
    var heatmap: String?
    var files: FileOptions
    var encoding: EncodingOptions
    var size: SizeOptions
    var turning: TurningOptions
    var work: WorkOptions

    /// Makes the default options.
    ///
    /// - Parameter work: the worker's own options.
    init(_ work: WorkOptions) throws {
        self.work = work
        // The defaults of flags are only available through the parser.
        files = try .parse(["-"])
        encoding = try .parse([])
        size = try .parse([])
        turning = try .parse([])
    }
}

/// The commands of jobs, named as those of the program.
enum JobCommand: String, CaseIterable, ExpressibleByArgument {
    case compress, resize, rotate, info, compare

    /// The command that makes an image; `nil` for others.
    var recipe: RecipeCommand? { RecipeCommand(rawValue: rawValue) }

    /// The fields of a job with this command, except `id` and `command`.
    var fields: [String: JobField] {
        switch self {
        case .compress, .resize, .rotate: Self.imageFields
        case .info: Self.informationFields
        case .compare: Self.comparisonFields
        }
    }

    static let choice = JobField.argument("command", \.command)

    private static let imageFields = byName(
        [
            .text("input", \.input),
            .text("output", \.files.output),
            .flag("inPlace", \.files.inPlace),
            .flag("overwrite", \.files.overwrite),
            .flag("skipExisting", \.files.skipExisting),
            .flag("keepTimes", \.files.keepTimes),
            .flag("dryRun", \.files.dryRun),
            .argument("failOn", \.work.strictness.failOn),
        ] + JobField.encoding + JobField.size + JobField.turning + JobField.limits)

    private static let informationFields = byName([.text("input", \.input)] + JobField.limits)

    private static let comparisonFields = byName(
        [
            .text("original", \.original),
            .text("candidate", \.candidate),
            .text("heatmap", \.heatmap),
            .flag("overwrite", \.files.overwrite),
            .argument("failOn", \.work.strictness.failOn),
        ] + JobField.limits)

    private static func byName(_ fields: [JobField]) -> [String: JobField] {
        Dictionary(fields.map { ($0.name, $0) }) { first, _ in first }
    }
}

extension JobField {
    fileprivate static let byteCount = "a number of bytes such as 200000 or \"200KB\""

    fileprivate static let encoding: [JobField] = [
        .argument("format", \.encoding.format),
        .whole("quality", \.encoding.quality),
        .number("targetScore", \.encoding.targetScore),
        .argument("maxBytes", \.encoding.maxBytes, byteCount),
        .flag("allowSmaller", \.encoding.allowSmaller),
        .flag("bestEffort", \.encoding.bestEffort),
        .whole("colors", \.encoding.colors),
        .flag("lossless", \.encoding.lossless),
        .argument("minGain", \.encoding.minGain, "a percentage such as 2 or \"2%\""),
        .argument("effort", \.encoding.effort),
        .argument("subsampling", \.encoding.subsampling),
        .choice("progressive", .progressive, \.encoding.process),
        .choice("baseline", .baseline, \.encoding.process),
        .argument("metadata", \.encoding.metadata),
        .argument("background", \.encoding.background, "a CSS colour such as \"white\" or \"#ff8800\""),
        .flag("autoOrient", \.encoding.autoOrient),
        .whole("frame", \.encoding.frame),
        .flag("noAutoOrient", \.encoding.autoOrient, inverted: true),
    ]

    fileprivate static let size: [JobField] = [
        .width("width", \.size.width),
        .whole("height", \.size.height),
        .argument("fit", \.size.fit),
        .argument("scale", \.size.scale, "a fraction of the size such as \"50%\", 0.5 or \"1/2\""),
        .whole("minWidth", \.size.minWidth),
        .whole("minHeight", \.size.minHeight),
        .flag("enlarge", \.size.enlarge),
        .argument("filter", \.size.filter),
        .flag("linear", \.size.linear),
        .argument("crop", \.size.crop, "a rectangle such as \"640x480+10+20\""),
    ]

    fileprivate static let turning: [JobField] = [
        .argument("flip", \.turning.flip),
        .number("angle", \.turning.angle),
        .number("yaw", \.turning.yaw),
        .number("pitch", \.turning.pitch),
        .number("roll", \.turning.roll),
        .choice("perfect", .perfect, \.turning.partialBlocks),
        .choice("trim", .trim, \.turning.partialBlocks),
    ]

    fileprivate static let limits: [JobField] = [
        .flag("untrusted", \.work.limits.untrusted),
        .whole("limitPixels", \.work.limits.limitPixels),
        .whole("limitSide", \.work.limits.limitSide),
        .whole("limitChunks", \.work.limits.limitChunks),
        .whole("limitScans", \.work.limits.limitScans),
        .whole("limitFrames", \.work.limits.limitFrames),
        .whole("limitWarnings", \.work.limits.limitWarnings),
        .argument("limitInput", \.work.limits.limitInput, byteCount),
        .argument("limitDecoded", \.work.limits.limitDecoded, byteCount),
        .argument("limitInflated", \.work.limits.limitInflated, byteCount),
        .argument("limitMetadata", \.work.limits.limitMetadata, byteCount),
        .argument("limitMemory", \.work.limits.limitMemory, byteCount),
        .argument("timeout", \.work.limits.timeout, "a time such as 30, \"30s\" or \"500ms\""),
    ]
}

/// Fields that exclude each other because they set the same option.
enum ExclusiveFields {
    static let all = [["progressive", "baseline"], ["perfect", "trim"], ["autoOrient", "noAutoOrient"]]
}
