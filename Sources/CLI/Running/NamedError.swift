import Texel

/// An error and the name of the file that it is about.
struct NamedError: Error {
    let name: String
    let error: TexelError

    /// The name and the error, as a sentence.
    var sentence: String { "\(name): \(ErrorText.sentence(error))" }

    /// Prints the error.
    ///
    /// - Returns: the status that the program exits with.
    func reported() -> ExitStatus {
        Console.complain(sentence)
        return ExitStatus(error)
    }
}
