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
    /// Returns the offset of a part of an image whose free space is not in whole pixels.
    func offset(width: Double, height: Double) -> (x: Double, y: Double) {
        // The place of a pixel among three is the number of halves of the free space before it.
        let halves = rectangle(of: PixelSize(width: 1, height: 1), in: PixelSize(width: 3, height: 3))
        return (width * Double(halves.x) / 2, height * Double(halves.y) / 2)
    }
}
