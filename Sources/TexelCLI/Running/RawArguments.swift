import SystemPackage

/// The program's arguments byte for byte: a file's name need be no text.
enum RawArguments {
    /// Whether the command line has an option; those of a recipe file do not count.
    ///
    /// - Parameter name: without dashes.
    static func contains(option name: String) -> Bool {
        CommandLine.arguments.prefix { $0 != "--" }.contains { $0 == "--\(name)" || $0.hasPrefix("--\(name)=") }
    }

    /// What an argument names, as the parser gives it, which has put other characters in the place of bytes that are
    /// none.
    static func path(_ argument: String) -> FilePath {
        guard argument.unicodeScalars.contains("\u{FFFD}") else { return FilePath(argument) }
        for index in 1..<max(1, Int(CommandLine.argc)) {
            if let bytes = CommandLine.unsafeArgv[index], String(cString: bytes) == argument {
                return FilePath(platformString: bytes)
            }
        }
        return FilePath(argument)
    }
}
