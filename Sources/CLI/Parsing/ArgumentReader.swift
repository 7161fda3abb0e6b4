/// Reads the arguments of a command by its table of options.
///
/// Options and operands may alternate. `--` ends the options. A value follows its option or is joined to it:
/// `--quality 75`, `--quality=75`, `-q 75`, `-q75`. Letters of flags may be joined: `-rv`.
struct ArgumentReader<Options: OptionGroup> {
    private let options: [Option<Options>]
    private let places: [String: Int]
    private let letters: [Character: Int]
    private let operands: [Int]

    init() {
        options = Options.options
        var (places, letters, operands) = ([String: Int](), [Character: Int](), [Int]())
        for (index, option) in options.enumerated() {
            if option.description.isOperand {
                operands.append(index)
            } else {
                places[option.name.words] = index
                if let short = option.description.short { letters[short] = index }
            }
        }
        (self.places, self.letters, self.operands) = (places, letters, operands)
    }

    /// An option or an operand with its value; `nil` is that of a flag.
    private struct Word {
        let option: Int
        let value: String?
    }

    /// Reads arguments, without the command's name.
    func read(_ arguments: [String]) throws(ArgumentFault) -> Options {
        let words = try words(of: arguments)
        let given = try given(words)
        var result = Options()
        for word in words {
            let option = options[word.option]
            do throws(OptionError) {
                try option.setting(word.value.map { .word($0) } ?? .boolean(true)).apply(to: &result)
            } catch {
                throw .invalid(error, option.description)
            }
        }
        let missing = options.indices.first { options[$0].description.isRequired && given[$0] == nil }
        if let missing { throw .missing(options[missing].description) }
        return result
    }

    /// Checks that no option is given twice, and that none contradicts another one.
    private func given(_ words: [Word]) throws(ArgumentFault) -> [Int: Word] {
        var given: [Int: Word] = [:]
        var setters: [AnyKeyPath: Int] = [:]
        for word in words {
            let option = options[word.option]
            let description = option.description
            if let former = given.updateValue(word, forKey: word.option), description.takesValue {
                // Standard output may be named twice, to write to a terminal.
                if former.value == "-", word.value == "-" { continue }
                throw .repeated(description)
            }
            if !description.isOperand, let other = setters.updateValue(word.option, forKey: option.property),
                other != word.option, !description.replacesEarlier
            {
                throw .invalid(
                    OptionError("\(option: options[other].name) and \(option: option.name) exclude each other"))
            }
        }
        return given
    }

    /// Assigns arguments to options. Unknown options have precedence over other faults, which may follow from them.
    private func words(of arguments: [String]) throws(ArgumentFault) -> [Word] {
        var words: [Word] = []
        var fault: ArgumentFault?
        var rest = arguments[...]
        var operandCount = 0
        var hasEnded = false
        while let argument = rest.popFirst() {
            if argument == "--", !hasEnded {
                hasEnded = true
            } else if hasEnded || argument == "-" || !argument.hasPrefix("-") {
                guard let index = operand(at: operandCount) else {
                    fault = fault ?? .unexpected(argument)
                    continue
                }
                words.append(Word(option: index, value: argument))
                operandCount += 1
            } else {
                do throws(ArgumentFault) {
                    words += argument.hasPrefix("--") ? [try long(argument, &rest)] : try short(argument, &rest)
                } catch {
                    if case .unknown = error { throw error }
                    fault = fault ?? error
                }
            }
        }
        if let fault { throw fault }
        return words
    }

    /// The operand that takes the next argument without a name.
    private func operand(at count: Int) -> Int? {
        if count < operands.count { return operands[count] }
        guard let last = operands.last, case .operand(isList: true) = options[last].description.form else { return nil }
        return last
    }

    private func long(_ argument: String, _ rest: inout ArraySlice<String>) throws(ArgumentFault) -> Word {
        let sign = argument.firstIndex(of: "=")
        let spelling = String(argument[..<(sign ?? argument.endIndex)])
        let name = String(spelling.dropFirst(2))
        guard let index = places[name] else {
            throw .unknown(spelling, meant: Suggestion.nearest(to: name, among: places.keys))
        }
        let joined = sign.map { String(argument[argument.index(after: $0)...]) }
        let description = options[index].description
        guard description.takesValue else {
            if let joined { throw .needlessValue(joined, description) }
            return Word(option: index, value: nil)
        }
        if let joined { return Word(option: index, value: joined) }
        return Word(option: index, value: try value(of: description, &rest))
    }

    /// Reads letters of flags, and one of an option with its value.
    private func short(_ argument: String, _ rest: inout ArraySlice<String>) throws(ArgumentFault) -> [Word] {
        let name = String(argument.dropFirst().prefix { $0 != "=" })
        if name.count > 2, let meant = Suggestion.nearest(to: name, among: places.keys),
            Suggestion.distance(name, meant) <= 1
        {
            // One dash instead of two.
            throw .unknown("-\(name)", meant: meant)
        }
        var words: [Word] = []
        var letters = argument.dropFirst()
        while let letter = letters.popFirst() {
            guard let index = self.letters[letter] else { throw .unknown("-\(letter)", meant: nil) }
            let description = options[index].description
            guard description.takesValue else {
                words.append(Word(option: index, value: nil))
                continue
            }
            if letters.first == "=" { letters.removeFirst() }
            let value = letters.isEmpty ? try value(of: description, &rest) : String(letters)
            words.append(Word(option: index, value: value))
            break
        }
        return words
    }

    /// Takes the next argument as a value, unless it looks like an option: `-5` and `-` do not.
    private func value(
        of description: OptionDescription, _ rest: inout ArraySlice<String>
    ) throws(ArgumentFault) -> String {
        guard let next = rest.first else { throw .valueMissing(description) }
        let second = next.dropFirst().first
        let isOption = next.hasPrefix("-") && next.count > 1 && second?.isNumber == false && second != "."
        if isOption, !description.takesDashes { throw .valueMissing(description) }
        rest.removeFirst()
        return next
    }
}
