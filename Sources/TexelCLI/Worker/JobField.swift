import ArgumentParser

/// The name of any field of a job.
struct FieldName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}

/// A field of a job: its name, and how its value sets an option.
struct JobField: Sendable {
    typealias Object = KeyedDecodingContainer<FieldName>
    typealias Path<Value> = any WritableKeyPath<JobOptions, Value> & Sendable

    let name: String
    /// A description of valid values, as in "an integer".
    let expectation: String
    /// Sets the option to the field's value; returns `false` if the value is invalid.
    private let read: @Sendable (Object, FieldName, inout JobOptions) -> Bool

    /// Reads a field that is present and not null.
    func apply(_ object: Object, to options: inout JobOptions) throws(JobFault) {
        let key = FieldName(name)
        guard read(object, key, &options) else {
            throw JobFault("\(name)\(Self.shown(object, key)) is not \(expectation)")
        }
    }

    // MARK: Kinds of fields

    static func text(_ name: String, _ path: Path<String?>) -> JobField {
        JobField(name: name, expectation: "a string (without NUL)") { object, key, options in
            // A file name would end at the NUL.
            guard let text = try? object.decode(String.self, forKey: key), !text.utf8.contains(0) else { return false }
            options[keyPath: path] = text
            return true
        }
    }

    static func whole(_ name: String, _ path: Path<Int?>) -> JobField {
        JobField(name: name, expectation: "an integer") { object, key, options in
            guard let number = try? object.decode(Int.self, forKey: key) else { return false }
            options[keyPath: path] = number
            return true
        }
    }

    /// A single width, because a job has one result.
    static func width(_ name: String, _ path: Path<WidthsArgument?>) -> JobField {
        JobField(name: name, expectation: "an integer") { object, key, options in
            guard let number = try? object.decode(Int.self, forKey: key) else { return false }
            options[keyPath: path] = WidthsArgument(number)
            return true
        }
    }

    static func number(_ name: String, _ path: Path<Double?>) -> JobField {
        JobField(name: name, expectation: "a number") { object, key, options in
            guard let number = try? object.decode(Double.self, forKey: key) else { return false }
            options[keyPath: path] = number
            return true
        }
    }

    static func flag(_ name: String, _ path: Path<Bool>, inverted: Bool = false) -> JobField {
        JobField(name: name, expectation: "true or false") { object, key, options in
            guard let isSet = try? object.decode(Bool.self, forKey: key) else { return false }
            options[keyPath: path] = isSet != inverted
            return true
        }
    }

    /// A field that selects one of several values if it is `true`.
    static func choice<Value: Sendable>(_ name: String, _ value: Value, _ path: Path<Value?>) -> JobField {
        JobField(name: name, expectation: "true or false") { object, key, options in
            guard let isSet = try? object.decode(Bool.self, forKey: key) else { return false }
            if isSet { options[keyPath: path] = value }
            return true
        }
    }

    /// A field parsed like the flag's argument: a string or a number.
    static func argument<Value: ExpressibleByArgument>(
        _ name: String, _ path: Path<Value>, _ expectation: String = oneOf(Value.self)
    ) -> JobField {
        JobField(name: name, expectation: expectation) { object, key, options in
            guard let value = Value(text(object, key)) else { return false }
            options[keyPath: path] = value
            return true
        }
    }

    static func argument<Value: ExpressibleByArgument>(
        _ name: String, _ path: Path<Value?>, _ expectation: String = oneOf(Value.self)
    ) -> JobField {
        JobField(name: name, expectation: expectation) { object, key, options in
            guard let value = Value(text(object, key)) else { return false }
            options[keyPath: path] = value
            return true
        }
    }

    // MARK: Values as text

    private static func text(_ object: Object, _ key: FieldName) -> String? {
        if let text = try? object.decode(String.self, forKey: key) { return text }
        if let number = try? object.decode(Int.self, forKey: key) { return "\(number)" }
        return (try? object.decode(Double.self, forKey: key)).map { "\($0)" }
    }

    /// The value for an error message, if it is short.
    private static func shown(_ object: Object, _ key: FieldName) -> String {
        if let isSet = try? object.decode(Bool.self, forKey: key) { return " \(isSet)" }
        guard let text = text(object, key), text.count <= 40, !text.utf8.contains(where: { $0 < 0x20 }) else {
            return ""
        }
        let isText = (try? object.decode(String.self, forKey: key)) != nil
        return isText ? " \"\(text)\"" : " \(text)"
    }

    static func oneOf<Value: ExpressibleByArgument>(_ type: Value.Type) -> String {
        let values = type.allValueStrings
        return values.dropLast().joined(separator: ", ") + " or " + (values.last ?? "")
    }
}

extension ExpressibleByArgument {
    fileprivate init?(_ text: String?) {
        guard let text else { return nil }
        self.init(argument: text)
    }
}

/// An error in a job; the message names the field.
struct JobFault: Error {
    let message: String

    init(_ message: String) { self.message = message }

    /// Converts an error about flags: `--max-bytes` becomes `maxBytes`.
    init(_ error: ValidationError) {
        let sentence = error.message.hasSuffix(".") ? error.message.dropLast() : error.message[...]
        message = String(sentence).replacing(/--([a-z]+(?:-[a-z]+)*)/) { match in
            let words = match.1.split(separator: "-")
            return words.dropFirst().reduce(String(words.first ?? "")) {
                $0 + $1.prefix(1).uppercased() + $1.dropFirst()
            }
        }
    }
}
