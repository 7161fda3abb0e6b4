import Foundation
import TestSupport
import Testing

/// Help, suggestions and completions.
@Suite struct HelpTests {
    private let workspace: Workspace

    init() throws { workspace = try Workspace() }

    private static let commands = [
        "compress", "resize", "rotate", "info", "compare", "show", "sheet", "duplicates", "tile", "frames",
        "watch", "worker",
    ]

    private func text(_ arguments: String...) throws -> String {
        let outcome = try workspace.run(arguments)
        #expect(outcome.status == 0 && outcome.errors == "", "\(arguments): \(outcome.errors)")
        return outcome.text
    }

    private func flags(_ text: String) -> Set<String> {
        Set(
            text.split { !($0.isLetter || $0.isNumber || $0 == "-") }.map(String.init)
                .filter { $0.hasPrefix("--") && $0.count > 2 })
    }

    private func expectOneScreen(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        // The prompt takes a line, and the final newline makes an empty one here.
        #expect(lines.count <= 24, "\(lines.count) lines:\n\(text)")
        #expect(lines.allSatisfy { $0.count <= 80 }, "\(text)")
    }

    @Test func helpOfTheProgramFitsOneScreen() throws {
        let brief = try text("--help")
        expectOneScreen(brief)
        #expect(try text() == brief && text("help") == brief && text("-h") == brief)
        for command in Self.commands { #expect(brief.contains("\n  \(command) "), "\(command)") }
        #expect(try text("help", "--all").contains("Exit codes"))
    }

    /// One screen that begins with examples and has nothing that the full help lacks.
    @Test(arguments: commands) func briefHelpIsPartOfTheFullHelp(command: String) throws {
        let brief = try text("help", command)
        expectOneScreen(brief)
        #expect(try text(command, "--help") == brief && text(command, "-h") == brief)
        let lines = brief.split(separator: "\n").map(String.init)
        #expect(lines[1].contains("texel \(command)"))
        let whole = try text("help", command, "--all")
        #expect(try text(command, "--help-all") == whole)
        let unknown = flags(brief).subtracting(flags(whole)).subtracting(["--all", "--pipe"])
        #expect(unknown.isEmpty, "\(unknown)")
    }

    @Test(arguments: [
        (["compres", "a.png"], "Did you mean 'compress'?"),
        (["wacth", "in"], "Did you mean 'watch'?"),
        (["help", "reszie"], "Did you mean 'resize'?"),
        (["quux"], "Unknown command 'quux'."),
        (["compress", "a.png", "--qualty", "3"], "Did you mean '--quality'?"),
        (["compress", "a.png", "--maxBytes", "3"], "Did you mean '--max-bytes'?"),
        (["compress", "a.png", "-quality", "3"], "Did you mean '--quality'?"),
        (["watch", "in", "-output", "out"], "Did you mean '--output'?"),
        // An error that only follows from the unknown option is not reported.
        (["resize", "a.png", "--widht", "100"], "Unknown option '--widht'. Did you mean '--width'?"),
        (["rotate", "a.png", "--angel=90"], "Unknown option '--angel'. Did you mean '--angle'?"),
        (["sheet", "a.png", "--ouput", "b.png"], "Unknown option '--ouput'. Did you mean '--output'?"),
        (["compress", "--qualty", "3"], "Unknown option '--qualty'. Did you mean '--quality'?"),
        (["compress", "a.png", "--jobs", "0", "--quick"], "Unknown option '--quick'."),
        (["compress", "a.png", "--progressive", "--baseline", "--qualty", "3"], "Did you mean '--quality'?"),
        (["rotate", "a.png", "--angle", "-lots", "--widht", "3"], "Did you mean '--width'?"),
        (["resize", "a.png", "--width", "3", "--fit", "insde"], "is not inside, outside"),
    ])
    func misspelledWordsAreCorrected(arguments: [String], words: String) throws {
        let outcome = try workspace.run(arguments)
        #expect(outcome.status == 64 && outcome.text == "")
        #expect(outcome.errors.hasPrefix("Error: ") && outcome.errors.contains(words), "\(outcome.errors)")
    }

    /// Errors in known options are reported by the parser, and an argument that looks like an option may be a value.
    @Test(arguments: [
        (["resize", "a.png"], "Specify a size"),
        (["resize", "a.png", "--width", "many"], "--width \"many\" is not an integer."),
        (["sheet", "a.png"], "Missing expected argument '--output <output>'"),
        (["rotate", "a.png", "--angle", "-north"], "--angle \"-north\" is not a number."),
        (["compress", "a.png", "-q", "0", "--", "--widht"], "--quality 0 is not between 1 and 100."),
    ])
    func parserReportsErrorsOfKnownOptions(arguments: [String], words: String) throws {
        let outcome = try workspace.run(arguments)
        #expect(outcome.status == 64 && outcome.text == "")
        #expect(outcome.errors.hasPrefix("Error: \(words)"), "\(outcome.errors)")
    }

    /// After a change of options: `make options`.
    @Test func theReferenceIsUpToDate() throws {
        let page = try String(contentsOf: TestFolders.root.appending(path: "docs/options.md"), encoding: .utf8)
        #expect(try text("help", "--reference") == page, "make options writes the page")
    }

    /// Every command has a manual page that names all of its options.
    @Test(arguments: commands) func manualPagesNameEveryOption(command: String) throws {
        let page = try text("help", command, "--manual")
        #expect(page.hasPrefix(".TH \"TEXEL.\(command.uppercased())\" 1 "))
        let names = flags(page.replacingOccurrences(of: "\\fB", with: "").replacingOccurrences(of: "\\-", with: "-"))
        #expect(try flags(text("help", command, "--all")).subtracting(names).isEmpty)
    }

    // MARK: Completions

    private func script(_ shell: String) throws -> String {
        try workspace.add("script", try text("--generate-completion-script", shell).utf8)
        return workspace.directory("script")
    }

    @Test(.enabled(if: Program.find("bash") != nil)) func bashCompletesCommandsAndValues() throws {
        let script = try script("bash")
        func completed(_ line: String) throws -> [String] {
            let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
            let program = """
                source "$1"; COMP_WORDS=("${@:2}"); COMP_CWORD=$(($# - 2)); COMP_LINE="${*:2}"; COMP_POINT=${#COMP_LINE}
                complete -p texel > /dev/null && _texel texel "${@: -1}" "${@: -2:1}"; printf '%s\\n' "${COMPREPLY[@]}"
                """
            let bytes = try Program.run(Program.find("bash"), ["-c", program, "bash", script] + words)
            return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map {
                $0.trimmingCharacters(in: .whitespaces)
            }
        }
        #expect(try Set(completed("texel comp")) == ["compress", "compare"])
        #expect(try Set(completed("texel resize --fit ")) == ["inside", "outside", "cover", "contain", "fill"])
    }

    @Test(.enabled(if: Program.find("fish") != nil)) func fishCompletesCommandsAndValues() throws {
        let script = try script("fish")
        func completed(_ line: String) throws -> Set<String> {
            let bytes = try Program.run(
                Program.find("fish"), ["--no-config", "-c", "source $argv[1]; complete -C $argv[2]", script, line])
            return Set(
                String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap {
                    $0.split(separator: "\t").first.map(String.init)
                })
        }
        #expect(try completed("texel comp") == ["compress", "compare"])
        #expect(try completed("texel resize --fit ") == ["inside", "outside", "cover", "contain", "fill"])
    }

    /// zsh completes only in a terminal; test that the script loads, and what it offers.
    @Test(.enabled(if: Program.find("zsh") != nil)) func zshLoadsTheCompletions() throws {
        let script = try script("zsh")
        let program = "autoload -U compinit; compinit -u -D; source $1; whence -w _texel"
        let bytes = try Program.run(Program.find("zsh"), ["-f", "-c", program, "zsh", script])
        #expect(String(decoding: bytes, as: UTF8.self).contains("_texel: function"))
    }
}
