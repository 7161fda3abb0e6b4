import ArgumentParser
import Texel

/// An output format, or a word that says how it is chosen.
struct FormatArgument<Choice: FormatChoice>: Equatable, ExpressibleByArgument, Sendable {
    /// The format; `nil` if the word was given.
    let format: ImageFormat?

    /// Accepts the word, and names and extensions of formats that can be written.
    init?(argument: String) {
        if argument.lowercased() == Choice.word {
            format = nil
        } else if let format = FormatArguments.known(argument), format.capabilities.writes {
            self.format = format
        } else {
            return nil
        }
    }

    /// The choice that the word stands for.
    init(_ choice: Choice.Type) { format = nil }

    /// Returns the value of an argument.
    ///
    /// - Throws: `ValidationError` with the formats that can be written.
    static func parse(_ argument: String) throws -> FormatArgument {
        if let value = FormatArgument(argument: argument) { return value }
        if let refusal = FormatArguments.known(argument)?.refusalToWrite { throw ValidationError("\(refusal).") }
        throw ValidationError("Use \(list(joinedBy: "or")).")
    }

    static var allValueStrings: [String] { [Choice.word] + CodecRegistry.shared.writableFormats.map(\.rawValue) }

    /// The name of the format, or the word.
    var name: String { format?.rawValue ?? Choice.word }

    var defaultValueDescription: String { name }

    /// The values as a list for a sentence.
    static func list(joinedBy conjunction: String) -> String {
        FormatArguments.list(allValueStrings, joinedBy: conjunction)
    }
}

/// A way to choose a format if none is named.
protocol FormatChoice {
    /// The argument that stands for it.
    static var word: String { get }
}

/// By the extension of the output's name, or else the format of the input.
enum FormatByExtension: FormatChoice {
    static let word = "extension"
}

/// By the image: with or without transparency.
enum FormatByImage: FormatChoice {
    static let word = "auto"
}

/// What all arguments about formats share.
enum FormatArguments {
    /// The formats that can be written, as a list for a sentence.
    static var names: String { list(CodecRegistry.shared.writableFormats.map(\.rawValue), joinedBy: "or") }

    /// The extensions of formats that can be written, as a list for a sentence: ".png, .jpg or .gif".
    ///
    /// - Parameter others: further extensions, after these.
    static func extensions(and others: String...) -> String {
        list(CodecRegistry.shared.writableFormats.map { ".\($0.fileExtension)" } + others, joinedBy: "or")
    }

    /// Returns the format with a name or an extension, whether it is written or only read.
    fileprivate static func known(_ argument: String) -> ImageFormat? {
        let name = argument.lowercased()
        return ImageFormat.all.first { $0.rawValue == name || $0.fileExtensions.contains(name) }
    }

    fileprivate static func list(_ names: [String], joinedBy conjunction: String) -> String {
        names.dropLast().joined(separator: ", ") + " \(conjunction) " + (names.last ?? "")
    }
}
