import Texel
import TexelPyramids

struct TileCommand: Command {
    static let description = CommandDescription(
        name: "tile",
        abstract: "Cut images into tiles for deep-zoom viewers.",
        examples: [
            "texel tile map.png -o tiles/  tiles/map.dzi, tiles/map_files/",
            "texel tile scans/ -r -o tiles/ -f webp -q 75",
            "texel tile map.png -o iiif/ --layout iiif --id https://example.org/iiif",
        ],
        discussion: """
            All tiles of a level are cut from one image, so that they fit without seams. A pyramid appears when it \
            is complete, or not at all.
            """,
        brief: [
            "output", "recursive", "layout", "tile-size", "overlap", "format", "quality", "id", "overwrite", "json",
        ])

    var inputs: [String] = []
    var output = ""
    var recursive = false
    var overwrite = false
    var tiles = TileOptions()
    var json = false
    var progress: ProgressMode?
    var work = WorkOptions()

    static let options: [Option<Self>] =
        [
            .operands(
                "inputs", \.inputs,
                help: "Files, directories (with -r), archives, patterns, URLs, or - for standard input."),
            .text("output", \.output, help: "The directory for the pyramids, which have the names of their inputs.")
                .short("o").completed(with: .folder),
            .flag("recursive", \.recursive, help: "Process directories recursively; their trees are mirrored.").short(
                "r"),
            .flag("overwrite", \.overwrite, help: "Replace existing pyramids."),
        ]
        + TileOptions.options(at: \.tiles, section: "Tiles")
        + [
            .flag("json", \.json, help: "Print one JSON object per pyramid."),
            .argument("progress", \.progress, help: "auto, bar, json or none; on standard error.").defaulting(
                to: "auto"),
        ]
        + WorkOptions.options(at: \.work, section: "Limits")

    func checkMeaning() throws(OptionError) {
        try tiles.check()
        if output.isEmpty || output == "-" { throw OptionError("--output must be a directory") }
    }

    func run() async throws {
        let found = InputExpansion.expand(
            inputs, isRecursive: recursive, others: try NamedTrees.of(inputs, timeout: work.options.timeout),
            excluding: [RawArguments.path(output)], path: RawArguments.path)
        let isSingle = inputs.count == 1 && !found.isOpenEnded
        let interruption = Interruption.shared
        let reporter = await TileReporter(
            found.items, isJSON: json, progress: progress ?? .auto, layout: tiles.layout ?? .dzi)
        for failure in found.failures { await reporter.fail(FileResult(failed: failure)) }
        var options = work.options
        options.overwrites = overwrite
        let maker = PyramidMaker(tiles.settings, in: RawArguments.path(output), options: options, pool: work.pool)
        let making = Task {
            await maker.write(found.items) { index, done, count in
                await reporter.show(found.items[index], tilesDone: done, tileCount: count)
            } onResult: { _, result in
                await reporter.report(result)
            }
        }
        interruption.stop.whenCancelled { making.cancel() }
        await making.value
        await reporter.end(otherFileCount: found.otherFileCount)
        if interruption.hasHappened { throw ExitStatus.interrupted }
        guard let first = await reporter.firstError else { return }
        throw ExitStatus(first: first, isSingle: isSingle, of: found)
    }
}
