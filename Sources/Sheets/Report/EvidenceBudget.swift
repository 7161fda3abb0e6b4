/// Limits on the images of one entry, so that browsers load the page quickly.
struct EvidenceBudget: Sendable, Hashable {
    /// The longest side of the scaled-down image in pixels.
    var wholeSide: Int
    /// The side of the detail in pixels; `nil` for no detail.
    var detailSide: Int?
    /// The JPEG quality of the detail; `nil` for lossless PNG.
    var detailQuality: Int?
    /// The bytes planned for an entry; its detail is omitted if it takes three times as much.
    var byteLimit: Int

    /// The limit for all entries together, in bytes.
    static let pageBytes = 24_000_000

    /// Measured on photographs: a scaled-down pair takes about 1/3 byte per pixel, a PNG detail 4, a JPEG detail 1.5.
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

    /// Returns the budget for a number of images; `nil` if there are too many to show any.
    static func forImages(_ count: Int) -> EvidenceBudget? {
        let share = pageBytes / max(count, 1)
        return steps.first { $0.byteLimit <= share }
    }
}
