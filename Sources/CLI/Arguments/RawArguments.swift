import SystemPackage

/// The program's arguments as bytes, since file names need not be valid text.
enum RawArguments {
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
