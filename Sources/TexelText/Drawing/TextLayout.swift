import TexelPixels

/// The lines of a text and their places in an image that contains all of them, with outline and padding.
struct TextLayout {
    struct Line {
        var glyphs: GlyphLine
        /// The left edge in 64ths of a pixel.
        var x: Int
        /// The top in pixels.
        var y: Int
    }

    let lines: [Line]
    /// The size of the image in pixels.
    let size: PixelSize

    /// Breaks a text into lines and places them.
    init(_ options: TextOptions, _ font: TextFont) {
        let text = options.text.replacing("\t", with: " ")
        let glyphs = Self.lines(of: text, width: options.width, font).map { font.line($0) }
        let widest = glyphs.map(\.extent.width).max() ?? 0
        let distance = max(1, Int((Double(font.lineHeight) * options.lineSpacing).rounded()))
        // Letters may be taller than their line, those of fallback fonts for instance.
        let places = glyphs.enumerated().map { (index, line) in
            let baseline = index * distance + font.ascent
            return (top: baseline - (line.extent.top + 63) >> 6, bottom: baseline + (63 - line.extent.bottom) >> 6)
        }
        let top = min(0, places.map(\.top).min() ?? 0)
        let bottom = max((glyphs.count - 1) * distance + font.lineHeight, places.map(\.bottom).max() ?? 0)
        let margin = options.margin
        lines = glyphs.enumerated().map { (index, line) in
            let free = widest - line.extent.width
            let x =
                switch options.alignment {
                case .left: 0
                case .center: free / 2
                case .right: free
                }
            return Line(glyphs: line, x: x + margin << 6, y: index * distance - top + margin)
        }
        size = PixelSize(width: max(1, (widest + 63) >> 6) + 2 * margin, height: bottom - top + 2 * margin)
    }

    // MARK: Breaking lines

    /// Divides a text at line breaks and, if there is a width, where lines become too wide.
    static func lines(of text: String, width: Int?, _ font: TextFont) -> [Substring] {
        let paragraphs = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        guard let width else { return paragraphs }
        return paragraphs.flatMap { broken($0, width: width << 6, font) }
    }

    /// Divides a paragraph into lines, of which each has as many words as fit.
    ///
    /// Each character is measured at most three times: in the line that became too wide, in the next one, and in the
    /// one after that if it is the first character of a part of a word.
    private static func broken(_ text: Substring, width: Int, _ font: TextFont) -> [Substring] {
        var lines: [Substring] = []
        var (start, index) = (text.startIndex, text.startIndex)
        var extent = LineExtent()
        // The last run of spaces at which the line can be broken. Those before its first word belong to that word.
        var gap: Range<Substring.Index>?
        var hasWord = false
        while index < text.endIndex {
            let next = text.index(after: index)
            var longer = extent
            font.add(text[index..<next], to: &longer)
            if text[index] == " " {
                if let last = gap, last.upperBound == index {
                    gap = last.lowerBound..<next
                } else if hasWord {
                    gap = index..<next
                }
            } else if longer.width > width, index > start {
                lines.append(text[start..<(gap?.lowerBound ?? index)])
                start = gap?.upperBound ?? index
                (index, extent, gap, hasWord) = (start, LineExtent(), nil, false)
                continue
            } else {
                hasWord = true
            }
            extent = longer
            index = next
        }
        lines.append(text[start...])
        return lines.map(\.withoutTrailingSpaces)
    }
}

extension TextOptions {
    /// The distance from the text to the edges of the image in pixels, outline included.
    fileprivate var margin: Int {
        let padding = padding ?? (background == nil ? 0 : (size + 2) / 4)
        return padding + Int((outline?.width ?? 0).rounded(.up))
    }
}

extension Substring {
    fileprivate var withoutTrailingSpaces: Substring {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
