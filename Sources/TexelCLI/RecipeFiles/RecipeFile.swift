import ArgumentParser
import SystemPackage
import Texel

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Flags in a file that a team shares: `--recipe FILE`, or `texel.toml` in the working directory.
///
///     metadata = "privacy"       # for all commands
///     [resize]
///     width = [320, 640, 1280]
///
/// Keys are the long names of flags that affect the result. Flags on the command line have precedence.
struct RecipeFile {
    static let defaultName = "texel.toml"

    /// An error in a recipe file.
    struct Fault: Error, CustomStringConvertible {
        var path: String
        var line: Int?
        var message: String
        var status = ExitStatus.usage

        var description: String { "\(path)\(line.map { ":\($0)" } ?? ""): \(message)" }
    }

    /// Larger files are rejected.
    private static let byteLimit = 1 << 20

    private let path: String
    private let document: TOMLDocument

    init(path: String) throws(Fault) {
        self.path = path
        let bytes: [UInt8]
        do {
            bytes = try Self.contents(of: FilePath(path))
        } catch {
            let reason = error as? Errno ?? .ioError
            let message = reason == .noSuchFileOrDirectory ? "no such file" : "cannot be read: \(reason)"
            throw Fault(path: path, message: message, status: .inputMissing)
        }
        guard bytes.count <= Self.byteLimit else {
            throw Fault(path: path, message: "the file is larger than \(Self.byteLimit >> 20) MiB")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Fault(path: path, message: "the file is not valid UTF-8")
        }
        do throws(TOMLDocument.Fault) {
            document = try TOMLDocument(text)
        } catch {
            throw Fault(path: path, line: error.line, message: error.message)
        }
    }

    /// Reads at most one byte more than the limit; the file may be a pipe.
    private static func contents(of path: FilePath) throws -> [UInt8] {
        let descriptor = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
        return try descriptor.closeAfter { try descriptor.readAll(atMost: byteLimit + 1) }
    }

    /// The file's flags for a command, as arguments to insert before the user's.
    ///
    /// - Parameter arguments: the user's arguments; flags of the file that contradict them are omitted.
    func arguments(for command: RecipeCommand, before arguments: [String]) throws(Fault) -> [String] {
        let own = OwnFlags(arguments)
        let entries = try entries(for: command)
        let overridden = Self.alternatives(to: own.names).union(own.excludedKeys)
        let kept = entries.filter { !overridden.contains($0.key) }
        let given = own.names.union(kept.map(\.key))
        return
            kept.filter { entry in
                // A flag that requires an overridden one is omitted with it.
                guard let needed = Self.dependencies[entry.key] else { return true }
                return !given.isDisjoint(with: needed) || entries.allSatisfy { !needed.contains($0.key) }
            }.flatMap(\.arguments)
    }

    /// Flags that exclude each other: one of them on the command line overrides all of them in the file, and one in a
    /// command's table overrides all of them above the tables.
    private static let alternatives: [Set<String>] = [
        ["progressive", "baseline"], ["auto-orient", "no-auto-orient"],
        ["width", "height", "min-width", "min-height", "scale"], ["quality", "target-score"],
    ]

    private static func alternatives(to names: Set<String>) -> Set<String> {
        Set(alternatives.filter { !$0.isDisjoint(with: names) }.joined())
    }

    /// Flags that require one of several others.
    private static let dependencies: [String: Set<String>] = [
        "best-effort": ["target-score", "max-bytes"], "allow-smaller": ["max-bytes"],
    ]

    /// The entries of all tables that apply to the command; those of its own table have precedence.
    private func entries(for command: RecipeCommand) throws(Fault) -> [TOMLDocument.Entry] {
        for (table, line) in document.tables where RecipeCommand(rawValue: table) == nil {
            let names = RecipeCommand.allCases.map { "[\($0.rawValue)]" }.joined(separator: ", ")
            throw Fault(path: path, line: line, message: "[\(table)] is not one of \(names)")
        }
        var found: [String: TOMLDocument.Entry] = [:]
        for entry in document.entries {
            try check(entry)
            if entry.table == command.rawValue || entry.table == "" && found[entry.key]?.table != command.rawValue {
                found[entry.key] = entry
            }
        }
        let specific = Set(found.values.filter { $0.table != "" }.map(\.key))
        let replaced = Self.alternatives(to: specific)
        return found.values.filter { $0.table != "" || !replaced.contains($0.key) }.sorted { $0.line < $1.line }
    }

    private func fault(_ entry: TOMLDocument.Entry, _ message: String) -> Fault {
        Fault(path: path, line: entry.line, message: message)
    }

    // MARK: Allowed flags

