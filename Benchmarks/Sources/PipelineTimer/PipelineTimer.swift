import Foundation
import Texel

/// Measures the pipeline's costs and guarantees, and prints each figure beside its target.
///
///     PipelineTimer photographs|sharing|cancelling|memory|urgency|caches FOLDER
///     PipelineTimer batch FOLDER PROGRAM
///     PipelineTimer tiny
///
/// `FOLDER` holds photographs, `PROGRAM` is texel. The exit code is 1 if a count or an amount of memory misses its
/// target; missed times are only printed.
@main
struct PipelineTimer {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        let report = Report()
        if arguments == ["tiny"] {
            try await TinyImages().run(report)
        } else if arguments.count == 3, arguments[0] == "batch" {
            try await BatchCost(try Photographs(in: arguments[1]), program: arguments[2]).run(report)
        } else if arguments.count == 2 {
            let photographs = try Photographs(in: arguments[1])
            switch arguments[0] {
            case "photographs": try await Overhead(photographs).run(report)
            case "sharing": try await Sharing(photographs).run(report)
            case "cancelling": try await Cancelling(photographs).run(report)
            case "memory": try await QueuedMemory(photographs).run(report)
            case "urgency": try await Urgent(photographs).run(report)
            case "caches": try await CacheHits(photographs).run(report)
            default: return usage()
            }
        } else {
            return usage()
        }
        if report.hasFailed { exit(1) }
    }

    private static func usage() {
        print("usage: PipelineTimer photographs|sharing|cancelling|memory|urgency|caches FOLDER")
        print("       PipelineTimer batch FOLDER PROGRAM")
        print("       PipelineTimer tiny")
    }
}
