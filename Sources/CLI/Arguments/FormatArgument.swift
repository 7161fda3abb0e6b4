import Texel

/// An output format, or a word that says how it is chosen.
struct FormatArgument<Choice: FormatChoice>: Equatable, ArgumentValue, Sendable {
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

    static var names: [String] { [Choice.word] + CodecRegistry.shared.writableFormats.map(\.rawValue) }

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

/// The common part of all arguments about formats.
enum FormatArguments {
    /// The formats that can be written, as a list for a sentence.
    static var names: String { CodecRegistry.shared.writableFormats.map(\.rawValue).list(joinedBy: "or") }

    /// The extensions of formats that can be written, as a list for a sentence: ".png, .jpg or .gif".
    ///
    /// - Parameter others: further extensions, after these.
    static func extensions(and others: String...) -> String {
        (CodecRegistry.shared.writableFormats.map { ".\($0.fileExtension)" } + others).list(joinedBy: "or")
    }

    /// Returns the format with a name or an extension, whether it is written or only read.
    fileprivate static func known(_ argument: String) -> ImageFormat? {
        let name = argument.lowercased()
        return ImageFormat.all.first { $0.rawValue == name || $0.fileExtensions.contains(name) }
    }
}

extension Option {
    /// An option that names a format to write.
    static func format<Choice: FormatChoice>(
        _ name: OptionName, _ path: Path<FormatArgument<Choice>?>, help: @autoclosure @escaping Text
    ) -> Option {
        let plain = argument(name, path, help: help())
        return Option(
            plain.description,
            read: { value throws(OptionComplaint) in
                if let text = value.argument, let refusal = FormatArguments.known(text)?.refusalToWrite {
                    throw OptionComplaint(words: ": \(refusal)")
                }
                return try plain.read(value)
            }, isSet: plain.isSet)
    }
}
