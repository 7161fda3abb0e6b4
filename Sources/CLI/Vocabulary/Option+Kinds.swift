/// The kinds of options.
extension Option {
    typealias Text = @Sendable () -> String

    /// An option that must be given on the command line.
    static func text(_ name: OptionName, _ path: Path<String>, help: @autoclosure @escaping Text) -> Option {
        Option(
            OptionDescription(name: name, form: .value, property: path, help: help, values: { [] }),
            read: { value throws(OptionComplaint) in
                guard let text = value.text else { throw OptionComplaint(value, isNot: "a string") }
                return { $0[keyPath: path] = text }
            }, isSet: { !$0[keyPath: path].isEmpty }
        ).changing { $0.isRequired = true }
    }

    static func text(
        _ name: OptionName, _ path: Path<String?>, help: @autoclosure @escaping Text
    ) -> Option {
        optional(name, path, "a string (without NUL)", help: help) { value in
            // A file name would end at the NUL.
            guard let text = value.text, !text.utf8.contains(0) else { return nil }
            return text
        }
    }

    static func integer(
        _ name: OptionName, _ path: Path<Int?>, _ range: OptionRange<Int>, help: @autoclosure @escaping Text
    ) -> Option {
        optional(name, path, "an integer", help: help, complaint: range.complaint) { $0.integer }
    }

    static func number(
        _ name: OptionName, _ path: Path<Double?>, _ range: OptionRange<Double>, help: @autoclosure @escaping Text
    ) -> Option {
        optional(name, path, "a number", help: help, complaint: range.complaint) { $0.number }
    }

    static func flag(_ name: OptionName, _ path: Path<Bool>, help: @autoclosure @escaping Text) -> Option {
        boolean(name, path, help: help, isSet: { $0[keyPath: path] }) { isOn, options in
            options[keyPath: path] = isOn
        }
    }

    /// One of two flags of which the other one means the opposite. The help of the first is that of both.
    static func flag(
        _ name: OptionName, _ path: Path<Bool?>, isInverted: Bool = false, help: @autoclosure @escaping Text = ""
    ) -> Option {
        boolean(name, path, help: help, isSet: { $0[keyPath: path] == !isInverted }) { isOn, options in
            options[keyPath: path] = isOn != isInverted
        }.changing { $0.replacesEarlier = true }
    }

    /// A flag that selects one of several values. The help of the first one is that of all.
    static func choice<Value: Equatable & Sendable>(
        _ name: OptionName, _ choice: Value, _ path: Path<Value?>, help: @autoclosure @escaping Text = ""
    ) -> Option {
        boolean(name, path, help: help, isSet: { $0[keyPath: path] == choice }) { isOn, options in
            if isOn { options[keyPath: path] = choice }
        }
    }

    /// An option whose value is text in a form of its own.
    ///
    /// - Parameter expectation: a description of valid values; `nil` lists the type's values.
    static func argument<Value: ArgumentValue>(
        _ name: OptionName, _ path: Path<Value?>, _ expectation: String? = nil, help: @autoclosure @escaping Text
    ) -> Option {
        optional(
            name, path, expectation ?? Value.names.list(joinedBy: "or"), help: help, values: { Value.names }
        ) { $0.argument.flatMap { Value(argument: $0) } }
    }

    /// An option that is `nil` by default.
    ///
    /// - Parameters:
    ///   - expectation: a description of valid values.
    ///   - values: all values, if there are only a few.
    ///   - complaint: what is wrong with a converted value; `nil` if it is allowed.
    ///   - convert: converts a value of the right kind; `nil` for others.
    static func optional<Value: Sendable>(
        _ name: OptionName, _ path: Path<Value?>, _ expectation: @autoclosure @escaping Text,
        help: @escaping Text, values: @escaping @Sendable () -> [String] = { [] },
        complaint: @escaping @Sendable (Value) -> OptionComplaint? = { _ in nil },
        convert: @escaping @Sendable (OptionValue) -> Value?
    ) -> Option {
        Option(
            OptionDescription(name: name, form: .value, property: path, help: help, values: values),
            read: { value throws(OptionComplaint) in
                guard let converted = convert(value) else { throw OptionComplaint(value, isNot: expectation()) }
                if let complaint = complaint(converted) { throw complaint }
                return { $0[keyPath: path] = converted }
            },
            isSet: { $0[keyPath: path] != nil }, complaint: { $0[keyPath: path].flatMap(complaint) })
    }

    // MARK: Operands

    /// An argument without a name, which must be given.
    static func operand(_ name: OptionName, _ path: Path<String>, help: @autoclosure @escaping Text) -> Option {
        operand(name, path, isList: false, help: help) { $0[keyPath: path] = $1 }
    }

    /// All further arguments without names, at least one.
    static func operands(_ name: OptionName, _ path: Path<[String]>, help: @autoclosure @escaping Text) -> Option {
        operand(name, path, isList: true, help: help) { $0[keyPath: path].append($1) }
    }

    private static func operand(
        _ name: OptionName, _ property: any AnyKeyPath & Sendable, isList: Bool, help: @escaping Text,
        add: @escaping @Sendable (inout Options, String) -> Void
    ) -> Option {
        var description = OptionDescription(
            name: name, form: .operand(isList: isList), property: property, help: help, values: { [] })
        description.isRequired = true
        description.completion = .file
        return Option(
            description,
            read: { value throws(OptionComplaint) in
                let text = value.argument ?? ""
                return { add(&$0, text) }
            }, isSet: { _ in false })
    }

    private static func boolean(
        _ name: OptionName, _ property: any AnyKeyPath & Sendable, help: @escaping Text,
        isSet: @escaping @Sendable (Options) -> Bool,
        set: @escaping @Sendable (Bool, inout Options) -> Void
    ) -> Option {
        Option(
            OptionDescription(name: name, form: .flag, property: property, help: help, values: { [] }),
            read: { value throws(OptionComplaint) in
                guard let isOn = value.boolean else { throw OptionComplaint(value, isNot: "true or false") }
                return { set(isOn, &$0) }
            }, isSet: isSet)
    }
}

extension [String] {
    /// The words as a list for a sentence: `a, b or c`.
    func list(joinedBy conjunction: String) -> String {
        count < 2 ? joined() : dropLast().joined(separator: ", ") + " \(conjunction) " + self[count - 1]
    }
}
