import ArgumentParser
import Texel

struct TileCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        texelCommand: "tile",
        abstract: "Cut images into tiles for deep-zoom viewers.",
        discussion: """
            texel tile map.png -o tiles/                  tiles/map.dzi and tiles/map_files/
            texel tile scans/ -r -o tiles/ -f webp -q 75
            texel tile map.png -o iiif/ --layout iiif --id https://example.org/iiif

            All tiles of a level are cut from one image, so that they fit without seams. A pyramid appears when it is \
            complete, or not at all.
            """)

    @Argument(help: "Files, directories (with -r), patterns, URLs, or - for standard input.", completion: .file())
    var inputs: [String]

    @Option(
        name: [.short, .long], help: "The directory for the pyramids, which have the names of their inputs.",
        completion: .directory)
    var output: String

    @Flag(name: [.short, .customLong("recursive")], help: "Process directories recursively; their trees are mirrored.")
    var recursive = false

    @Flag(help: "Replace existing pyramids.")
    var overwrite = false

    @OptionGroup(title: "Tiles") var tiles: TileOptions

    @Flag(help: "Print one JSON object per pyramid.")
    var json = false

    @Option(help: "auto, bar, json or none; on standard error.")
    var progress = ProgressMode.auto

    @OptionGroup(title: "Limits") var work: WorkOptions

    func validate() throws {
        if output.isEmpty || output == "-" { throw ValidationError("--output must be a directory.") }
    }

    func run() async throws {
        let found = InputExpansion.expand(
            inputs, isRecursive: recursive, others: try Addresses.items(inputs, timeout: work.options.timeout),
            excluding: .directory(RawArguments.path(output)), path: RawArguments.path)
        let isSingle = inputs.count == 1 && !found.isOpenEnded
        let interruption = Interruption.shared
        let reporter = await TileReporter(found.items, isJSON: json, progress: progress, layout: tiles.layout)
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
        if interruption.hasHappened { throw ExitStatus.interrupted.exitCode }
        guard let first = await reporter.firstError else { return }
        throw ExitStatus(first: first, isSingle: isSingle, of: found).exitCode
    }
}
