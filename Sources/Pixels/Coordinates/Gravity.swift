/// The edge, corner or centre of an image at which something is placed.
public enum Gravity: String, Sendable, Hashable, Codable, CaseIterable {
    case northwest, north, northeast
    case west, center, east
    case southwest, south, southeast

    /// -1 at the left or upper edge, 1 at the right or lower edge, 0 in the middle.
    private var direction: (x: Int, y: Int) {
        switch self {
        case .northwest: (-1, -1)
        case .north: (0, -1)
        case .northeast: (1, -1)
        case .west: (-1, 0)
        case .center: (0, 0)
        case .east: (1, 0)
        case .southwest: (-1, 1)
        case .south: (0, 1)
        case .southeast: (1, 1)
        }
    }

    /// Returns the position of a box in another box, of which it may be partly or entirely outside.
    ///
    /// - Parameters:
    ///   - size: the size of the box that is placed.
    ///   - bounds: the size of the other box. On an axis on which the gravity is in the middle and the difference of
    ///     the sizes is odd, the odd pixel is on the right or at the bottom.
    ///   - offset: how far the box is moved from the edges that the gravity names, inwards. On an axis on which it
    ///     names none, to the right or downwards.
    public func rectangle(
        of size: PixelSize, in bounds: PixelSize, offset: (x: Int, y: Int) = (0, 0)
    ) -> PixelRectangle {
        func position(_ direction: Int, _ offset: Int, _ free: Int) -> Int {
            // A shift rounds down, also if the box is the larger one.
            switch direction {
            case -1: offset
            case 1: free - offset
            default: free >> 1 + offset
            }
        }
        return PixelRectangle(
            x: position(direction.x, offset.x, bounds.width - size.width),
            y: position(direction.y, offset.y, bounds.height - size.height), width: size.width, height: size.height)
    }
}
