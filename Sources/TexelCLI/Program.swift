import ArgumentParser
import Texel

/// Where the program begins.
@main
enum Program {
    static func main() async {
        Isolation.serveIfAsked()
        StandardStreams.occupy()
        let own = Array(CommandLine.arguments.dropFirst())
        if let answer = HelpRequest.answer(to: own) { end(answer.text, answer.status) }
        let arguments: [String]
        do throws(RecipeFile.Fault) {
            arguments = try SharedFlags.applied(to: own)
        } catch {
            end("texel: \(error)", error.status)
        }
        guard let command = directlyParsedCommand(arguments) else {
            if let suggestion = HelpRequest.suggestion(for: arguments) { end(suggestion, .usage) }
            return await TexelCommand.main(arguments)
        }
        do {
            var command = command
            try await command.run()
        } catch {
            TexelCommand.exit(withError: error)
        }
    }

    private static func end(_ text: String, _ status: ExitStatus) -> Never {
        Console.write(text + "\n", to: status == .success ? .output : .error)
        TexelCommand.exit(withError: status == .success ? nil : status.exitCode)
    }

    /// The command that is named first, its arguments parsed; `nil` where there is anything to say about them.
    ///
    /// On its way down from the root the parser collects a command's flags four times by reflection, and here twice;
    /// each time takes as long as starting the program. Help and faults are the root's to explain.
    private static func directlyParsedCommand(_ arguments: [String]) -> (any AsyncParsableCommand)? {
        guard let name = arguments.first,
            let command = TexelCommand.configuration.subcommands.first(where: { $0._commandName == name })
        else { return nil }
        let parsed = try? command.parseAsRoot(Array(arguments.dropFirst()))
        guard let parsed, type(of: parsed) == command else { return nil }
        return parsed as? any AsyncParsableCommand
    }
}
