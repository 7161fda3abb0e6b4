/// The options of a command, parsed from its help.
struct CommandOptions {
    /// The names of all options, without dashes.
    let names: Set<String>
    /// The options that take a value, with their dashes, and the last name of each.
    private let valued: [Substring: Substring]

    /// - Parameter help: the command's help, with each option on a line: `-q, --quality <quality>`.
    init(_ help: String) {
        names = Set(
            help.split { !($0.isLetter || $0.isNumber || $0 == "-") }
                .filter { $0.hasPrefix("--") }.map { String($0.dropFirst(2)) })
        var valued: [Substring: Substring] = [:]
        for line in help.split(separator: "\n") {
            let words = line.split { $0 == " " || $0 == "," }
            guard words.first?.hasPrefix("-") ?? false else { continue }
            let options = words.prefix { $0.hasPrefix("-") }
            guard words.dropFirst(options.count).first?.hasPrefix("<") ?? false else { continue }
            for option in options { valued[option] = options.last }
        }
        self.valued = valued
    }

    /// Whether the argument after this one is its value.
    func takesValue(_ argument: String) -> Bool { valued[argument[...]] != nil }

    /// Splits an argument into the long name of an option that takes a value, and the value if it is joined to it.
    ///
    /// - Returns: `nil` if the argument is not such an option.
    func option(_ argument: String) -> (name: Substring, value: Substring?)? {
        if let name = valued[argument[...]] { return (name, nil) }
        if let sign = argument.firstIndex(of: "="), let name = valued[argument[..<sign]] {
            return (name, argument[argument.index(after: sign)...])
        }
        guard argument.hasPrefix("-"), !argument.hasPrefix("--"), let name = valued[argument.prefix(2)] else {
            return nil
        }
        return (name, argument.dropFirst(2))
    }
}
