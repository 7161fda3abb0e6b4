import ArgumentParser

/// Answers requests for help and for the version, and explains wrong arguments.
enum HelpRequest {
    /// Returns what to print and the exit status; `nil` if the parser must handle the arguments.
    ///
    /// - Parameter arguments: without the program's name.
    static func answer(to arguments: [String]) -> (text: String, status: ExitStatus)? {
        guard let first = arguments.first else { return BriefHelp.text(for: nil).map { ($0, .success) } }
        if first == "--version" { return (VersionReport.text(for: arguments), .success) }
        let asked = arguments.prefix { $0 != "--" }
        let isForAll = asked.contains("--help-all") || first == "help" && asked.contains("--all")
        if first == "help" || ["-h", "--help", "--help-all"].contains(first) {
            let name = asked.dropFirst().first { !$0.hasPrefix("-") }
            return help(name, isForAll: isForAll)
        }
        if command(first) == nil {
            return first.hasPrefix("-") ? nil : (unknown(first), .usage)
        }
        guard isForAll || asked.contains("--help") || asked.contains("-h") else { return nil }
        return help(first, isForAll: isForAll)
    }

    /// Returns an error message for the first option that the command does not have, with a suggestion.
    ///
    /// The parser checks values and required options first, but those errors may only follow from a misspelt option:
    /// `--widht 100` leaves a resize without a size.
    ///
    /// - Parameter arguments: arguments that the parser has refused.
    /// - Returns: `nil` if all options are known.
    static func unknownOption(in arguments: [String]) -> String? {
        guard let name = arguments.first, let command = command(name) else { return nil }
        let options = CommandOptions(TexelCommand.helpMessage(for: command, columns: 1000))
        var isValue = false
        for argument in arguments.dropFirst().prefix(while: { $0 != "--" }) {
            let word = String(argument.drop { $0 == "-" }.prefix { $0 != "=" })
            if argument.hasPrefix("--") {
                guard options.names.contains(word) else {
                    return unknown("--\(word)", meaning: Suggestion.nearest(to: word, among: options.names), of: name)
                }
                isValue = options.takesValue(argument)
            } else if isValue {
                isValue = false
            } else if argument.hasPrefix("-"), argument.count > 3,
                let flag = Suggestion.nearest(to: word, among: options.names), Suggestion.distance(word, flag) <= 1
            {
                // One dash instead of two.
                return unknown("-\(word)", meaning: flag, of: name)
            } else {
                isValue = options.takesValue(argument)
            }
        }
        return nil
    }

    /// Returns an error message for the first option that has several values. The parser takes the last one, so that
    /// the others would be lost.
    ///
    /// - Returns: `nil` if each option has one value. Standard output may be named twice, to write to a terminal.
    static func repeatedOption(in arguments: [String]) -> String? {
        let words = arguments.prefix { $0 != "--" }
        guard mayRepeat(words), let name = arguments.first, let command = command(name) else { return nil }
        let options = CommandOptions(TexelCommand.helpMessage(for: command, columns: 1000))
        var values: [Substring: Substring] = [:]
        var rest = words.dropFirst()
        while let argument = rest.popFirst() {
            guard let option = options.option(argument) else { continue }
            guard let value = option.value ?? rest.popFirst()?[...] else { break }
            guard let former = values.updateValue(value, forKey: option.name) else { continue }
            if option.name == "--output", former == "-", value == "-" { continue }
            return """
                Error: \(option.name) is given twice, but has one value; leave one out.
                  See 'texel help \(name)' for more information.
                """
        }
        return nil
    }

    /// Whether an option may be among arguments twice. Finding out for certain takes as long as parsing.
    private static func mayRepeat(_ arguments: ArraySlice<String>) -> Bool {
        var names: Set<Substring> = []
        for argument in arguments where argument.hasPrefix("-") {
            let isShort = !argument.hasPrefix("--")
            let name = isShort ? argument.dropFirst().prefix(1) : argument.prefix { $0 != "=" }
            let long = isShort ? shortNames[String(name)].map { "--\($0)"[...] } : nil
            if !names.insert(long ?? name).inserted { return true }
        }
        return false
    }

    /// The long names of options with a value that have a short name.
    static let shortNames = ["f": "format", "j": "jobs", "o": "output", "q": "quality", "w": "width"]

    /// Joins negative numbers to the options that take them: `--quality=-5`.
    static func joiningNegativeValues(in arguments: [String]) -> [String] {
        guard let name = arguments.first, let command = command(name) else { return arguments }
        let options = CommandOptions(TexelCommand.helpMessage(for: command, columns: 1000))
        var joined: [String] = []
        var hasEnded = false
        for argument in arguments {
            hasEnded = hasEnded || argument == "--"
            let isNegative = argument.hasPrefix("-") && argument.dropFirst().first?.isNumber ?? false
            if isNegative, !hasEnded, let option = joined.last, options.takesValue(option) {
                joined[joined.count - 1] = "\(option)=\(argument)"
            } else {
                joined.append(argument)
            }
        }
        return joined
    }

    /// Explains the error of a recipe file if its unknown key is a flag of the command line.
    static func explained(_ fault: RecipeFile.Fault) -> RecipeFile.Fault {
        let commands: [any ParsableCommand.Type] = [CompressCommand.self, WatchCommand.self]
        guard let name = fault.unknownKey,
            commands.contains(where: {
                CommandOptions(TexelCommand.helpMessage(for: $0, columns: 1000)).names.contains(name)
            })
        else { return fault }
        var fault = fault
        fault.message = "\(name) cannot be set in a recipe file; pass it on the command line"
        return fault
    }

    private static func unknown(_ option: String, meaning flag: String?, of command: String) -> String {
        """
        Error: Unknown option '\(option)'.\(flag.map { " Did you mean '--\($0)'?" } ?? "")
          See 'texel help \(command)' for more information.
        """
    }

    private static func command(_ name: String) -> (any ParsableCommand.Type)? {
        TexelCommand.configuration.subcommands.first { $0._commandName == name }
    }

    private static func help(_ name: String?, isForAll: Bool) -> (text: String, status: ExitStatus) {
        guard let name else {
            let whole = TexelCommand.helpMessage(columns: 80)
            return (isForAll ? whole : BriefHelp.text(for: nil) ?? whole, .success)
        }
        guard let command = command(name) else { return (unknown(name), .usage) }
        let whole = TexelCommand.helpMessage(for: command, columns: 80)
        return (isForAll ? whole : BriefHelp.text(for: name) ?? whole, .success)
    }

    private static func unknown(_ name: String) -> String {
        let names = TexelCommand.configuration.subcommands.map { $0._commandName }
        let meant = Suggestion.nearest(to: name, among: names).map { " Did you mean '\($0)'?" } ?? ""
        return """
            Error: Unknown command '\(name)'.\(meant)
              See 'texel help' for more information.
            """
    }
}
