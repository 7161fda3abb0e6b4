/// The meaning of a quality in libwebp's numbers.
enum WebPQuality {
    /// For qualities of the scale that all formats share, the quality of libwebp with the same SSIMULACRA2 score as
    /// Texel's JPEG: the means over seven photographs. libwebp reaches the score of a JPEG's 97.
    private static let table: [(quality: Double, own: Double)] = [
        (0, 0), (10, 0), (20, 13.6), (30, 29.8), (40, 43.7), (50, 54.7), (60, 65.4), (70, 76.8), (75, 79.3), (80, 83.1),
        (85, 86.4), (90, 90.4), (95, 96.4), (97.5, 100), (100, 100),
    ]

    /// Returns libwebp's quality, interpolated between two entries of the table.
    static func own(_ quality: Int) -> Float {
        let quality = Double(quality)
        let next = max(1, table.firstIndex { $0.quality >= quality } ?? table.count - 1)
        let (low, high) = (table[next - 1], table[next])
        let part = (quality - low.quality) / (high.quality - low.quality)
        return Float(low.own + part * (high.own - low.own))
    }
}
