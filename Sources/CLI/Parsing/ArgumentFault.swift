/// Why the arguments of a command are refused.
enum ArgumentFault: Error {
    /// - Parameter meant: the name of a similar option.
    case unknown(String, meant: String?)
    /// An option with several values, of which all but one would be lost.
    case repeated(OptionDescription)
    case valueMissing(OptionDescription)
    case needlessValue(String, OptionDescription)
    case missing(OptionDescription)
    /// An operand more than the command has.
    case unexpected(String)
    /// - Parameter about: the option whose value is wrong.
    case invalid(OptionError, OptionDescription? = nil)

    /// The message, of several lines.
    func text(for command: any Command.Type) -> String {
        let name = command.description.name
        let usage = "Usage: \(command.usage)\n  See 'texel \(name) --help' for more information."
        switch self {
        case .unknown(let option, let meant):
            let suggestion = meant.map { " Did you mean '--\($0)'?" } ?? ""
            return """
                Error: Unknown option '\(option)'.\(suggestion)
                  See 'texel help \(name)' for more information.
                """
        case .repeated(let option):
            return """
                Error: \(option.flag) is given twice, but has one value; leave one out.
                  See 'texel help \(name)' for more information.
                """
        case .valueMissing(let option):
            return "Error: Missing value for '\(option.long)'\n\(Self.help(option))\n\(usage)"
        case .needlessValue(let value, let option):
            return "Error: The option '\(option.flag)' does not take any value, but '\(value)' was specified.\n\(usage)"
        case .missing(let option):
            return "Error: Missing expected argument '\(option.long)'\n\(Self.help(option))\n\(usage)"
        case .unexpected(let argument):
            return "Error: Unexpected argument '\(argument)'\n\(usage)"
        case .invalid(let error, let option):
            let help = option.map { "\n" + Self.help($0) } ?? ""
            return "Error: \(error.text(in: .commandLine)).\(help)\n\(usage)"
        }
    }

    private static func help(_ option: OptionDescription) -> String { "Help:  \(option.long)  \(option.help())" }
}

extension OptionDescription {
    /// The option without its letter: `--quality <quality>`, `<inputs> ...`.
    fileprivate var long: String {
        switch form {
        case .flag: flag
        case .value: "\(flag) <\(placeholder)>"
        case .operand(let isList): flag + (isList ? " ..." : "")
        }
    }
}
