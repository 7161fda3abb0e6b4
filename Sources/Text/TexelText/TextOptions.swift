public import TexelPixels

/// A text and its appearance.
public struct TextOptions: Sendable, Hashable {
    /// A line along the edges of letters, below their fill.
    public struct Outline: Sendable, Hashable {
        /// How far it extends beyond the letters, in pixels: more than 0 and at most 1000.
        public var width: Double
        /// Its colour.
        public var color: PixelColor

        /// Creates an outline; a black one by default.
        public init(width: Double, color: PixelColor = .black) {
            self.width = width
            self.color = color
        }
    }

    /// The text, 1 to 65,536 characters. A line break starts a new line. The first letter of a line decides whether the
    /// line runs from left to right or from right to left.
    public var text: String
    /// A font file or a family; `nil` for the system's sans-serif font. Characters that it lacks are drawn in another
    /// installed font.
    public var font: String?
    /// The size of the em square in pixels, 1…10,000.
    public var size: Int
    /// The colour of letters.
    public var color: PixelColor
    /// The line along the edges of letters; `nil` for none. Emoji that are bitmaps have none.
    public var outline: Outline?
    /// The maximum width of a line in pixels; outline and padding are added to it. Longer lines are broken after spaces
    /// and hyphens and between characters of Chinese, Japanese and Korean, and words that are wider between characters.
    /// `nil` breaks lines only at line breaks.
    public var width: Int?
    /// Where lines begin or end that are shorter than the longest one.
    public var alignment: TextAlignment
    /// The distance between lines as a multiple of the font's own, 0.1…10.
    public var lineSpacing: Double
    /// The colour of the rectangle behind the text; `nil` for none.
    public var background: PixelColor?
    /// The distance from the text to the edges of the image in pixels, 0…10,000; `nil` for a quarter of the size with a
    /// background, and none without.
    public var padding: Int?

    /// Creates a text with its appearance; 32 pixels in white by default.
    public init(
        _ text: String, font: String? = nil, size: Int = 32, color: PixelColor = .white, outline: Outline? = nil,
        width: Int? = nil, alignment: TextAlignment = .start, lineSpacing: Double = 1, background: PixelColor? = nil,
        padding: Int? = nil
    ) {
        self.text = text
        self.font = font
        self.size = size
        self.color = color
        self.outline = outline
        self.width = width
        self.alignment = alignment
        self.lineSpacing = lineSpacing
        self.background = background
        self.padding = padding
    }
}

/// Where lines begin or end that are shorter than the longest line of a text.
public enum TextAlignment: String, Sendable, Hashable, Codable, CaseIterable {
    /// The side at which the line begins: left, or right if it runs from right to left.
    case start
    /// The middle.
    case center
    /// The side at which the line ends.
    case end
    /// The left side.
    case left
    /// The right side.
    case right
}
