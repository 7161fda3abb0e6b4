/// The manual pages of the program and of its commands, in the macros of man(7).
enum ManualPage {
    /// - Parameter command: `nil` is the program itself.
    static func text(_ command: (any Command.Type)?) -> String {
        let description = command?.description ?? Commands.description
        let name = command.map { "texel.\($0.description.name)" } ?? "texel"
        let usage = command?.usage ?? "texel <subcommand>"
        var page = [
            ".TH \"\(name.uppercased())\" 1 \"\" \"\(VersionReport.version)\"",
            ".SH NAME", "\(name) \\- \(escaped(summary(description.abstract)))",
            ".SH SYNOPSIS", escaped(usage),
            ".SH DESCRIPTION", escaped(description.abstract),
        ]
        if !description.discussion.isEmpty { page += [".PP", escaped(description.discussion)] }
        if let command {
            for (section, lines) in HelpText.lines(of: command.optionDescriptions) {
                page.append(".SH \(section.uppercased())")
                for line in lines { page += [".TP", "\\fB\(escaped(line.synopsis))\\fR", escaped(line.text)] }
            }
        } else {
            page.append(".SH COMMANDS")
            for command in Commands.all {
                let name = command.description.name
                page += [".TP", "\\fBtexel\\-\(name)\\fR, texel.\(name)(1)", escaped(command.description.abstract)]
            }
        }
        page += [".SH EXAMPLES", ".nf"] + description.examples.map(escaped) + [".fi", ".SH \"SEE ALSO\""]
        let others = [nil] + Commands.all.map { Optional($0.description.name) }
        page.append(
            others.map { $0.map { "texel.\($0)" } ?? "texel" }.filter { $0 != name }
                .map { "\($0)(1)" }.joined(separator: ",\n"))
        return page.joined(separator: "\n")
    }

    private static func summary(_ sentence: String) -> String {
        let text = sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
        return text.prefix(1).lowercased() + text.dropFirst()
    }

    /// Protects what roff would take for a command.
    private static func escaped(_ text: String) -> String {
        let plain = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
        return plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&\(plain)" : plain
    }
}
