import ArgumentParser

/// The kinds of options.
extension OptionKey {
    static func text(_ name: OptionName, _ path: Path<String?>) -> OptionKey {
        optional(name, path, "a string (without NUL)") { value in
            // A file name would end at the NUL.
            guard case .text(let text) = value, !text.utf8.contains(0) else { return nil }
            return text
        }
    }

    static func integer(_ name: OptionName, _ path: Path<Int?>, _ range: OptionRange<Int>) -> OptionKey {
        optional(name, path, "an integer", complaint: range.complaint) { $0.integer }
    }

    static func number(_ name: OptionName, _ path: Path<Double?>, _ range: OptionRange<Double>) -> OptionKey {
        optional(name, path, "a number", complaint: range.complaint) { $0.number }
    }

    static func flag(_ name: OptionName, _ path: Path<Bool>) -> OptionKey {
        boolean(name, path, isSet: { $0[keyPath: path] }) { isOn, options in options[keyPath: path] = isOn }
    }

    /// One of two flags of which the other one means the opposite.
    static func flag(_ name: OptionName, _ path: Path<Bool?>, isInverted: Bool = false) -> OptionKey {
        boolean(name, path, isSet: { $0[keyPath: path] == !isInverted }) { isOn, options in
            options[keyPath: path] = isOn != isInverted
        }
    }

    /// A flag that selects one of several values.
    static func choice<Value: Equatable & Sendable>(
        _ name: OptionName, _ choice: Value, _ path: Path<Value?>
    ) -> OptionKey {
        boolean(name, path, isSet: { $0[keyPath: path] == choice }) { isOn, options in
            if isOn { options[keyPath: path] = choice }
        }
    }

    /// An option that is parsed like the flag's argument.
    ///
    /// - Parameter expectation: a description of valid arguments; `nil` lists the type's values.
    static func argument<Value: ExpressibleByArgument & Sendable>(
        _ name: OptionName, _ path: Path<Value?>, _ expectation: String? = nil
    ) -> OptionKey {
        optional(name, path, expectation ?? oneOf(Value.self)) { $0.argument.flatMap { Value(argument: $0) } }
    }

    /// An option that is `nil` by default.
    ///
    /// - Parameters:
    ///   - expectation: a description of valid values.
    ///   - complaint: what is wrong with a converted value; `nil` if it is allowed.
    ///   - convert: converts a value of the right kind; `nil` for others.
    static func optional<Value: Sendable>(
        _ name: OptionName, _ path: Path<Value?>, _ expectation: @autoclosure @escaping @Sendable () -> String,
        complaint: @escaping @Sendable (Value) -> OptionComplaint? = { _ in nil },
        convert: @escaping @Sendable (OptionValue) -> Value?
    ) -> OptionKey {
        OptionKey(
            name, property: path,
            read: { value throws(OptionComplaint) in
                guard let converted = convert(value) else { throw OptionComplaint(value, isNot: expectation()) }
                if let complaint = complaint(converted) { throw complaint }
                return { $0[keyPath: path] = converted }
            },
            isSet: { $0[keyPath: path] != nil }, complaint: { $0[keyPath: path].flatMap(complaint) })
    }

    // MARK: What they share

    private static func boolean(
        _ name: OptionName, _ property: any AnyKeyPath & Sendable,
        isSet: @escaping @Sendable (Options) -> Bool,
        set: @escaping @Sendable (Bool, inout Options) -> Void
    ) -> OptionKey {
        OptionKey(
            name, property: property,
            read: { value throws(OptionComplaint) in
                guard let isOn = value.boolean else { throw OptionComplaint(value, isNot: "true or false") }
                return { set(isOn, &$0) }
            }, isSet: isSet)
    }

    private static func oneOf<Value: ExpressibleByArgument>(_ type: Value.Type) -> String {
        let values = type.allValueStrings
        return values.dropLast().joined(separator: ", ") + " or " + (values.last ?? "")
    }
}
