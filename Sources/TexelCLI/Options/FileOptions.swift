import ArgumentParser
import Texel

/// Which files are read, and where results are written.
struct FileOptions: ParsableArguments {
    @Argument(help: "Files, directories (with -r), patterns, URLs, or - for standard input.", completion: .file())
    var inputs: [String]

    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "A file, a directory, - for standard output, or a template such as {dir}/{name}-{width}w.{ext}.",
            discussion: "Without it, the result is written beside the input as {name}-texel.{ext}."),
        completion: .file())
    var output: String?

    @Flag(name: [.short, .customLong("recursive")], help: "Process directories recursively; their trees are mirrored.")
    var recursive = false

    @Flag(help: "Replace each input by its result.")
    var inPlace = false

    @Flag(help: "Replace existing outputs.")
    var overwrite = false

    @Flag(help: "Skip inputs whose output exists.")
    var skipExisting = false

    @Flag(help: "Resume a batch: process only inputs whose results are missing or outdated.")
    var resume = false

    @Flag(help: "Give each result the modification time of its input.")
    var keepTimes = false

    @Flag(help: "Print what would be done, without doing it.")
    var dryRun = false

    @OptionGroup var shared: SharedFlagOptions

    func check(format: ImageFormat?) throws {
        if output == "" { throw ValidationError("--output is empty; name a file or a directory.") }
        if resume, skipExisting {
            throw ValidationError("--resume and --skip-existing exclude each other.")
        }
        guard inPlace else {
            if output == "-", inputs.count > 1 {
                throw ValidationError("Standard output takes one image; name one input, or a directory with -o.")
            }
            return
        }
        if output != nil { throw ValidationError("--in-place and --output exclude each other.") }
        if inputs.contains("-") { throw ValidationError("--in-place cannot replace standard input; use -o.") }
        if inputs.contains(where: Addresses.isAddress) {
            throw ValidationError("--in-place cannot replace a URL; use -o.")
        }
        if format != nil { throw ValidationError("--in-place keeps each file's format; leave out --format.") }
    }

    /// Checks that the outputs of one input have different names if there are several widths.
    func checkNames() throws {
        if inPlace { throw ValidationError("--in-place writes one result for each input; use -o for several widths.") }
        if output == "-" { throw ValidationError("Standard output takes one image; name a directory with -o.") }
        if inputs.contains("-"), output == nil { throw ValidationError("Several widths of standard input require -o.") }
        guard let output, case .template(let template)? = try? OutputTarget(argument: output, isForSeveralInputs: true)
        else { return }
        if !template.tellsWidth {
            throw ValidationError(
                "Several widths require {width} in --output, or a directory: -o '{name}-{width}w.{ext}'.")
        }
    }

    /// The target of the results.
    ///
    /// - Throws: `ValidationError`.
    func target(isForSeveralInputs: Bool) throws -> OutputTarget {
        if inPlace { return .inPlace }
        guard let output else { return .besideInput }
        do {
            let target = try OutputTarget(
                argument: output, isForSeveralInputs: isForSeveralInputs, path: RawArguments.path)
            if case .directory(let path) = target, !path.isDirectory, !output.hasSuffix("/"),
                let name = path.extension, ImageFormat(fileExtension: name) != nil
            {
                throw ValidationError(
                    "--output \(output) is one file, but there are several inputs; end the name of a directory with /.")
            }
            return target
        } catch let error as OutputTemplate.UnknownPlaceholder {
            throw ValidationError(
                "Unknown placeholder {\(error.name)} in --output; use {dir}, {name}, {ext}, {width} or {height}.")
        }
    }
}
