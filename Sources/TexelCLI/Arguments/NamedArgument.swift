import ArgumentParser

/// An argument with a fixed set of names.
///
/// The parser's own list of names goes through key paths, which are made anew at each start for each type and option.
protocol NamedArgument: ExpressibleByArgument, CaseIterable, RawRepresentable where RawValue == String {}

extension NamedArgument {
    public static var allValueStrings: [String] { allCases.map { $0.rawValue } }
    public static var allValueDescriptions: [String: String] { [:] }
}
