/// How urgent a piece of work is beside others.
public enum Priority: Int, Sendable, Hashable, CaseIterable, Comparable {
    /// When nobody else wants anything: prefetching.
    case veryLow
    case low
    case normal
    case high
    /// Somebody looks at the empty place.
    case veryHigh

    public static func < (first: Priority, second: Priority) -> Bool { first.rawValue < second.rawValue }
}
