/// How large the pictures of one entry may be, so that the page stays one that a browser opens at once.
struct EvidenceBudget: Sendable, Hashable {
    /// The longest side of the whole picture, shrunk.
    var wholeSide: Int
    /// The side of the detail; `nil` has none.
    var detailSide: Int?
    /// A JPEG's quality; `nil` loses nothing.
    var detailQuality: Int?
    /// Above it an entry goes without its detail.
    var byteLimit: Int

    /// All entries together.
    static let pageBytes = 24_000_000

    /// Measured on photographs: a shrunk pair takes about a third of a byte a pixel, a detail as PNG four, as JPEG one
    /// and a half.
    private static let steps = [
        EvidenceBudget(wholeSide: 1024, detailSide: 384, detailQuality: nil, byteLimit: 880_000),
        EvidenceBudget(wholeSide: 800, detailSide: 320, detailQuality: nil, byteLimit: 600_000),
        EvidenceBudget(wholeSide: 560, detailSide: 256, detailQuality: nil, byteLimit: 360_000),
        EvidenceBudget(wholeSide: 400, detailSide: 192, detailQuality: nil, byteLimit: 200_000),
        EvidenceBudget(wholeSide: 400, detailSide: 192, detailQuality: 95, byteLimit: 100_000),
        EvidenceBudget(wholeSide: 320, detailSide: 160, detailQuality: 95, byteLimit: 60_000),
        EvidenceBudget(wholeSide: 280, detailSide: 128, detailQuality: 95, byteLimit: 45_000),
        EvidenceBudget(wholeSide: 240, detailSide: 96, detailQuality: 95, byteLimit: 30_000),
        EvidenceBudget(wholeSide: 200, detailSide: nil, detailQuality: 95, byteLimit: 10_000),
    ]

    /// - Returns: `nil` where there are so many pictures that none can be shown.
    static func forPictures(_ count: Int) -> EvidenceBudget? {
        let share = pageBytes / max(count, 1)
        return steps.first { $0.byteLimit <= share }
    }
}
