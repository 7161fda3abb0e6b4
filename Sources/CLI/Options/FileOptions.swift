import Texel
import TexelArchives
import TexelFrames

/// Which files are read, and where results are written.
struct FileOptions: OptionGroup {
    var inputs: [String] = []
    var output: String?
    var recursive = false
    var inPlace = false
    var overwrite = false
    var skipExisting = false
    var resume = false
    var keepTimes = false
    var dryRun = false
    var shared = SharedFlagOptions()

    static let options: [Option<Self>] =
        [
            .operands(
                "inputs", \.inputs,
                help: "Files, directories (with -r), archives, patterns, URLs, or - for standard input."),
            .text(
                "output", \.output,
                help: """
                    A file, a directory, an archive (zip, tar), - for standard output, or a template such as \
                    {dir}/{name}-{width}w.{ext}.
                    """
            ).short("o").note("Without it, the result is written beside the input as {name}-texel.{ext}.").completed(
                with: .file),
            .flag("recursive", \.recursive, help: "Process directories recursively; their trees are mirrored.").short(
                "r"),
            .flag("in-place", \.inPlace, help: "Replace each input by its result."),
            .flag("overwrite", \.overwrite, help: "Replace existing outputs."),
            .flag("skip-existing", \.skipExisting, help: "Skip inputs whose output exists."),
            .flag(
                "resume", \.resume, help: "Resume a batch: process only inputs whose results are missing or outdated."),
            .flag("keep-times", \.keepTimes, help: "Give each result the modification time of its input."),
            .flag("dry-run", \.dryRun, help: "Print what would be done, without doing it."),
        ]
        + SharedFlagOptions.options(at: \.shared)

    /// Options that also apply to a single file of a worker.
    static let ofOneFile: Set<OptionName> = [
        "output", "in-place", "overwrite", "skip-existing", "keep-times", "dry-run",
    ]

    func check(format: ImageFormat?) throws(OptionError) {
        if output == "" { throw OptionError("\(option: "output") is empty; name a file or a directory") }
        if let output, NumberedPath(output) != nil, !output.hasSuffix("/"), !RawArguments.path(output).isDirectory {
            throw OptionError(
                """
                \(option: "output") \(output) is a name for the frames of an animation, which "texel frames" writes; \
                name one file
                """)
        }
        if resume, skipExisting {
            throw OptionError("\(option: "resume") and \(option: "skip-existing") exclude each other")
        }
        try checkReplacing()
        guard inPlace else {
            if isStandardOutput, inputs.count > 1 {
                throw OptionError(
                    """
                    Standard output takes one image; name one input, or a directory with \
                    \(option: "output", short: "o")
                    """)
            }
            return
        }
        if output != nil { throw OptionError("\(option: "in-place") and \(option: "output") exclude each other") }
        if inputs.contains("-") {
            throw OptionError(
                "\(option: "in-place") cannot replace standard input; use \(option: "output", short: "o")")
        }
        if inputs.contains(where: Addresses.isAddress) {
            throw OptionError("\(option: "in-place") cannot replace a URL; use \(option: "output", short: "o")")
        }
        if format != nil {
            throw OptionError("\(option: "in-place") keeps each file's format; leave out \(option: "format")")
        }
    }

    /// Checks that the outputs of one input have different names if there are several widths.
    func checkNames() throws(OptionError) {
        if inPlace {
            throw OptionError(
                """
                \(option: "in-place") writes one result for each input; use \(option: "output", short: "o") for \
                several widths
                """)
        }
        if isStandardOutput {
            throw OptionError("Standard output takes one image; name a directory with \(option: "output", short: "o")")
        }
        if inputs.contains("-"), output == nil {
            throw OptionError("Several widths of standard input require \(option: "output", short: "o")")
        }
        if let output, let store = try? OutputArgument.store(output, isForSeveralInputs: true), !store.tellsWidths {
            throw OptionError(
                "Several widths require {width} in \(option: "output"), or a directory: -o '{name}-{width}w.{ext}'")
        }
    }

    /// Whether the result is written to standard output.
    var isStandardOutput: Bool { output.map(OutputArgument.isStandardOutput) ?? false }

    /// Refuses options about existing outputs where none is replaced.
    private func checkReplacing() throws(OptionError) {
        let replacing: [(OptionName, Bool)] = [("overwrite", overwrite), ("skip-existing", skipExisting)]
        for (name, isSet) in replacing where isSet && inPlace {
            throw OptionError("\(option: name) has no effect with \(option: "in-place"), which replaces the inputs")
        }
        for (name, isSet) in replacing + [("keep-times", keepTimes)] where isSet && isStandardOutput {
            throw OptionError("\(option: name) has no effect on standard output")
        }
    }

    /// The store of the results of folders, before it is known how many inputs there are; `nil` without an output.
    var likelyStore: (any OutputStore)? {
        output.flatMap { output in
            archiveStore ?? (try? OutputArgument.store(output, isForSeveralInputs: true, path: RawArguments.path))
        }
    }

    /// The store of a new archive; `nil` if the output is no archive.
    var archiveStore: ArchiveStore? {
        guard let output, !inPlace, !output.hasSuffix("/") else { return nil }
        let path = RawArguments.path(output)
        return path.isDirectory || output.contains("{") ? nil : ArchiveStore(path)
    }

    /// The store of the results.
    func store(isForSeveralInputs: Bool) throws(OptionError) -> any OutputStore {
        if inPlace { return InPlaceStore() }
        guard let output else { return BesideInputStore() }
        if let archiveStore { return archiveStore }
        do throws(TexelError) {
            let store = try OutputArgument.store(
                output, isForSeveralInputs: isForSeveralInputs, path: RawArguments.path)
            guard let path = (store as? DirectoryStore)?.path, !path.isDirectory, !output.hasSuffix("/"),
                let name = path.extension, ImageFormat(fileExtension: name) != nil
            else { return store }
        } catch {
            throw OptionError("\(option: "output"): \(error)")
        }
        throw OptionError(
            """
            \(option: "output") \(output) is one file, but there are several inputs; end the name of a directory with /
            """)
    }
}
