/// Answers requests for help, manuals, completions and the version.
enum HelpRequest {
    /// Returns what to print and the exit status; `nil` if the arguments name a command to run.
    ///
    /// - Parameter arguments: without the program's name.
    static func answer(to arguments: [String]) -> (text: String, status: ExitStatus)? {
        guard let first = arguments.first else { return (HelpText.brief(nil), .success) }
        if first.hasPrefix("-"), arguments.contains("--version") {
            return (VersionReport.text(for: arguments), .success)
        }
        if first == "--generate-completion-script" { return completion(for: arguments.dropFirst().first) }
        let asked = arguments.prefix { $0 != "--" }
        if first == "help", asked.contains("--reference") { return (OptionReference.text, .success) }
        let isForAll = asked.contains("--help-all") || first == "help" && asked.contains("--all")
        if first == "help" || ["-h", "--help", "--help-all"].contains(first) {
            let name = asked.dropFirst().first { !$0.hasPrefix("-") }
            return help(name, isForAll: isForAll, isManual: first == "help" && asked.contains("--manual"))
        }
        if Commands.named(first) == nil {
            return (first.hasPrefix("-") ? unknown("option", first) : unknown("command", first), .usage)
        }
        if asked.contains("--version") { return (VersionReport.text(for: arguments), .success) }
        guard isForAll || asked.contains("--help") || asked.contains("-h") else { return nil }
        return help(first, isForAll: isForAll)
    }

    /// Explains the error of a recipe file if its unknown key is a flag of the command line.
    static func explained(_ fault: RecipeFile.Fault) -> RecipeFile.Fault {
        let options = CompressCommand.optionDescriptions + WatchCommand.optionDescriptions
        guard let name = fault.unknownKey, options.contains(where: { !$0.isOperand && $0.name.words == name }) else {
            return fault
        }
        var fault = fault
        fault.message = "\(name) cannot be set in a recipe file; pass it on the command line"
        return fault
    }

    private static func help(
        _ name: String?, isForAll: Bool, isManual: Bool = false
    ) -> (text: String, status: ExitStatus) {
        let command = name.flatMap(Commands.named)
        if let name, command == nil { return (unknown("command", name), .usage) }
        if isManual { return (ManualPage.text(command), .success) }
        return (isForAll ? HelpText.full(command) : HelpText.brief(command), .success)
    }

    private static func completion(for shell: String?) -> (text: String, status: ExitStatus) {
        if let script = shell.flatMap(CompletionScript.init) { return (script.text, .success) }
        let shells = CompletionScript.allCases.map(\.rawValue).list(joinedBy: "or")
        return ("Error: Name a shell: \(shells).", .usage)
    }

    private static func unknown(_ kind: String, _ name: String) -> String {
        let names = Commands.all.map { $0.description.name }
        let nearest = kind == "command" ? Suggestion.nearest(to: name, among: names) : nil
        return """
            Error: Unknown \(kind) '\(name)'.\(nearest.map { " Did you mean '\($0)'?" } ?? "")
              See 'texel help' for more information.
            """
    }
}
