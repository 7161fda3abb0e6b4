public import TexelCore
public import TexelPixels

extension TextOptions {
    /// The most characters of a text.
    private static let characterLimit = 65_536

    /// The largest size of the em square, and of the padding, in pixels.
    private static let sizeLimit = 10_000

    /// The most pixels of an image of a text.
    private static let pixelLimit = 1 << 26

    /// The most pixels of all glyphs, which may overlap in any number.
    private static let glyphPixelLimit = 1 << 29

    /// Draws the text.
    ///
    /// - Returns: An image in sRGB with straight alpha, as large as the lines with outline and padding.
    /// - Throws: `TexelError`.
    public func rendered() throws(TexelError) -> PixelBuffer { try drawn().image }

    /// Draws the text, and says what could not be drawn as it should be.
    ///
    /// - Returns: The image, as ``rendered()`` returns it, and warnings, such as characters that no font has.
    /// - Throws: `TexelError`.
    public func drawn() throws(TexelError) -> (image: PixelBuffer, warnings: [TextWarning]) {
        try check()
        let font = try TextFont(font, size: size)
        let image = try image(font)
        return (image, font.warnings)
    }

    /// Draws the text in an opened font.
    private func image(_ font: TextFont) throws(TexelError) -> PixelBuffer {
        let layout = TextLayout(self, font)
        guard let pixelCount = layout.size.pixelCount, pixelCount <= Self.pixelLimit else {
            throw .textTooLarge(layout.size)
        }
        var image = try PixelBuffer(
            width: layout.size.width, height: layout.size.height, filledWith: background?.pixel ?? 0)
        if let outline { Self.coverage(of: outline, layout, font).paint(outline.color, on: &image) }
        Self.coverage(of: layout, font, stroked: nil).paint(color, on: &image)
        for line in layout.lines {
            font.forEachGlyph(of: line.glyphs, movedBy: line.x) { glyph, x, y in
                if glyph.ink != .text { glyph.paint(on: &image, x: x, y: line.y + y, color) }
            }
        }
        return image
    }

    /// Returns the coverage of lines along the edges of letters. They extend as far to the inside, below the fill.
    private static func coverage(of outline: Outline, _ layout: TextLayout, _ font: TextFont) -> CoveragePlane {
        var plane = coverage(of: layout, font, stroked: max(1, Int((outline.width * 64).rounded())))
        // FreeType leaves gaps in lines that are wider than the curves that they follow, as in the holes of letters.
        // The discs along the edge are at least a pixel from the outer edge, which stays smooth.
        let radius = outline.width - 1
        if radius > 0 {
            for line in layout.lines {
                font.forEachOutlinePoint(of: line.glyphs, movedBy: line.x, spacing: max(1, radius / 4)) { x, y in
                    plane.addDisc(x: x, y: Double(line.y) + y, radius: radius)
                }
            }
        }
        return plane
    }

    private static func coverage(of layout: TextLayout, _ font: TextFont, stroked radius: Int?) -> CoveragePlane {
        var plane = CoveragePlane(layout.size)
        for line in layout.lines {
            font.forEachGlyph(of: line.glyphs, movedBy: line.x, stroked: radius) { glyph, x, y in
                if glyph.ink == .text { plane.add(glyph, x: x, y: line.y + y) }
            }
        }
        return plane
    }

    /// Checks the values of the options.
    private func check() throws(TexelError) {
        func check(_ name: String, _ value: String, _ isAllowed: Bool, _ allowed: String) throws(TexelError) {
            if !isAllowed { throw .invalidParameter(name, value: value, allowed: allowed) }
        }
        try check("text", "empty", !text.isEmpty, "at least one character")
        let count = text.unicodeScalars.count
        try check(
            "text", "\(count) characters", count <= Self.characterLimit, "at most \(Self.characterLimit) characters")
        try check("size", "\(size)", (1...Self.sizeLimit).contains(size), "from 1 to \(Self.sizeLimit)")
        if let outline {
            try check(
                "outline.width", "\(outline.width)", outline.width > 0 && outline.width <= 1000,
                "more than 0 and at most 1000")
        }
        if let width { try check("width", "\(width)", (1...1_000_000).contains(width), "from 1 to 1000000") }
        try check("lineSpacing", "\(lineSpacing)", (0.1...10).contains(lineSpacing), "from 0.1 to 10")
        if let padding {
            try check("padding", "\(padding)", (0...Self.sizeLimit).contains(padding), "from 0 to \(Self.sizeLimit)")
        }
        let side = size + 2 * Int((outline?.width ?? 0).rounded(.up))
        try check(
            "text", "\(count) characters", count * side * side <= Self.glyphPixelLimit,
            "at most \(Self.glyphPixelLimit / (side * side)) characters at this size")
    }
}
