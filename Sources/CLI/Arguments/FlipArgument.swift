import Texel

/// `h` or `v`, or the full word.
enum FlipArgument: String, NamedArgument {
    case h, v

    init?(argument: String) {
        switch argument.lowercased() {
        case "h", "horizontal": self = .h
        case "v", "vertical": self = .v
        default: return nil
        }
    }

    var axis: FlipAxis {
        switch self {
        case .h: .horizontal
        case .v: .vertical
        }
    }
}
