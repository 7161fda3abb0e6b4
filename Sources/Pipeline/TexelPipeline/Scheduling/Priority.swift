/// The priority of work relative to other work in the same queue.
public enum Priority: Int, Sendable, Hashable, CaseIterable, Comparable {
    /// For work that may wait for all other work, such as prefetching.
    case veryLow
    case low
    case normal
    case high
    /// For an image whose empty place is visible now.
    case veryHigh

    public static func < (first: Priority, second: Priority) -> Bool { first.rawValue < second.rawValue }
}
