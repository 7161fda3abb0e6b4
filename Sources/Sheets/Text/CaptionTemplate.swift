package import TexelCodecs
package import TexelCore
package import TexelPixels

/// Properties of an image that are known without decoding its pixels.
package struct ImageFacts: Sendable, Hashable {
    /// The size as displayed, in pixels.
    package var size: PixelSize
    /// The size of the file.
    package var byteCount: Int
    /// The file format.
    package var format: ImageFormat
}

/// The text below an image, with placeholders such as `{name}` or `{width}×{height}`. A newline or `\n` starts a new
/// line.
package struct CaptionTemplate: Sendable, Hashable {
    /// The names of all placeholders.
    static let names = ["name", "path", "width", "height", "bytes", "format"]

    private enum Part: Sendable, Hashable {
        case text(String)
        case placeholder(String)
    }

    private let lines: [[Part]]

    /// Parses a template.
    ///
    /// - Throws: `unknownPlaceholder`.
    package init(_ text: String) throws(TexelError) {
        var lines: [[Part]] = []
        for line in text.replacing("\\n", with: "\n").split(separator: "\n", omittingEmptySubsequences: false) {
            lines.append(try Self.parts(line))
        }
        self.lines = lines
    }

    private static func parts(_ line: Substring) throws(TexelError) -> [Part] {
        var (parts, rest): ([Part], Substring) = ([], line)
        while let open = rest.firstIndex(of: "{") {
            parts.append(.text(String(rest[..<open])))
            let name = rest[rest.index(after: open)...].prefix { $0 != "}" }
            guard names.contains(String(name)), name.endIndex < rest.endIndex else {
                throw .unknownPlaceholder(String(name), known: names)
            }
            parts.append(.placeholder(String(name)))
            rest = rest[rest.index(after: name.endIndex)...]
        }
        return parts + [.text(String(rest))]
    }

    var lineCount: Int { lines.count }

    /// The lines for an image. Lines with placeholders whose value is unknown are omitted.
    func lines(name: String, path: String, facts: ImageFacts?) -> [String] {
        lines.compactMap { parts in
            var line = ""
            for part in parts {
                switch part {
                case .text(let text): line += text
                case .placeholder("name"): line += name
                case .placeholder("path"): line += path
                case .placeholder(let fact):
                    guard let facts else { return nil }
                    line += facts.text(of: fact)
                }
            }
            return line
        }
    }
}

extension ImageFacts {
    fileprivate func text(of fact: String) -> String {
        switch fact {
        case "width": "\(size.width)"
        case "height": "\(size.height)"
        case "bytes": ByteCountText.text(byteCount)
        default: format.displayName
        }
    }
}

/// Formats byte counts for display.
package enum ByteCountText {
    /// Formats a byte count in decimal units: 812 B, 41.2 KB, 412 KB, 3.6 MB.
    package static func text(_ count: Int) -> String {
        var value = Double(count)
        var unit = "B"
        for next in ["KB", "MB", "GB"] where value >= 999.5 { (value, unit) = (value / 1000, next) }
        if unit == "B" { return "\(count) B" }
        if value >= 99.95 { return "\(Int(value.rounded())) \(unit)" }
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) \(unit)"
    }
}
