/// The time that the search takes for a file that is compressed again. The larger the image, the less is tried, so that
/// no image takes much longer than a minute on one core.
///
/// It is estimated from the size and not measured, because the result must not depend on the machine.
struct PNGTime {
    /// Parts of the search. Each takes so many nanoseconds for each filtered byte of a photograph (one core of 2026),
    /// filtering included.
    enum Work: Int, CaseIterable {
        /// Several candidates are compressed fully, and the best one at level 12.
        case comparing = 640
        case level12 = 330
        case level10 = 200
        /// Matches are chosen anew in several passes; for repetitive images.
        case choosing = 190
        case level9 = 135
    }

    private static let nanoseconds = 60_000_000_000

    let filteredByteCount: Int

    init(filteredByteCount: Int) { self.filteredByteCount = filteredByteCount }

    init(for candidate: PNGSearch.Candidate) { self.init(filteredByteCount: candidate.stream.filteredByteCount) }

    func allows(_ work: Work) -> Bool { filteredByteCount <= Self.nanoseconds / work.rawValue }
}
