/// An error in the options of a call, a job or a recipe file.
///
/// It holds the options that it names as values, so that each place prints them in its own spelling:
///
///     OptionError("\(option: "allow-smaller") requires \(option: "max-bytes")")
struct OptionError: Error, Equatable {
    private let sentence: OptionSentence

    /// - Parameter sentence: without a full stop.
    init(_ sentence: OptionSentence) { self.sentence = sentence }

    /// The options that the error names.
    var options: [OptionName] {
        sentence.parts.compactMap { if case .option(let name, _) = $0 { name } else { nil } }
    }

    /// The sentence, without a full stop.
    func text(in spelling: OptionSpelling) -> String {
        sentence.parts.map { part in
            switch part {
            case .text(let text): text
            case .option(_, let short?) where spelling == .commandLine: "-\(short)"
            case .option(let name, _): name.spelled(in: spelling)
            }
        }.joined()
    }
}

/// A sentence that contains names of options.
struct OptionSentence: ExpressibleByStringInterpolation, Equatable, Sendable {
    enum Part: Equatable, Sendable {
        case text(String)
        /// An option, and its short flag if the command line is to name that.
        case option(OptionName, short: Character?)
    }

    fileprivate let parts: [Part]

    init(stringLiteral text: String) { parts = [.text(text)] }

    init(_ text: String) { parts = [.text(text)] }

    init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var parts: [Part] = []

        init(literalCapacity: Int, interpolationCount: Int) {}

        mutating func appendLiteral(_ text: String) { parts.append(.text(text)) }

        mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            parts.append(.text(value.description))
        }

        mutating func appendInterpolation(option name: OptionName, short: Character? = nil) {
            parts.append(.option(name, short: short))
        }

        /// Appends several options: `a, b or c`.
        ///
        /// - Parameter last: the word before the last of them.
        mutating func appendInterpolation(options names: [OptionName], _ last: String) {
            appendInterpolation(optionGroups: names.map { [$0] }, last)
        }

        /// Appends several groups of options: `a/b, c/d and e`.
        mutating func appendInterpolation(optionGroups groups: [[OptionName]], _ last: String) {
            for (index, group) in groups.enumerated() {
                if index > 0 { appendLiteral(index < groups.count - 1 ? ", " : " \(last) ") }
                for (place, name) in group.enumerated() {
                    if place > 0 { appendLiteral("/") }
                    appendInterpolation(option: name)
                }
            }
        }
    }
}
