import ArgumentParser

/// Where the program begins.
@main
enum Program {
    static func main() async {
        StandardStreams.occupy()
        let arguments: [String]
        do throws(RecipeFile.Fault) {
            arguments = try SharedFlags.applied(to: Array(CommandLine.arguments.dropFirst()))
        } catch {
            Console.write("texel: \(error)\n", to: .error)
            TexelCommand.exit(withError: error.status.exitCode)
        }
        guard let command = directlyParsedCommand(arguments) else { return await TexelCommand.main(arguments) }
        do {
            var command = command
            try await command.run()
        } catch {
            TexelCommand.exit(withError: error)
        }
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
