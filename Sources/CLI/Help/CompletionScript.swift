/// Scripts with which shells complete the program's commands, options and values.
enum CompletionScript: String, CaseIterable {
    case bash, zsh, fish

    var text: String {
        switch self {
        case .bash: Self.bashScript
        case .zsh: Self.zshScript
        case .fish: Self.fishScript
        }
    }

    private static let descriptions = Commands.all.map { $0.description }

    /// The options of a command that have names.
    private static func options(of command: any Command.Type) -> [OptionDescription] {
        command.optionDescriptions.filter { !$0.isOperand }
    }

    private static func spellings(_ option: OptionDescription) -> [String] {
        (option.short.map { ["-\($0)"] } ?? []) + [option.flag]
    }

    /// The help of an option, or for the second of two flags that of the first.
    private static func helped(_ options: [OptionDescription]) -> [(option: OptionDescription, help: String)] {
        var last = ""
        return options.map { option in
            let help = option.help()
            if !help.isEmpty { last = help }
            return (option, last)
        }
    }

    // MARK: Bash

    private static var bashScript: String {
        var lines = [
            "_texel() {",
            "    local current=\"${COMP_WORDS[COMP_CWORD]}\" previous=\"${COMP_WORDS[COMP_CWORD-1]}\" words=\"\"",
            "    COMPREPLY=()",
            "    if [ \"$COMP_CWORD\" -eq 1 ]; then",
            "        words=\"\(descriptions.map(\.name).joined(separator: " ")) help --help --version\"",
            "        COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))",
            "        return",
            "    fi",
            "    case \"${COMP_WORDS[1]} $previous\" in",
        ]
        for command in Commands.all {
            for option in options(of: command) where option.takesValue {
                let values = option.values()
                let pattern = spellings(option).map { "\"\(command.description.name) \($0)\"" }.joined(separator: "|")
                if !values.isEmpty {
                    let list = values.joined(separator: " ")
                    lines.append("    \(pattern)) COMPREPLY=($(compgen -W \"\(list)\" -- \"$current\")); return ;;")
                } else if option.completion == .folder {
                    lines.append("    \(pattern)) COMPREPLY=($(compgen -d -- \"$current\")); return ;;")
                } else {
                    lines.append("    \(pattern)) COMPREPLY=($(compgen -f -- \"$current\")); return ;;")
                }
            }
        }
        lines += ["    esac", "    case \"${COMP_WORDS[1]}\" in"]
        for command in Commands.all {
            let words = options(of: command).flatMap(spellings).joined(separator: " ")
            lines.append("    \(command.description.name)) words=\"\(words) --help\" ;;")
        }
        lines += [
            "    help) words=\"\(descriptions.map(\.name).joined(separator: " "))\" ;;",
            "    esac",
            "    if [ \"${COMP_WORDS[1]}\" = help ] || [ \"${current#-}\" != \"$current\" ]; then",
            "        COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))",
            "    else",
            "        COMPREPLY=($(compgen -f -- \"$current\"))",
            "    fi",
            "}",
            "complete -o filenames -o bashdefault -F _texel texel",
        ]
        return lines.joined(separator: "\n")
    }

    // MARK: Zsh

    private static var zshScript: String {
        func quoted(_ text: String) -> String {
            text.replacing("'", with: "'\\''").replacing("[", with: "\\[").replacing("]", with: "\\]")
                .replacing(":", with: "\\:")
        }
        var lines = ["#compdef texel", "_texel() {", "    local -a commands", "    commands=("]
        lines += descriptions.map { "        '\($0.name):\(quoted($0.abstract))'" }
        lines += [
            "        'help:Show help.'", "    )",
            "    if (( CURRENT == 2 )); then _describe -t commands command commands; return; fi",
            "    local name=$words[2]", "    shift words", "    (( CURRENT-- ))", "    case $name in",
        ]
        for command in Commands.all {
            lines.append("    \(command.description.name))")
            lines.append("        _arguments -s \\")
            for (option, help) in helped(options(of: command)) {
                let values = option.values()
                let action =
                    !values.isEmpty
                    ? "(\(values.joined(separator: " ")))"
                    : option.completion == .folder ? "_files -/" : option.completion == .file ? "_files" : ""
                let value = option.takesValue ? ":\(option.name.words):\(action)" : ""
                for spelling in spellings(option) {
                    lines.append("            '\(spelling)[\(quoted(help))]\(value)' \\")
                }
            }
            lines += ["            '*:file:_files'", "        ;;"]
        }
        lines += [
            "    help) _describe -t commands command commands ;;", "    esac", "}",
            "if [ \"$funcstack[1]\" = _texel ]; then _texel \"$@\"; else compdef _texel texel; fi",
        ]
        return lines.joined(separator: "\n")
    }

    // MARK: Fish

    private static var fishScript: String {
        func quoted(_ text: String) -> String {
            "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
        }
        var lines = descriptions.map {
            "complete -c texel -f -n __fish_use_subcommand -a \($0.name) -d \(quoted($0.abstract))"
        }
        lines.append("complete -c texel -f -n __fish_use_subcommand -a help -d 'Show help.'")
        for command in Commands.all {
            let start = "complete -c texel -n '__fish_seen_subcommand_from \(command.description.name)'"
            for (option, help) in helped(options(of: command)) {
                let values = option.values()
                let value =
                    !option.takesValue
                    ? ""
                    : !values.isEmpty
                        ? " -x -a \(quoted(values.joined(separator: " ")))"
                        : option.completion == .folder
                            ? " -x -a '(__fish_complete_directories)'"
                            : option.completion == .file ? " -r -F" : " -x"
                let short = option.short.map { " -s \($0)" } ?? ""
                lines.append("\(start)\(short) -l \(option.name.words)\(value) -d \(quoted(help))")
            }
        }
        return lines.joined(separator: "\n")
    }
}
