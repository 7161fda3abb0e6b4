import ArgumentParser
import Texel

struct DuplicatesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        texelCommand: "duplicates",
        abstract: "Find images that look alike.",
        discussion: """
            texel duplicates photos/ -r
            texel duplicates photos/ backup/ -r --json
            texel duplicates *.jpg --distance 6

            Finds copies that were recompressed, resized, slightly cropped, brightened or saved in another format. \
            Each group is printed with its largest image first. Nothing is changed or deleted.
            """)

    @Argument(help: "Files, directories (with -r) or patterns.", completion: .file())
    var inputs: [String]

    @Flag(name: [.short, .customLong("recursive")], help: "Process all images in directories.")
    var recursive = false

    @Option(help: "Bits of 64 by which the hashes of similar images may differ, 0 to 24; more finds more.")
    var distance = DuplicateSearch.defaultDistance

    @Flag(help: "Print one JSON object per group.")
    var json = false

    @Option(help: "auto, bar, json or none; on standard error.")
    var progress = ProgressMode.auto

    @OptionGroup(title: "Limits") var work: WorkOptions

    func validate() throws {
        let range = DuplicateSearch.distances
        if !range.contains(distance) {
            throw ValidationError(
                "--distance \(distance) is not between \(range.lowerBound) and \(range.upperBound).")
        }
        if inputs.contains("-") || inputs.contains(where: Addresses.isAddress) {
            throw ValidationError("duplicates reads files only; save standard input or URLs to files first.")
        }
    }

    func run() async throws {
        let found = InputExpansion.expand(inputs, isRecursive: recursive, path: RawArguments.path)
        let isSingle = inputs.count == 1 && !found.isOpenEnded
        let interruption = Interruption.shared
        let reporter = await DuplicateReporter(count: found.items.count, isJSON: json, progress: progress)
        for failure in found.failures { await reporter.fail(FileResult(failed: failure)) }
        let search = DuplicateSearch(distance: distance, options: work.options, pool: work.pool)
        let searching = Task {
            await search.groups(in: found.items) { index, result in
                await reporter.report(found.items[index], at: index, result)
            }
        }
        interruption.stop.whenCancelled { searching.cancel() }
        let groups = await searching.value
        if interruption.hasHappened {
            await reporter.clear()
            throw ExitStatus.interrupted.exitCode
        }
        await reporter.report(groups, otherFileCount: found.otherFileCount)
        guard let first = await reporter.firstError else { return }
        throw ExitStatus(first: first, isSingle: isSingle, of: found).exitCode
    }
}
