/// The declaration of an option: its name, its kind of value, its help, and the property that it sets.
///
/// The command line, jobs and recipe files are read with it; help, manuals and completions are made from it.
struct Option<Options>: Sendable {
    typealias Path<Value> = any WritableKeyPath<Options, Value> & Sendable
    typealias Change = @Sendable (inout Options) -> Void

    private(set) var description: OptionDescription
    /// Converts a value, of the right kind and in range, to a change of options.
    let read: @Sendable (OptionValue) throws(OptionComplaint) -> Change
    /// Whether options have a value other than the default.
    let isSet: @Sendable (Options) -> Bool
    /// The fault in the options' values.
    let complaint: @Sendable (Options) -> OptionComplaint?

    var name: OptionName { description.name }
    var property: any AnyKeyPath & Sendable { description.property }

    init(
        _ description: OptionDescription,
        read: @escaping @Sendable (OptionValue) throws(OptionComplaint) -> Change,
        isSet: @escaping @Sendable (Options) -> Bool,
        complaint: @escaping @Sendable (Options) -> OptionComplaint? = { _ in nil }
    ) {
        self.description = description
        self.read = read
        self.isSet = isSet
        self.complaint = complaint
    }

    /// Converts a value.
    func setting(_ value: OptionValue) throws(OptionError) -> OptionSetting<Options> {
        do throws(OptionComplaint) {
            return OptionSetting(option: self, change: try read(value))
        } catch {
            throw OptionError("\(option: name)\(error.words)")
        }
    }

    /// Checks the range of the value that options have.
    func check(_ options: Options) throws(OptionError) {
        if let complaint = complaint(options) { throw OptionError("\(option: name)\(complaint.words)") }
    }

    /// The same option of options that contain these.
    ///
    /// - Parameter section: the title above it in the help; `nil` keeps it.
    func within<Whole>(
        _ path: any WritableKeyPath<Whole, Options> & Sendable, section: String? = nil
    ) -> Option<Whole> {
        var description = description
        if let section { description.section = section }
        return Option<Whole>(
            description,
            read: { value throws(OptionComplaint) in
                let change = try read(value)
                return { change(&$0[keyPath: path]) }
            },
            isSet: { isSet($0[keyPath: path]) }, complaint: { complaint($0[keyPath: path]) })
    }
}

/// Properties that only some options have.
extension Option {
    /// Adds a letter that stands for the name on the command line.
    func short(_ letter: Character) -> Option { changing { $0.short = letter } }

    /// Adds further sentences to the help.
    func note(_ text: String) -> Option { changing { $0.note = text } }

    /// Says what holds if the option is not given.
    func defaulting(to text: String) -> Option { changing { $0.defaultValue = text } }

    func completed(with completion: OptionDescription.Completion) -> Option { changing { $0.completion = completion } }

    /// Takes a value that begins with a dash and a letter, too.
    var takingDashes: Option { changing { $0.takesDashes = true } }

    func changing(_ change: (inout OptionDescription) -> Void) -> Option {
        var option = self
        change(&option.description)
        return option
    }
}

/// The fault in an option's value.
struct OptionComplaint: Error {
    /// The words after the option's name: ` 500 is not between 1 and 100`.
    let words: String

    init(words: String) { self.words = words }

    init(_ value: OptionValue, isNot expectation: String) { words = "\(value.shown) is not \(expectation)" }
}

/// An option with the value that it is given.
struct OptionSetting<Options>: Sendable {
    let option: Option<Options>
    private let change: Option<Options>.Change

    fileprivate init(option: Option<Options>, change: @escaping Option<Options>.Change) {
        self.option = option
        self.change = change
    }

    func apply(to options: inout Options) { change(&options) }
}
