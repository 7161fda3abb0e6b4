import ArgumentParser
import PlatformLibc
import SystemPackage
import Texel

/// The program `texel`.
package enum Program {
    /// Runs the command that the process's arguments name, and ends the process with its exit status.
    ///
    /// On the main thread: an isolated child must be confined before Swift's concurrency starts other threads.
    @MainActor package static func main() async {
        Isolation.serveIfAsked()
        StandardStreams.occupy()
        // A write to a closed pipe must fail instead of ending the program; the exit status reports it.
        signal(SIGPIPE, SIG_IGN)
        Interruption.shared.begin()
        let own = Array(CommandLine.arguments.dropFirst())
        if let answer = HelpRequest.answer(to: own) { end(answer.text, answer.status) }
        if let fault = HelpRequest.repeatedOption(in: own) { end(fault, .usage) }
        let command: (any AsyncParsableCommand)?
        do { command = try Self.command(own) } catch {
            end(TexelCommand.fullMessage(for: error), TexelCommand.exitCode(for: error).rawValue)
        }
        guard var command else { end("", .success) }
        if own.contains(where: { ["-v", "--verbose"].contains($0) }) { LoadedLibrary.showMessages() }
        do {
            try await command.run()
            end("", .success)
        } catch let fault as RecipeFile.Fault {
            end("texel: \(HelpRequest.explained(fault))", fault.status)
        } catch let error as OptionError {
            end(usageError(ValidationError(error), of: command), .usage)
        } catch let error as ValidationError {
            end(usageError(error, of: command), .usage)
        } catch {
            end(TexelCommand.fullMessage(for: error), TexelCommand.exitCode(for: error).rawValue)
        }
    }

    /// The message for an error in the options, as the parser formats it for its own.
    private static func usageError(_ error: ValidationError, of command: some ParsableCommand) -> String {
        """
        Error: \(error.message)
        Usage: \(TexelCommand.usageString(for: type(of: command)))
          See 'texel \(type(of: command)._commandName) --help' for more information.
        """
    }

    /// Parses the arguments.
    ///
    /// - Returns: `nil` if the command has already run, such as one that prints help.
    private static func command(_ arguments: [String]) throws -> (any AsyncParsableCommand)? {
        if let command = directlyParsedCommand(arguments) { return command }
        do {
            return try rootCommand(arguments)
        } catch {
            guard TexelCommand.exitCode(for: error) != .success else { throw error }
            if let fault = HelpRequest.unknownOption(in: arguments) { end(fault, .usage) }
            // The parser takes a negative value for an option. Joined to its option, the value is checked by that
            // option.
            let joined = HelpRequest.joiningNegativeValues(in: arguments)
            if joined != arguments { return try rootCommand(joined) }
            throw error
        }
    }

    private static func rootCommand(_ arguments: [String]) throws -> (any AsyncParsableCommand)? {
        var command = try TexelCommand.parseAsRoot(arguments)
        if let command = command as? any AsyncParsableCommand { return command }
        try command.run()
        return nil
    }

    private static func end(_ text: String, _ status: ExitStatus) -> Never { end(text, status.rawValue) }

    /// Ends the program, with ``ExitStatus/inputOutputError`` if standard output could not be written.
    private static func end(_ text: String, _ status: Int32) -> Never {
        if !text.isEmpty { Console.write(text + "\n", to: status == 0 ? .output : .error) }
        guard let error = Console.outputError else { exit(status) }
        // A closed pipe is not worth a message: the reader closed it.
        if error != .brokenPipe { Console.complain("cannot write to standard output: \(error)") }
        exit(ExitStatus.inputOutputError.rawValue)
    }

    /// Parses the arguments of the subcommand that is named first. Returns `nil` if they ask for help or are invalid.
    ///
    /// From the root, the parser collects a command's flags four times by reflection, and here twice; each time takes
    /// as long as starting the program. The root command prints help and errors.
    private static func directlyParsedCommand(_ arguments: [String]) -> (any AsyncParsableCommand)? {
        guard let name = arguments.first,
            let command = TexelCommand.configuration.subcommands.first(where: { $0._commandName == name })
        else { return nil }
        let parsed = try? command.parseAsRoot(Array(arguments.dropFirst()))
        guard let parsed, type(of: parsed) == command else { return nil }
        return parsed as? any AsyncParsableCommand
    }
}
