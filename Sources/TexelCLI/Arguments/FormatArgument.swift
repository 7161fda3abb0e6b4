import ArgumentParser
import Texel

/// An output format, or `auto` to choose it by the files.
enum FormatArgument: Equatable, ExpressibleByArgument {
    case auto
    case format(ImageFormat)

    /// Accepts names and extensions of formats that can be written.
    init?(argument: String) {
        let name = argument.lowercased()
        if name == "auto" {
            self = .auto
        } else if let format = ImageFormat.all.first(where: { $0.rawValue == name || $0.fileExtensions.contains(name) }
        ),
            format.capabilities.writes
        {
            self = .format(format)
        } else {
            return nil
        }
    }

    /// Returns the value of an argument.
    ///
    /// - Throws: `ValidationError` with the formats that can be written.
    static func parse(_ argument: String) throws -> FormatArgument {
        if let value = FormatArgument(argument: argument) { return value }
        if ["heic", "heif", "hif"].contains(argument.lowercased()) {
            throw ValidationError("Texel does not write HEIC, because HEVC is patented; use avif.")
        }
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
