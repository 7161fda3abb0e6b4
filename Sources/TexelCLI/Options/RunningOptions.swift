import ArgumentParser
import Texel

/// How the work is run and reported.
struct RunningOptions: ParsableArguments {
    @OptionGroup var work: WorkOptions

    @Flag(help: "Print one JSON object per file.")
    var json = false

    @Option(help: "Write a page that shows each image before and after: report.html.", completion: .file())
    var report: String?

    @Option(help: "auto, bar, json or none; on standard error.")
    var progress = ProgressMode.auto

    @Flag(help: "Print the plan of each file: route, steps, memory.")
    var explain = false

    @Flag(name: [.short, .long], help: "Print warnings that were tolerated.")
    var verbose = false

    @Flag(help: "Print errors and warnings only.")
    var quiet = false

    func validate() throws {
        let others = [("json", json), ("explain", explain), ("verbose", verbose)]
        for (name, isSet) in others where quiet && isSet {
            throw ValidationError("--quiet prints errors and warnings only; leave out --\(name).")
        }
    }
}

/// How progress is shown.
enum ProgressMode: String, NamedArgument {
    case auto, bar, json, none
}
