/// The value of an option on the command line, in a job or in a recipe file.
enum OptionValue: Equatable, Sendable {
    /// An argument of the command line, which stands for a value of any kind.
    case word(String)
    case text(String)
    case integer(Int)
    case number(Double)
    case boolean(Bool)
    case integers([Int])
    /// A value that no option has.
    case other
}

extension OptionValue: Decodable {
    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let isSet = try? value.decode(Bool.self) {
            self = .boolean(isSet)
        } else if let number = try? value.decode(Int.self) {
            self = .integer(number)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let numbers = try? value.decode([Int].self) {
            self = .integers(numbers)
        } else {
            self = .other
        }
    }
}

extension OptionValue {
    /// The integer; a number without a fraction, such as `75.0`, counts as one.
    var integer: Int? {
        switch self {
        case .word(let text): Int(text)
        case .integer(let number): number
        case .number(let number): Int(exactly: number)
        default: nil
        }
    }

    var number: Double? {
        switch self {
        case .word(let text): Double(text)
        case .integer(let number): Double(number)
        case .number(let number): number
        default: nil
        }
    }

    var boolean: Bool? { if case .boolean(let isSet) = self { isSet } else { nil } }

    var text: String? {
        switch self {
        case .word(let text), .text(let text): text
        default: nil
        }
    }

    /// The value as the argument of a flag, for kinds that the flag parses. A number is one too: of its digits, a
    /// fraction can be exact.
    var argument: String? {
        switch self {
        case .word(let text), .text(let text): text
        case .integer(let number): "\(number)"
        case .number(let number): "\(number)"
        case .boolean, .integers, .other: nil
        }
    }

    /// The value for an error message, after a space; empty if it is long.
    var shown: String {
        if let boolean { return " \(boolean)" }
        guard let argument, argument.count <= 40, !argument.utf8.contains(where: { $0 < 0x20 }) else { return "" }
        if text != nil { return " \"\(argument)\"" }
        return " \(argument)"
    }
}
