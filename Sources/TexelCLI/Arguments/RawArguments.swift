import SystemPackage

/// The program's arguments as bytes, since file names need not be valid text.
enum RawArguments {
    /// Whether the command line has an option; options in recipe files do not count.
    ///
    /// - Parameter name: without dashes.
    static func contains(option name: String) -> Bool {
        CommandLine.arguments.prefix { $0 != "--" }.contains { $0 == "--\(name)" || $0.hasPrefix("--\(name)=") }
    }

    /// The path of an argument. The parser has replaced bytes that are not valid text, so the original argument is
    /// looked up.
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
