import Texel

struct DuplicatesCommand: Command {
    static let description = CommandDescription(
        name: "duplicates",
        abstract: "Find images that look alike.",
        examples: [
            "texel duplicates photos/ -r",
            "texel duplicates photos/ backup/ -r --json",
            "texel duplicates *.jpg --distance 6",
        ],
        discussion: """
            Finds copies that were recompressed, resized, slightly cropped, brightened or saved in another format. \
            Each group is printed with its largest image first. Nothing is changed or deleted.
            """,
        brief: ["recursive", "distance", "json", "progress"],
        briefNote: "Each group is printed with its largest image first. Nothing is deleted.")

    var inputs: [String] = []
    var recursive = false
    var distance: Int?
    var json = false
    var progress: ProgressMode?
    var work = WorkOptions()

    static let options: [Option<Self>] =
        [
            .operands("inputs", \.inputs, help: "Files, directories (with -r), archives or patterns."),
            .flag("recursive", \.recursive, help: "Process all images in directories.").short("r"),
            .integer(
                "distance", \.distance, .within(DuplicateSearch.distances),
                help: "Bits of 64 by which the hashes of similar images may differ, 0 to 24; more finds more."
            ).defaulting(to: "\(DuplicateSearch.defaultDistance)"),
            .flag("json", \.json, help: "Print one JSON object per group."),
            .argument("progress", \.progress, help: "auto, bar, json or none; on standard error.").defaulting(
                to: "auto"),
        ]
        + WorkOptions.options(at: \.work, section: "Limits")

    func checkMeaning() throws(OptionError) {
        if inputs.contains("-") || inputs.contains(where: Addresses.isAddress) {
            throw OptionError("duplicates reads files only; save standard input or URLs to files first")
        }
    }

    func run() async throws {
        let found = InputExpansion.expand(
            inputs, isRecursive: recursive, others: NamedTrees.archives(inputs), path: RawArguments.path)
        let isSingle = inputs.count == 1 && !found.isOpenEnded
        let interruption = Interruption.shared
        let reporter = await DuplicateReporter(count: found.items.count, isJSON: json, progress: progress ?? .auto)
        for failure in found.failures { await reporter.fail(FileResult(failed: failure)) }
        let search = DuplicateSearch(
            distance: distance ?? DuplicateSearch.defaultDistance, options: work.options, pool: work.pool)
        let searching = Task {
            await search.groups(in: found.items) { index, result in
                await reporter.report(found.items[index], at: index, result)
            }
        }
        interruption.stop.whenCancelled { searching.cancel() }
        let groups = await searching.value
        if interruption.hasHappened {
            await reporter.clear()
            throw ExitStatus.interrupted
        }
        await reporter.report(groups, otherFileCount: found.otherFileCount)
        guard let first = await reporter.firstError else { return }
        throw ExitStatus(first: first, isSingle: isSingle, of: found)
    }
}
