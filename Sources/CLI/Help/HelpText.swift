/// The help of the program and of its commands, made from their descriptions and tables of options.
enum HelpText {
    /// The columns of a terminal, and where the text of an option begins.
    private static let (width, indentation) = (80, 26)

    // MARK: All flags

    static func full(_ command: (any Command.Type)?) -> String {
        guard let command else { return program }
        var text = overview(command.description) + "\n\nUSAGE: \(command.usage)\n"
        for (section, lines) in lines(of: command.optionDescriptions) {
            text += "\n\(section.uppercased()):\n"
            for line in lines { text += entry(line.synopsis, line.text) + "\n" }
        }
        return text
    }

    private static var program: String {
        var text = overview(Commands.description) + "\n\nUSAGE: texel <subcommand>\n\nSUBCOMMANDS:\n"
        for command in Commands.all { text += entry(command.description.name, command.description.abstract) + "\n" }
        return text + "\n  See 'texel help <subcommand>' for detailed help."
    }

    private static func overview(_ description: CommandDescription) -> String {
        var parts = ["OVERVIEW: \(description.abstract)", description.examples.joined(separator: "\n")]
        if !description.discussion.isEmpty { parts.append(wrapped(description.discussion, to: width)) }
        return parts.joined(separator: "\n\n")
    }

    /// An option, or several flags of which one excludes the others.
    struct Line {
        var names: [OptionName]
        var synopsis: String
        /// The first sentence, and all.
        let help, text: String
    }

    /// The lines of options, in the order of their sections.
    static func lines(of options: [OptionDescription]) -> [(section: String, lines: [Line])] {
        var sections: [(section: String, lines: [Line])] = []
        for option in options {
            let title = option.section.isEmpty ? "Options" : option.section
            let place = sections.firstIndex { $0.section == title } ?? sections.count
            if place == sections.count { sections.append((title, [])) }
            let help = option.help()
            if help.isEmpty, let last = sections[place].lines.indices.last {
                sections[place].lines[last].names.append(option.name)
                sections[place].lines[last].synopsis += "/\(option.flag)"
            } else {
                let text = text(of: option, help)
                sections[place].lines.append(
                    Line(names: [option.name], synopsis: option.synopsis, help: help, text: text))
            }
        }
        return sections
    }

    /// The help of an option, with its note, its values unless the help names them, and its default.
    private static func text(of option: OptionDescription, _ help: String) -> String {
        let values = option.values()
        let words = Set(help.split { !($0.isLetter || $0.isNumber || $0 == "-") }.map(String.init))
        var facts: [String] = []
        if !values.allSatisfy(words.contains) { facts.append("values: \(values.joined(separator: ", "))") }
        if !option.defaultValue.isEmpty { facts.append("default: \(option.defaultValue)") }
        return
            ([help] + (option.note.isEmpty ? [] : [option.note])
            + (facts.isEmpty ? [] : ["(\(facts.joined(separator: "; ")))"])).joined(separator: " ")
    }

    private static func entry(_ name: String, _ text: String) -> String {
        let lines = wrapped(text, to: width - indentation).replacing("\n", with: "\n" + spaces(indentation))
        let start = "  \(name)"
        if start.count < indentation { return start + spaces(indentation - start.count) + lines }
        return start + "\n" + spaces(indentation) + lines
    }

    private static func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }

    /// Breaks a text into lines.
    static func wrapped(_ text: String, to columns: Int) -> String {
        var lines = [""]
        for word in text.split(separator: " ") {
            let last = lines[lines.count - 1]
            if last.isEmpty {
                lines[lines.count - 1] = String(word)
            } else if last.count + 1 + word.count <= columns {
                lines[lines.count - 1] += " \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines.joined(separator: "\n")
    }

    // MARK: One screen

    /// The answer to `--help`: examples, the most important options, and where to find the rest.
    static func brief(_ command: (any Command.Type)?) -> String {
        guard let command else { return briefProgram }
        let description = command.description
        let lines = lines(of: command.optionDescriptions).flatMap(\.lines)
        var parts = [
            description.abstract,
            description.examples.prefix(4).map { "  \($0)" }.joined(separator: "\n"),
            "USAGE: \(command.usage)",
            description.brief.compactMap { name in lines.first { $0.names.contains(name) } }
                .map { entry($0.synopsis, summary($0.help)) }.joined(separator: "\n"),
        ]
        if !description.briefNote.isEmpty { parts.append(wrapped(description.briefNote, to: width)) }
        parts.append("All flags: texel help \(description.name) --all, or man texel.\(description.name).")
        return parts.joined(separator: "\n\n")
    }

    private static var briefProgram: String {
        let commands = Commands.all.map { "  " + padded($0.description.name, to: 11) + abstract($0) }
        return [
            Commands.description.abstract,
            Commands.description.examples.prefix(4).map { "  \($0)" }.joined(separator: "\n"),
            "USAGE: texel <subcommand>", commands.joined(separator: "\n"),
            "One command: texel help compress. Exit codes: texel help --all.",
        ].joined(separator: "\n\n")
    }

    private static func abstract(_ command: any Command.Type) -> String {
        let text = summary(command.description.abstract)
        return text.prefix(1).lowercased() + text.dropFirst()
    }

    private static func padded(_ text: String, to count: Int) -> String { text + spaces(max(0, count - text.count)) }

    /// As many clauses of a sentence as fit into a line.
    private static func summary(_ help: String) -> String {
        let sentence = help.hasSuffix(".") ? String(help.dropLast()) : help
        let room = width - indentation
        if sentence.count <= room { return sentence }
        // A comma may belong to a list, of which no part is a summary.
        for ends in [[". ", "; ", " ("], [": "], [", "]] {
            let places = ends.flatMap { end in sentence.ranges(of: end).map(\.lowerBound) }
            let fitting = places.filter { sentence.distance(from: sentence.startIndex, to: $0) <= room }.max()
            if let fitting { return String(sentence[..<fitting]) }
        }
        return sentence
    }
}
