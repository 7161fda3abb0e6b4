import SystemPackage
import TexelCodecs
public import TexelCore
import TexelFormats
import TexelPipeline

/// An output's name with placeholders: `{dir}/{name}-{width}w.{ext}`.
public struct OutputTemplate: Sendable, Hashable {
    private enum Part: Sendable, Hashable {
        /// As bytes, since names need not be valid text.
        case text([UInt8])
        case directory, name, fileExtension, width, height
    }

    private let parts: [Part]

    /// Parses a template. `{{` and `}}` are a single brace.
    ///
    /// - Throws: an error of the kind `invalidArgument` for a name in braces other than `dir`, `name`, `ext`, `width`
    ///   and `height`.
    public init(_ text: String) throws(TexelError) {
        var parts: [Part] = []
        var literal: [UInt8] = []
        var rest = Substring(text)
        while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            literal += rest[..<brace].utf8
            let isDoubled = rest[brace...].dropFirst().first == rest[brace]
            if isDoubled || rest[brace] == "}" {
                literal += rest[brace].utf8
                rest = rest[brace...].dropFirst(isDoubled ? 2 : 1)
                continue
            }
            parts.append(.text(literal))
            literal = []
            rest = rest[brace...].dropFirst()
            guard let close = rest.firstIndex(of: "}") else { throw .unknownPlaceholder(String(rest)) }
            let name = String(rest[..<close])
            switch name {
            case "dir": parts.append(.directory)
            case "name": parts.append(.name)
            case "ext": parts.append(.fileExtension)
            case "width": parts.append(.width)
            case "height": parts.append(.height)
            default: throw .unknownPlaceholder(name)
            }
            rest = rest[rest.index(after: close)...]
        }
        self.parts = parts + [.text(literal + Array(rest.utf8))]
    }

    /// The path if there are no placeholders.
    var plainPath: FilePath? {
        if parts.count == 1, case .text(let text) = parts[0] { FilePath(bytes: text) } else { nil }
    }

    /// Makes a template for a name that lacks only what depends on the result.
    ///
    /// - Parameters:
    ///   - path: the name without an extension.
    ///   - fileExtension: `nil` takes the one of the result's format.
    ///   - tellsWidth: whether the result's width follows the name, as in `photo-640w.jpg`.
    init(_ path: FilePath, fileExtension: String?, tellsWidth: Bool) {
        func text(_ text: String) -> Part { .text(Array(text.utf8)) }
        let width = tellsWidth ? [text("-"), .width, text("w")] : []
        parts = [.text(path.bytes)] + width + [text("."), fileExtension.map(text) ?? .fileExtension]
    }

    /// The template as it is written in an argument.
    var text: String {
        parts.map { part in
            switch part {
            case .text(let text):
                String(decoding: text.flatMap { "{}".utf8.contains($0) ? [$0, $0] : [$0] }, as: UTF8.self)
            case .directory: "{dir}"
            case .name: "{name}"
            case .fileExtension: "{ext}"
            case .width: "{width}"
            case .height: "{height}"
            }
        }.joined()
    }

    /// The directory that contains all results, possibly in subdirectories; empty for the working directory, `nil` if
    /// it depends on the input.
    var directory: FilePath? {
        guard case .text(let text)? = parts.first, !text.isEmpty || parts.count == 1 else {
            return parts.contains(.directory) ? nil : FilePath("")
        }
        let path = FilePath(bytes: text)
        return text.last == UInt8(ascii: "/") ? path : path.removingLastComponent()
    }

    /// The directory of all results relative to the directory of their inputs, as in `{dir}/small/{name}.{ext}`; `nil`
    /// if it is that directory, or another one.
    var directoryBelowInput: FilePath? {
        let parts = parts.drop { $0 == .text([]) }
        guard parts.first == .directory, case .text(let text)? = parts.dropFirst().first,
            text.first == UInt8(ascii: "/"), let end = text.lastIndex(of: UInt8(ascii: "/")), end > 0
        else { return nil }
        return FilePath(bytes: Array(text[1..<end])).lexicallyNormalized()
    }

    /// The extension of all results; `nil` if it depends on the image, or if there is none.
    var fileExtension: String? {
        guard case .text(let text)? = parts.last else { return nil }
        return FilePath(bytes: [UInt8(ascii: "_")] + text).extension
    }

    /// Whether results of different widths have different names.
    public var tellsWidth: Bool { parts.contains(.width) }

    /// The path for the result of `input`.
    ///
    /// - Parameter name: replaces `{name}`.
    func path(for input: FilePath, name: [UInt8], plan: Plan) -> FilePath {
        path(
            for: input, name: name, fileExtension: plan.format?.fileExtension ?? "", width: "\(plan.outputSize.width)",
            height: "\(plan.outputSize.height)")
    }

    /// The path without what is known only after reading the image. Inputs with different drafts cannot get the same
    /// output.
    func draft(for input: FilePath, name: [UInt8], fileExtension: String) -> FilePath {
        path(for: input, name: name, fileExtension: fileExtension, width: "", height: "")
    }

    private func path(
        for input: FilePath, name: [UInt8], fileExtension: String, width: String, height: String
    ) -> FilePath {
        let directory = input.removingLastComponent()
        return FilePath(
            bytes: parts.flatMap { part in
                switch part {
                case .text(let text): text
                case .directory: directory.isEmpty ? [UInt8(ascii: ".")] : directory.bytes
                case .name: name
                case .fileExtension: Array(fileExtension.utf8)
                case .width: Array(width.utf8)
                case .height: Array(height.utf8)
                }
            })
    }
}
