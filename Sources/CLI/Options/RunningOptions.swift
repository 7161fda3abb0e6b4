import Texel

/// How the work is run and reported.
struct RunningOptions: OptionGroup {
    var work = WorkOptions()
    var json = false
    var report: String?
    var progress: ProgressMode?
    var explain = false
    var verbose = false
    var quiet = false

    static let options: [Option<Self>] =
        WorkOptions.options(at: \.work)
        + [
            .flag("json", \.json, help: "Print one JSON object per file."),
            .text("report", \.report, help: "Write a page that shows each image before and after: report.html.")
                .completed(with: .file),
            .argument("progress", \.progress, help: "auto, bar, json or none; on standard error.").defaulting(
                to: "auto"),
            .flag("explain", \.explain, help: "Print the plan of each file: route, steps, memory."),
            .flag("verbose", \.verbose, help: "Also print non-fatal warnings.").short("v"),
            .flag("quiet", \.quiet, help: "Print errors and warnings only."),
        ]

    func checkMeaning() throws(OptionError) {
        let others = [("json", json), ("explain", explain), ("verbose", verbose)]
        for (name, isSet) in others where quiet && isSet {
            throw OptionError("--quiet prints errors and warnings only; leave out --\(name)")
        }
    }
}

/// How progress is shown.
enum ProgressMode: String, NamedArgument {
    case auto, bar, json, none
}
