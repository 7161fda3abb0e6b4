/// Which part of an image a crop of a given size keeps.
public enum CropAnchor: Sendable, Hashable {
    /// The part at a corner, at a side, or in the centre.
    case gravity(Gravity)
    /// The part with the most edges, saturated colours and skin.
    case attention
    /// The part whose luma has the largest entropy.
    case entropy

    /// The centre.
    public static let center = CropAnchor.gravity(.center)
}

extension CropAnchor: RawRepresentable, Codable {
    /// Creates an anchor from the name of a gravity, `attention` or `entropy`; `nil` if it is another name.
    public init?(rawValue: String) {
        switch rawValue {
        case "attention": self = .attention
        case "entropy": self = .entropy
        default:
            guard let gravity = Gravity(rawValue: rawValue) else { return nil }
            self = .gravity(gravity)
        }
    }

    /// The name.
    public var rawValue: String {
        switch self {
        case .gravity(let gravity): gravity.rawValue
        case .attention: "attention"
        case .entropy: "entropy"
        }
    }
}

extension CropAnchor: CaseIterable {
    /// All anchors: the gravities first.
    public static let allCases = Gravity.allCases.map(CropAnchor.gravity) + [attention, entropy]
}

extension Gravity {
    /// The halves of the free space on the left and above: 0, 1 or 2.
    private var halves: (left: Int, above: Int) {
        switch self {
        case .northwest: (0, 0)
        case .north: (1, 0)
        case .northeast: (2, 0)
        case .west: (0, 1)
        case .center: (1, 1)
        case .east: (2, 1)
        case .southwest: (0, 2)
        case .south: (1, 2)
        case .southeast: (2, 2)
        }
    }

    /// Returns where a rectangle is in an image that is not smaller. The odd pixel is on the right and below.
    package func rectangle(_ size: PixelSize, in image: PixelSize) -> PixelRectangle {
        PixelRectangle(
            x: (image.width - size.width) * halves.left / 2, y: (image.height - size.height) * halves.above / 2,
            width: size.width, height: size.height)
    }

    /// Returns the offset of a part of an image whose free space is not in whole pixels.
    func offset(width: Double, height: Double) -> (x: Double, y: Double) {
        (width * Double(halves.left) / 2, height * Double(halves.above) / 2)
    }
}
