/// Whether an image or a stream may go to standard output.
enum StandardOutputArgument {
    /// Refuses to write an image to a terminal, whose settings its bytes could change, unless `-o -` is given twice.
    ///
    /// - Throws: `OptionError`.
    static func checkTerminal() throws(OptionError) {
        guard Console.isTerminal(.output), count(in: CommandLine.arguments) < 2 else { return }
        throw OptionError(
            """
            Standard output is a terminal; redirect it, name a file with -o, or give -o - twice to write to the \
            terminal
            """)
    }

    /// How often the arguments name standard output as the output.
    static func count(in arguments: [String]) -> Int {
        let arguments = arguments.prefix { $0 != "--" }
        let joined = arguments.count { $0 == "--output=-" }
        return joined + zip(arguments, arguments.dropFirst()).count { ["-o", "--output"].contains($0) && $1 == "-" }
    }
}
