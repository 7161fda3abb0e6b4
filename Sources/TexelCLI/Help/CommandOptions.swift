/// The options of a command, parsed from its help.
struct CommandOptions {
    /// The names of all options, without dashes.
    let names: Set<String>
    /// The options that take a value, with their dashes.
    private let valued: Set<Substring>

    /// - Parameter help: the command's help, with each option on a line: `-q, --quality <quality>`.
    init(_ help: String) {
        names = Set(
            help.split { !($0.isLetter || $0.isNumber || $0 == "-") }
                .filter { $0.hasPrefix("--") }.map { String($0.dropFirst(2)) })
        var valued: Set<Substring> = []
        for line in help.split(separator: "\n") {
            let words = line.split { $0 == " " || $0 == "," }
            guard words.first?.hasPrefix("-") ?? false else { continue }
            let options = words.prefix { $0.hasPrefix("-") }
            if words.dropFirst(options.count).first?.hasPrefix("<") ?? false { valued.formUnion(options) }
        }
        self.valued = valued
    }

    /// Whether the argument after this one is its value.
    func takesValue(_ argument: String) -> Bool { valued.contains(argument[...]) }
}
