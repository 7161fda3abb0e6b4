/// The orientation of an image: the eight values of EXIF tag 0x0112 (CIPA DC-008, 4.6.5.1.6).
///
/// Each name is the operation on the stored pixels that gives the displayed image.
public enum Orientation: Int, Sendable, Hashable, Codable, CaseIterable {
    /// No change.
    case identity = 1
    /// Left and right exchanged.
    case flippedHorizontally = 2
    /// Half a turn.
    case rotated180 = 3
    /// Top and bottom exchanged.
    case flippedVertically = 4
    /// Mirrored at the main diagonal: rows become columns.
    case transposed = 5
    /// A quarter turn clockwise.
    case rotated90 = 6
    /// Mirrored at the other diagonal.
    case transversed = 7
    /// A quarter turn counter-clockwise.
    case rotated270 = 8

    /// Whether width and height are exchanged.
    public var swapsSides: Bool { rawValue >= 5 }

    /// The operation as a transposition (or none), then mirrored columns, then mirrored rows.
    private var moves: (transposes: Bool, mirrorsX: Bool, mirrorsY: Bool) {
        switch self {
        case .identity: (false, false, false)
        case .flippedHorizontally: (false, true, false)
        case .rotated180: (false, true, true)
        case .flippedVertically: (false, false, true)
        case .transposed: (true, false, false)
        case .rotated90: (true, true, false)
        case .transversed: (true, true, true)
        case .rotated270: (true, false, true)
        }
    }

    /// Whether rows and columns are exchanged.
    public var transposes: Bool { moves.transposes }
    /// Whether columns are mirrored, after the transposition.
    public var mirrorsX: Bool { moves.mirrorsX }
    /// Whether rows are mirrored, after the transposition.
    public var mirrorsY: Bool { moves.mirrorsY }

    private init(transposes: Bool, mirrorsX: Bool, mirrorsY: Bool) {
        self =
            switch (transposes, mirrorsX, mirrorsY) {
            case (false, false, false): .identity
            case (false, true, false): .flippedHorizontally
            case (false, true, true): .rotated180
            case (false, false, true): .flippedVertically
            case (true, false, false): .transposed
            case (true, true, false): .rotated90
            case (true, true, true): .transversed
            case (true, false, true): .rotated270
            }
    }

    /// Returns this operation followed by `next`, as one operation.
    public func followed(by next: Orientation) -> Orientation {
        let (first, second) = (moves, next.moves)
        // A transposition exchanges the mirrors before it.
        let x = second.transposes ? first.mirrorsY : first.mirrorsX
        let y = second.transposes ? first.mirrorsX : first.mirrorsY
        return Orientation(
            transposes: first.transposes != second.transposes,
            mirrorsX: x != second.mirrorsX, mirrorsY: y != second.mirrorsY)
    }

    /// The operation that reverses this one.
    public var inverse: Orientation {
        switch self {
        case .rotated90: .rotated270
        case .rotated270: .rotated90
        default: self
        }
    }

    /// Returns the size of an image of `size` after this operation.
    public func applied(to size: PixelSize) -> PixelSize { swapsSides ? size.transposed : size }
}
