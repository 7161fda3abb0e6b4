/// A place in a rectangle: a corner, the middle of a side, or the centre.
public enum Gravity: String, CaseIterable, Codable, Sendable {
    /// The top left corner.
    case northwest
    /// The middle of the top.
    case north
    /// The top right corner.
    case northeast
    /// The middle of the left side.
    case west
    /// The centre.
    case center
    /// The middle of the right side.
    case east
    /// The bottom left corner.
    case southwest
    /// The middle of the bottom.
    case south
    /// The bottom right corner.
    case southeast
}
