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
        guard let name = own.first, let command = Commands.named(name) else { end("", .usage) }
        if own.contains(where: { ["-v", "--verbose"].contains($0) }) { LoadedLibrary.showMessages() }
        do {
            try await command.start(Array(own.dropFirst()))
            end("", .success)
        } catch let fault as ArgumentFault {
            end(fault.text(for: command), .usage)
        } catch let error as OptionError {
            end(ArgumentFault.invalid(error).text(for: command), .usage)
        } catch let fault as RecipeFile.Fault {
            end("texel: \(HelpRequest.explained(fault))", fault.status)
        } catch let status as ExitStatus {
            end("", status)
        } catch {
            end("texel: \(ErrorText.sentence(error))", .inputOutputError)
        }
    }

    /// Ends the program, with ``ExitStatus/inputOutputError`` if standard output could not be written.
    private static func end(_ text: String, _ status: ExitStatus) -> Never {
        if !text.isEmpty { Console.write(text + "\n", to: status == .success ? .output : .error) }
        guard let error = Console.outputError else { exit(status.rawValue) }
        // A closed pipe is not worth a message: the reader closed it.
        if error != .brokenPipe { Console.complain("cannot write to standard output: \(error)") }
        exit(ExitStatus.inputOutputError.rawValue)
    }
}
