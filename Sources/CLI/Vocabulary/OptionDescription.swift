/// The description of an option in help, manuals and completions.
struct OptionDescription: Sendable {
    /// The kind of value of an option.
    enum Form: Sendable {
        case flag
        case value
        /// An argument without a name, at its place; several if `isList`.
        case operand(isList: Bool)
    }

    /// The completion of a value in shells, other than a list of values.
    enum Completion: Sendable {
        case nothing, file, folder
    }

    let name: OptionName
    let form: Form
    /// The property that the option sets. Options that set the same one exclude each other.
    let property: any AnyKeyPath & Sendable
    /// One sentence; empty for a flag that shares the line of the one before.
    let help: @Sendable () -> String
    /// The values, if there are only a few.
    let values: @Sendable () -> [String]
    /// A letter that stands for the name on the command line.
    var short: Character?
    /// Further sentences.
    var note = ""
    /// The default in words; empty if the help needs none.
    var defaultValue = ""
    var completion = Completion.nothing
    var isRequired = false
    /// Whether a value may begin with a dash and a letter, so that it looks like an option.
    var takesDashes = false
    /// Whether a later flag replaces an earlier one of the same property.
    var replacesEarlier = false
    /// The title above the option in the help.
    var section = ""

    /// The name with dashes, or that of an operand.
    var flag: String { isOperand ? "<\(name.words)>" : "--\(name.words)" }

    var isOperand: Bool { if case .operand = form { true } else { false } }

    var takesValue: Bool { if case .value = form { true } else { false } }

    /// The option as help shows it: `-q, --quality <quality>`.
    var synopsis: String {
        switch form {
        case .operand: "<\(name.words)>"
        case .flag: names
        case .value: "\(names) <\(placeholder)>"
        }
    }

    /// The placeholder of a value: the last word of the name.
    var placeholder: Substring { name.words.split(separator: "-").last ?? "" }

    private var names: String { (short.map { "-\($0), " } ?? "") + flag }
}
