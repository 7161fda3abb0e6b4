/// The page of documentation that lists all options, made from the tables of options.
enum OptionReference {
    static var text: String {
        var page = """
            # All options

            `texel help --reference` writes this page. The options of a recipe are also the keys of `texel.toml` and, in
            camelCase, the fields of a worker's job.
            """
        var listed: Set<String> = []
        for command in Commands.all {
            let name = command.description.name
            var known: [String] = []
            var tables = ""
            for (section, lines) in HelpText.lines(of: command.optionDescriptions) {
                let table = table(lines)
                if listed.insert(section + table).inserted {
                    tables += "\n### \(section)\n\n\(table)\n"
                } else {
                    known.append(section)
                }
            }
            page += "\n\n## \(name)\n\n`\(command.usage)`: \(command.description.abstract)\n"
            if !known.isEmpty {
                page += "\n" + HelpText.wrapped("As above: \(known.joined(separator: "; ")).", to: 120) + "\n"
            }
            page += tables
            page.removeLast()
        }
        return page
    }

    private static func table(_ lines: [HelpText.Line]) -> String {
        let rows = lines.map { line in
            "| `\(line.synopsis)` | \(line.text.replacing("|", with: "\\|").replacing("<", with: "&lt;")) |"
        }
        return (["| option | what it does |", "|---|---|"] + rows).joined(separator: "\n")
    }
}
