import Texel

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
        /// The key that recipe files do not have. It can be a flag of a command, which the program's help knows.
        var unknownKey: String?

        var description: String { "\(path)\(line.map { ":\($0)" } ?? ""): \(message)" }
    }

    /// Larger files are rejected.
    private static let byteLimit = 1 << 20

    private let path: String
    private let document: TOMLDocument

    init(path: String) throws(Fault) {
        self.path = path
        let text: String
        do throws(ArgumentFile.Fault) {
            text = try ArgumentFile.text(of: path, byteLimit: Self.byteLimit)
        } catch {
            throw error.isUnreadable
                ? Fault(path: path, message: error.message, status: .inputMissing)
                : Fault(path: path, message: error.message)
        }
        do throws(TOMLDocument.Fault) {
            document = try TOMLDocument(text)
        } catch {
            throw Fault(path: path, line: error.line, message: error.message)
        }
    }

    /// The file's settings for a command; those of its own table have precedence.
    ///
    /// - Throws: the first error in any table.
    func settings(for command: RecipeCommand) throws(Fault) -> [OptionSetting<RecipeOptions>] {
        for (table, line) in document.tables where RecipeCommand(rawValue: table) == nil {
            let names = RecipeCommand.allCases.map { "[\($0.rawValue)]" }.joined(separator: ", ")
            throw Fault(path: path, line: line, message: "[\(table)] is not one of \(names)")
        }
        var common: [OptionSetting<RecipeOptions>] = []
        var own: [OptionSetting<RecipeOptions>] = []
        var seen: [String: [Option<RecipeOptions>]] = [:]
        for entry in document.entries {
            let setting = try setting(of: entry, after: &seen[entry.table, default: []])
            if entry.table == "" { common.append(setting) }
            if entry.table == command.rawValue { own.append(setting) }
        }
        let properties = Set<AnyKeyPath>(own.map(\.option.property))
        let overridden = RecipeOptions.overridden(by: Set(own.map(\.option.name)))
        return common.filter { !properties.contains($0.option.property) && !overridden.contains($0.option.name) } + own
    }

    // MARK: Allowed options

    private static let options = Dictionary(
        RecipeOptions.options.map { ($0.name.words, $0) }, uniquingKeysWith: { first, _ in first })

    /// Converts an entry.
    ///
    /// - Parameter others: the options that precede it in its table. It is added to them.
    private func setting(
        of entry: TOMLDocument.Entry, after others: inout [Option<RecipeOptions>]
    ) throws(Fault) -> OptionSetting<RecipeOptions> {
        guard let option = Self.options[entry.key] else {
            throw Fault(
                path: path, line: entry.line, message: "unknown flag \(entry.key)", unknownKey: entry.key)
        }
        others.append(option)
        do throws(OptionError) {
            try Option.checkProperties(of: others)
            return try option.setting(entry.value)
        } catch {
            throw Fault(path: path, line: entry.line, message: error.text(in: .recipeFile))
        }
    }
}
