import ArgumentParser
import SystemPackage
import Texel

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Flags that a team shares, in a file: `--recipe FILE`, or `texel.toml` in the working directory.
///
///     metadata = "privacy"       # for all commands
///     [resize]
///     width = [320, 640, 1280]
///
/// Their names are those of the flags that say what a picture becomes. What stands on the command line counts more.
struct RecipeFile {
    static let defaultName = "texel.toml"

    /// What is wrong with a file.
    struct Fault: Error, CustomStringConvertible {
        var path: String
        var line: Int?
        var message: String
        var status = ExitStatus.usage

        var description: String { "\(path)\(line.map { ":\($0)" } ?? ""): \(message)" }
    }

    /// A file longer than this is none.
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
            let message = reason == .noSuchFileOrDirectory ? "there is no such file" : "it cannot be read: \(reason)"
            throw Fault(path: path, message: message, status: .inputMissing)
        }
        guard bytes.count <= Self.byteLimit, let text = String(validating: bytes, as: UTF8.self) else {
            throw Fault(path: path, message: "it is no text in UTF-8")
        }
        do throws(TOMLDocument.Fault) {
            document = try TOMLDocument(text)
        } catch {
            throw Fault(path: path, line: error.line, message: error.message)
        }
    }

    /// No more of it than one byte too much; it may be a pipe.
    private static func contents(of path: FilePath) throws -> [UInt8] {
        let descriptor = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
        return try descriptor.closeAfter { try descriptor.readAll(atMost: byteLimit + 1) }
    }

    /// The flags that the file has for a command, as arguments that stand before the user's own.
    ///
    /// - Parameter arguments: the user's own; what contradicts them is left out.
    func arguments(for command: RecipeCommand, before arguments: [String]) throws(Fault) -> [String] {
        let own = OwnFlags(arguments)
        let entries = try entries(for: command)
        let overridden = Self.alternatives(to: own.names).union(own.excludedKeys)
        let kept = entries.filter { !overridden.contains($0.key) }
        let given = own.names.union(kept.map(\.key))
        return
            kept.filter { entry in
                // A flag that depends on one that was overridden goes with it.
                guard let needed = Self.dependencies[entry.key] else { return true }
                return !given.isDisjoint(with: needed) || entries.allSatisfy { !needed.contains($0.key) }
            }.flatMap(\.arguments)
    }

    /// Flags of which a call can have one: one of them on the command line takes the place of all in the file, and one
    /// in a command's table takes the place of all above the tables.
    private static let alternatives: [Set<String>] = [
        ["progressive", "baseline"], ["auto-orient", "no-auto-orient"],
        ["width", "height", "min-width", "min-height", "scale"], ["quality", "target-score"],
    ]

    private static func alternatives(to names: Set<String>) -> Set<String> {
        Set(alternatives.filter { !$0.isDisjoint(with: names) }.joined())
    }

    /// Flags that require one of some others.
    private static let dependencies: [String: Set<String>] = [
        "best-effort": ["target-score", "max-bytes"], "allow-smaller": ["max-bytes"],
    ]

    /// The entries of all tables that concern the command; the command's own count more.
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

    // MARK: What flags may be

    /// Refuses what is no flag, or not what the flag wants.
    private func check(_ entry: TOMLDocument.Entry) throws(Fault) {
        guard let field = Self.fields[entry.key] else {
            let reason = Self.isFlag(entry.key) ? "is for each call to say, not for a file" : "is no flag"
            throw fault(entry, "\(entry.key) \(reason)")
        }
        do {
            let options = try field.checked(entry.value)
            // Whether it makes sense beside other flags is found when all are together.
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

/// The flags of a command line that decide which ones of a file count.
private struct OwnFlags {
    /// Long names, without dashes.
    let names: Set<String>
    /// Keys of a file that contradict these flags, although they are not other ways to say the same.
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
        // A palette is only in a PNG, and --in-place keeps each format.
        if let format, FormatArgument(argument: format) == .jpeg { excluded.insert("colors") }
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

    /// As it would be written on the command line.
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
    /// The options that a value makes of none.
    ///
    /// - Throws: `JobFault`.
    fileprivate func checked(_ value: TOMLDocument.Value) throws -> JobOptions {
        var options = try JobOptions(try WorkOptions.parse([]))
        if case .list(let numbers) = value, name == "width" {
            let widths = numbers.map { "\($0)" }.joined(separator: ",")
            guard let widths = WidthsArgument(argument: widths) else {
                throw JobFault("width is not a list of different whole numbers")
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

    /// What a field's value makes of options.
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
    /// `minWidth` as a flag writes it: `min-width`.
    fileprivate var flagName: String {
        reduce(into: "") { $0 += $1.isUppercase ? "-\($1.lowercased())" : String($1) }
    }
}
