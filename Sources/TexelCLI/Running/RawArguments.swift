import SystemPackage

/// The program's arguments byte for byte: a file's name need be no text.
enum RawArguments {
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
