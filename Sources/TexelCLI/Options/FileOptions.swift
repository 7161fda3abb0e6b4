import ArgumentParser
import Texel

/// Which files are read, and where results are written.
struct FileOptions: ParsableArguments {
    @Argument(help: "Files, directories (with -r), patterns, addresses, or - for standard input.", completion: .file())
    var inputs: [String]

    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "A file, a directory, - for standard output, or a template such as {dir}/{name}-{width}w.{ext}.",
            discussion: "Without it the result goes beside the input as {name}-texel.{ext}."),
        completion: .file())
    var output: String?

    @Flag(name: [.short, .customLong("recursive")], help: "Do everything in directories; their trees are mirrored.")
    var recursive = false

    @Flag(help: "Replace each input by its result.")
    var inPlace = false

    @Flag(help: "Replace existing outputs.")
    var overwrite = false

    @Flag(help: "Leave inputs alone whose output exists.")
    var skipExisting = false

    @Flag(help: "Go on with a batch: do only what is missing in the output directory, or has changed since.")
    var resume = false

    @Flag(help: "Give each result the modification time of its input.")
    var keepTimes = false

    @Flag(help: "Say what would be done, and do nothing.")
    var dryRun = false

    @OptionGroup var shared: SharedFlagOptions

    func check(format: ImageFormat?) throws {
        if output == "" { throw ValidationError("--output is empty; name a file or a directory.") }
        if resume, skipExisting {
            throw ValidationError("--resume leaves alone only what is whole and unchanged; leave --skip-existing away.")
        }
        guard inPlace else {
            if output == "-", inputs.count > 1 {
                throw ValidationError("Standard output holds one picture; name one input, or a directory with -o.")
            }
            return
        }
        if output != nil { throw ValidationError("--in-place and --output exclude each other.") }
        if inputs.contains("-") { throw ValidationError("Standard input has no place to go back to: use -o.") }
        if inputs.contains(where: Addresses.isAddress) {
            throw ValidationError("What lies at an address has no place here to go back to: use -o.")
        }
        if format != nil { throw ValidationError("--in-place keeps each file's format; leave --format away.") }
    }

    /// Checks that the outputs of one input have different names if there are several widths.
    func checkNames() throws {
        if inPlace { throw ValidationError("--in-place has no place for several widths; use -o.") }
        if output == "-" { throw ValidationError("Standard output holds one picture; name a directory with -o.") }
        if inputs.contains("-"), output == nil { throw ValidationError("Several widths of standard input need -o.") }
        guard let output, case .template(let template)? = try? OutputTarget(argument: output, isForSeveralInputs: true)
        else { return }
        if !template.tellsWidth {
            throw ValidationError(
                "Several widths need {width} in --output, or a directory: -o '{name}-{width}w.{ext}'.")
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
                    "--output \(output) names one picture for several inputs; a directory's name ends with a slash.")
            }
            return target
        } catch let error as OutputTemplate.UnknownPlaceholder {
            throw ValidationError(
                "{\(error.name)} in --output is not one of {dir}, {name}, {ext}, {width}, {height}.")
        }
    }
}
