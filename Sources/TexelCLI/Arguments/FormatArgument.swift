import ArgumentParser
import Texel

/// An output format, or `auto` to choose it by the files.
enum FormatArgument: Equatable, ExpressibleByArgument {
    case auto
    case format(ImageFormat)

    /// Accepts names and extensions of formats that can be written.
    init?(argument: String) {
        if argument.lowercased() == "auto" {
            self = .auto
        } else if let format = Self.known(argument), format.capabilities.writes {
            self = .format(format)
        } else {
            return nil
        }
    }

    /// Returns the format with a name or an extension, whether it is written or only read.
    private static func known(_ argument: String) -> ImageFormat? {
        let name = argument.lowercased()
        return ImageFormat.all.first { $0.rawValue == name || $0.fileExtensions.contains(name) }
    }

    /// Returns the value of an argument.
    ///
    /// - Throws: `ValidationError` with the formats that can be written.
    static func parse(_ argument: String) throws -> FormatArgument {
        if let value = FormatArgument(argument: argument) { return value }
        if let refusal = known(argument)?.refusalToWrite { throw ValidationError("\(refusal).") }
        throw ValidationError("Use \(list(joinedBy: "or")).")
    }

    static var allValueStrings: [String] { ["auto"] + CodecRegistry.shared.writableFormats.map(\.rawValue) }

    var defaultValueDescription: String { format?.rawValue ?? "auto" }

    var format: ImageFormat? {
        if case .format(let format) = self { format } else { nil }
    }

    /// The values as a list for a sentence.
    static func list(joinedBy conjunction: String) -> String {
        let names = allValueStrings
        return names.dropLast().joined(separator: ", ") + " \(conjunction) " + (names.last ?? "")
    }
}
