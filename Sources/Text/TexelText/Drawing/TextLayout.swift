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
        let glyphs = Self.lines(of: options.text, width: options.width, font).map {
            font.line($0.characters, of: $0.paragraph)
        }
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
                switch (options.alignment, line.isRightToLeft) {
                case (.left, _), (.start, false), (.end, true): 0
                case (.center, _): free / 2
                case (.right, _), (.start, true), (.end, false): free
                }
            return Line(glyphs: line, x: x + margin << 6, y: index * distance - top + margin)
        }
        size = PixelSize(width: max(1, (widest + 63) >> 6) + 2 * margin, height: bottom - top + 2 * margin)
    }

    /// Divides a text at line breaks and, if there is a width, where lines become too wide.
    static func lines(
        of text: String, width: Int?, _ font: TextFont
    ) -> [(paragraph: Paragraph, characters: Range<Int>)] {
        text.replacing("\t", with: " ").split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .flatMap { text in
                let paragraph = font.paragraph(text)
                let lines =
                    width.map { LineBreaker(paragraph, font, width: $0 << 6).lines() } ?? [paragraph.characters.indices]
                return lines.map { (paragraph, $0) }
            }
    }
}

extension TextOptions {
    /// The distance from the text to the edges of the image in pixels, outline included.
    fileprivate var margin: Int {
        let padding = padding ?? (background == nil ? 0 : (size + 2) / 4)
        return padding + Int((outline?.width ?? 0).rounded(.up))
    }
}
