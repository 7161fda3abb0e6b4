/// The description of an option: its name, its kind of value, and what it sets.
///
/// Jobs and recipe files are decoded with it, and the command line is checked with it.
struct OptionKey<Options>: Sendable {
    typealias Path<Value> = any WritableKeyPath<Options, Value> & Sendable
    typealias Change = @Sendable (inout Options) -> Void

    let name: OptionName
    /// The property that the option sets. Options that set the same one exclude each other.
    let property: any AnyKeyPath & Sendable
    /// Converts a value, of the right kind and in range, to a change of options.
    let read: @Sendable (OptionValue) throws(OptionComplaint) -> Change
    /// Whether options have a value other than the default.
    let isSet: @Sendable (Options) -> Bool
    /// What is wrong with the value that options have.
    let complaint: @Sendable (Options) -> OptionComplaint?

    init(
        _ name: OptionName, property: any AnyKeyPath & Sendable,
        read: @escaping @Sendable (OptionValue) throws(OptionComplaint) -> Change,
        isSet: @escaping @Sendable (Options) -> Bool,
        complaint: @escaping @Sendable (Options) -> OptionComplaint? = { _ in nil }
    ) {
        self.name = name
        self.property = property
        self.read = read
        self.isSet = isSet
        self.complaint = complaint
    }

    /// Converts a value of a job or a recipe file.
    func setting(_ value: OptionValue) throws(OptionError) -> OptionSetting<Options> {
        do throws(OptionComplaint) {
            return OptionSetting(key: self, change: try read(value))
        } catch {
            throw OptionError("\(option: name)\(error.words)")
        }
    }

    /// Checks the range of the value that options have.
    func check(_ options: Options) throws(OptionError) {
        if let complaint = complaint(options) { throw OptionError("\(option: name)\(complaint.words)") }
    }

    /// The same option of options that contain these.
    func within<Whole>(_ path: any WritableKeyPath<Whole, Options> & Sendable) -> OptionKey<Whole> {
        OptionKey<Whole>(
            name, property: property,
            read: { value throws(OptionComplaint) in
                let change = try read(value)
                return { change(&$0[keyPath: path]) }
            },
            isSet: { isSet($0[keyPath: path]) }, complaint: { complaint($0[keyPath: path]) })
    }
}

/// What is wrong with the value of an option.
struct OptionComplaint: Error {
    /// The words after the option's name: ` 500 is not between 1 and 100`.
    let words: String

    init(_ value: OptionValue, isNot expectation: String) { words = "\(value.shown) is not \(expectation)" }
}

/// An option with the value that a job or a recipe file gives it.
struct OptionSetting<Options>: Sendable {
    let key: OptionKey<Options>
    private let change: OptionKey<Options>.Change

    fileprivate init(key: OptionKey<Options>, change: @escaping OptionKey<Options>.Change) {
        self.key = key
        self.change = change
    }

    func apply(to options: inout Options) { change(&options) }
}
