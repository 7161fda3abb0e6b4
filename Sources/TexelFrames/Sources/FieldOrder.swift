/// Which field of an interlaced frame is shown first.
///
/// An interlaced frame stores two images, half a frame's duration apart: the top field in its even rows, counted from
/// 0, and the bottom field in its odd rows.
public enum FieldOrder: String, Sendable, Hashable {
    /// The even rows are shown first, as in most video of 1080 rows and in PAL.
    case topFirst
    /// The odd rows are shown first, as in DV.
    case bottomFirst
}
