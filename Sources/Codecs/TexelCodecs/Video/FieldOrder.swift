/// Which field of an interlaced frame is shown first. The top field has the rows 0, 2, 4 ….
public enum FieldOrder: String, Sendable, Hashable, Codable {
    /// The field with the first row.
    case topFirst
    /// The field with the second row.
    case bottomFirst
}
