extension PixelBuffer {
    /// Returns the image with its longer side reduced to at most `side` pixels, and the other one in proportion.
    ///
    /// - Throws: `resultTooLarge`, `outOfMemory`.
    func reduced(toSide side: Int, linearLight: Bool = false) throws(PixelBufferError) -> PixelBuffer {
        let longest = max(width, height)
        guard longest > side else { return self }
        func scaled(_ length: Int) -> Int {
            max(1, Int((Double(length) * Double(side) / Double(longest)).rounded()))
        }
        return try resized(
            to: PixelSize(width: scaled(width), height: scaled(height)), filter: .box, linearLight: linearLight)
    }
}
