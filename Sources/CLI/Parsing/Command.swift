/// A command of the program.
protocol Command: OptionGroup {
    static var description: CommandDescription { get }

    /// Runs the command.
    ///
    /// - Throws: `OptionError`, `RecipeFile.Fault`; `ExitStatus` after a message was printed.
    func run() async throws
}

/// The description of a command in help and manuals.
struct CommandDescription: Sendable {
    let name: String
    /// One sentence.
    let abstract: String
    /// Calls, the most common ones first.
    let examples: [String]
    /// Further sentences; empty if there are none.
    var discussion = ""
    /// The options of the short help, the most important ones first, and where it ends.
    var brief: [OptionName] = []
    var briefNote = ""
}

extension Command {
    static var optionDescriptions: [OptionDescription] { options.map(\.description) }

    /// `texel sheet [<options>] <inputs> ... --output <output>`
    static var usage: String {
        let required = optionDescriptions.filter(\.isRequired).map { option in
            switch option.form {
            case .operand(let isList): option.flag + (isList ? " ..." : "")
            case .flag, .value: "\(option.flag) <\(option.placeholder)>"
            }
        }
        return (["texel \(description.name) [<options>]"] + required).joined(separator: " ")
    }

    /// Reads arguments and runs the command.
    ///
    /// - Parameter arguments: those after the command's name.
    /// - Throws: `ArgumentFault`, and what ``run()`` throws.
    static func start(_ arguments: [String]) async throws {
        let command = try parsed(arguments)
        try await command.run()
    }

    /// Reads and checks the arguments after the command's name.
    static func parsed(_ arguments: [String]) throws(ArgumentFault) -> Self {
        let command = try ArgumentReader<Self>().read(arguments)
        do throws(OptionError) { try command.check() } catch { throw .invalid(error) }
        return command
    }
}