    /// Checks that an entry is an allowed flag with a valid value.
    private func check(_ entry: TOMLDocument.Entry) throws(Fault) {
        guard let field = Self.fields[entry.key] else {
            throw fault(
                entry,
                Self.isFlag(entry.key)
                    ? "\(entry.key) cannot be set in a recipe file; pass it on the command line"
                    : "unknown flag \(entry.key)")
        }
        do {
            let options = try field.checked(entry.value)
            // Combinations of flags are checked after parsing all of them.
            guard entry.isNumeric else { return }
            try options.encoding.check()
            try options.size.check()
            try options.turning.check()
            try options.work.limits.validate()
        } catch let error as JobFault {
            throw fault(entry, error.message.replacing(field.name, with: entry.key))
        } catch let error as ValidationError {
            throw fault(entry, error.message)
        } catch {
            throw fault(entry, ErrorText.sentence(error))
        }
    }

    private static let files: Set = ["input", "output", "inPlace", "overwrite", "skipExisting", "keepTimes", "dryRun"]

    private static let allFields = JobCommand.compress.fields.values.map { ($0.name.flagName, $0) }

    private static let fields = Dictionary(
        allFields.filter { !files.contains($0.1.name) }, uniquingKeysWith: { first, _ in first })

    private static func isFlag(_ key: String) -> Bool {
        allFields.contains { $0.0 == key } || ["recursive", "resume", "json", "jobs", "memory"].contains(key)
    }
}

/// The user's flags, and what they exclude in a recipe file.
private struct OwnFlags {
    /// Long names, without dashes.
    let names: Set<String>
    /// Keys of the file that contradict these flags without being alternatives to them.
    let excludedKeys: Set<String>

    init(_ arguments: [String]) {
        var names: Set<String> = []
        var format: String?
        let flags = Array(arguments.prefix { $0 != "--" })
        for (index, argument) in flags.enumerated() {
            guard argument.hasPrefix("-") else { continue }
            let written = argument.prefix { $0 != "=" }
            let name = written.hasPrefix("--") ? String(written.dropFirst(2)) : Self.longName(written)
            names.insert(name)
            guard name == "format" else { continue }
            let next = flags.dropFirst(index + 1).first
            format = written.count < argument.count ? String(argument.dropFirst(written.count + 1)) : next
        }
        self.names = names
        var excluded: Set<String> = []
        // Not all formats have palettes, and --in-place keeps each file's format.
        if let format = format.flatMap(FormatArgument.init(argument:))?.format, !format.capabilities.hasPalettes {
            excluded.insert("colors")
        }
        if names.contains("colors") || names.contains("in-place") { excluded.insert("format") }
        excludedKeys = excluded
    }

    private static func longName(_ short: Substring) -> String {
        switch short.prefix(2) {
        case "-q": "quality"
        case "-f": "format"
        case "-w": "width"
        default: ""
        }
    }
}

extension TOMLDocument.Entry {
    fileprivate var isNumeric: Bool {
        switch value {
        case .number, .list: true
        case .text, .boolean: false
        }
    }

    /// The entry as command line arguments.
    fileprivate var arguments: [String] {
        switch value {
        case .text(let text): ["--\(key)=\(text)"]
        case .number(let text): ["--\(key)=\(text)"]
        case .list(let numbers): ["--\(key)=\(numbers.map { "\($0)" }.joined(separator: ","))"]
        case .boolean(true): ["--\(key)"]
        case .boolean(false): key == "auto-orient" ? ["--no-auto-orient"] : []
        }
    }
}

extension JobField {
    /// Applies a value to default options.
    ///
    /// - Throws: `JobFault`.
    fileprivate func checked(_ value: TOMLDocument.Value) throws -> JobOptions {
        var options = try JobOptions(try WorkOptions.parse([]))
        if case .list(let numbers) = value, name == "width" {
            let widths = numbers.map { "\($0)" }.joined(separator: ",")
            guard let widths = WidthsArgument(argument: widths) else {
                throw JobFault("width is not a list of different integers")
            }
            options.size.width = widths
            return options
        }
        let json =
            switch value {
            case .text(let text): JSONLine.text(of: [name: text])
            case .number(let text): "{\"\(name)\":\(text)}"
            case .boolean(let isSet): JSONLine.text(of: [name: isSet])
            case .list(let numbers): JSONLine.text(of: [name: numbers])
            }
        let check = Check.Configuration(field: self, options: options)
        do {
            return try JSONDecoder().decode(Check.self, from: Data(json.utf8), configuration: check).options
        } catch is DecodingError {
            throw JobFault("\(name) is not \(expectation)")
        }
    }

    /// Decodes a field's value into options.
    private struct Check: DecodableWithConfiguration {
        struct Configuration {
            let field: JobField
            let options: JobOptions
        }

        let options: JobOptions

        init(from decoder: any Decoder, configuration: Configuration) throws {
            var options = configuration.options
            try configuration.field.apply(try decoder.container(keyedBy: FieldName.self), to: &options)
            self.options = options
        }
    }
}

extension String {
    /// Converts a name such as `minWidth` to a flag's: `min-width`.
    fileprivate var flagName: String {
        reduce(into: "") { $0 += $1.isUppercase ? "-\($1.lowercased())" : String($1) }
    }
}
