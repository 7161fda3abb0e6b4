import ArgumentParser

/// Arguments that ask for help, or that need some.
enum HelpRequest {
    /// What to print, and where; `nil` where the arguments are the parser's.
    ///
    /// - Parameter arguments: without the program's name.
    static func answer(to arguments: [String]) -> (text: String, status: ExitStatus)? {
        guard let first = arguments.first else { return BriefHelp.text(for: nil).map { ($0, .success) } }
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

    /// Of an argument that has one dash and should have two.
    ///
    /// - Parameter arguments: those that the parser has refused.
    static func suggestion(for arguments: [String]) -> String? {
        guard let name = arguments.first, let command = command(name) else { return nil }
        let flags = Set(
            TexelCommand.helpMessage(for: command, columns: 80).split { !($0.isLetter || $0.isNumber || $0 == "-") }
                .filter { $0.hasPrefix("--") }.map { String($0.dropFirst(2)) })
        for argument in arguments.dropFirst().prefix(while: { $0 != "--" }) {
            guard argument.hasPrefix("-"), !argument.hasPrefix("--"), argument.count > 3 else { continue }
            let word = String(argument.dropFirst().prefix { $0 != "=" })
            guard let flag = Suggestion.nearest(to: word, among: flags), Suggestion.distance(word, flag) <= 1 else {
                continue
            }
            return """
                Error: Unknown option '-\(word)'. Did you mean '--\(flag)'?
                  See 'texel help \(name)' for more information.
                """
        }
        return nil
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
