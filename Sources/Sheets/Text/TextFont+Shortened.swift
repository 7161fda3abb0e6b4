import TexelText

extension TextFont {
    /// Shortens a text in the middle until it fits a width in pixels. A file name extension is kept if possible.
    func shortened(_ text: String, to width: Int) -> String {
        if self.width(of: text[...]) <= width { return text }
        let count = text.count
        let fileExtension = text.lastIndex(of: ".").map { text.distance(from: $0, to: text.endIndex) } ?? 0
        func shortened(keeping kept: Int) -> String {
            let tail = min(kept, max(kept / 2, fileExtension <= 8 ? fileExtension + 2 : 0))
            return "\(text.prefix(kept - tail))…\(text.suffix(tail))"
        }
        // Binary search for the number of characters that fit.
        var (fitting, tooMany) = (0, count)
        while tooMany - fitting > 1 {
            let middle = (fitting + tooMany) / 2
            if self.width(of: shortened(keeping: middle)[...]) <= width { fitting = middle } else { tooMany = middle }
        }
        return fitting > 0 ? shortened(keeping: fitting) : ""
    }
}
