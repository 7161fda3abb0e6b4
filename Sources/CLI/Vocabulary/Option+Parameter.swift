import Texel

/// Options that include parameters declared beside codecs or operations.
protocol ParameterGroup: OptionGroup {
    var parameters: ParameterValues { get set }
}

extension ParameterGroup {
    /// The parameters of operations, in the order in which they run.
    static func declared(in section: OperationSection) -> [Parameter] {
        OperationRegistry.shared.options(in: section).flatMap(\.parameters)
    }
}

extension Option where Options: ParameterGroup {
    /// The option of a parameter.
    static func parameter(_ parameter: Parameter) -> Option {
        let name = OptionName(parameter.name)
        let option: Option =
            switch parameter.values {
            case .flag:
                .flag(name, \.parameters[isOn: ParameterKey<Bool>(parameter.name)], help: parameter.help)
            case .integers(let range):
                .integer(name, \.parameters[ParameterKey<Int>(parameter.name)], .within(range), help: parameter.help)
            case .numbers(let range):
                .number(name, \.parameters[ParameterKey<Double>(parameter.name)], .within(range), help: parameter.help)
            case .someIntegers(let values):
                .integer(name, \.parameters[ParameterKey<Int>(parameter.name)], .oneOf(values), help: parameter.help)
            case .angles:
                .number(name, \.parameters[ParameterKey<Double>(parameter.name)], .finiteAngle, help: parameter.help)
            case .text(let form, let accepts):
                .optional(
                    name, \.parameters[ParameterKey<String>(parameter.name)], form, help: { parameter.help }
                ) { $0.argument.flatMap { accepts($0) ? $0 : nil } }
            case .names(let names):
                .optional(
                    name, \.parameters[ParameterKey<String>(parameter.name)], names.list(joinedBy: "or"),
                    help: { parameter.help }, values: { names }
                ) { $0.text.flatMap { names.contains($0) ? $0 : nil } }
            }
        return option.changing {
            ($0.defaultValue, $0.takesDashes) = (parameter.defaultValue, parameter.mayBeginWithDash)
        }
    }
}

extension ParameterValues {
    /// A flag, which has no value if it is off.
    fileprivate subscript(isOn key: ParameterKey<Bool>) -> Bool {
        get { self[key] ?? false }
        set { self[key] = newValue ? true : nil }
    }
}

extension OptionRule {
    /// The relations of parameters to other options, and to each other.
    static func rules(of parameters: [Parameter]) -> [OptionRule] {
        func names(_ words: [String]) -> [OptionName] { words.map { OptionName($0) } }
        var rules: [OptionRule] = []
        for (index, parameter) in parameters.enumerated() {
            if let base = parameter.alternative, !parameters[..<index].contains(where: { $0.alternative == base }) {
                let others = parameters.filter { $0.alternative == base }.map(\.name)
                rules.append(.alternatives(names([base] + others).map { [$0] }))
            }
            let name = OptionName(parameter.name)
            if !parameter.excluded.isEmpty { rules.append(.excludes(name, names(parameter.excluded))) }
            if !parameter.required.isEmpty { rules.append(.requires(name, oneOf: names(parameter.required))) }
        }
        return rules
    }
}
