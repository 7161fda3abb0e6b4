import Texel
import TexelFilters

extension Gravity: NamedArgument {}
extension BlendMode: NamedArgument {}

/// A distance in the form X,Y, in pixels.
struct OffsetArgument: ArgumentValue, Hashable {
    let x: Int
    let y: Int

    init?(argument: String) {
        let numbers = argument.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 2, let x = numbers[0], let y = numbers[1],
            abs(x) <= 1_000_000, abs(y) <= 1_000_000
        else { return nil }
        self.x = x
        self.y = y
    }
}

/// A border in the form WIDTH[,COLOR].
struct BorderArgument: ArgumentValue {
    let width: Int
    let color: PixelColor

    init?(argument: String) {
        let parts = argument.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let color = parts.count == 2 ? PixelColor(argument: parts[1]) : .black
        guard let width = Int(parts[0]), (1...100_000).contains(width), let color else { return nil }
        self.width = width
        self.color = color
    }
}

/// How corners are rounded: a radius in pixels, a percentage of the shorter side, or `circle`.
enum RoundArgument: ArgumentValue {
    case corners(CornerRadius)
    case circle

    init?(argument: String) {
        if argument == "circle" {
            self = .circle
        } else if argument.hasSuffix("%") {
            guard let percentage = Double(argument.dropLast()), (0...50).contains(percentage) else { return nil }
            self = .corners(.fractionOfShorterSide(percentage / 100))
        } else {
            guard let radius = Double(argument), (0...100_000).contains(radius) else { return nil }
            self = .corners(.pixels(radius))
        }
    }

    var operation: PixelOperation {
        switch self {
        case .corners(let radius): .round(radius)
        case .circle: .circle
        }
    }
}

/// A drop shadow in the form SIGMA[,X,Y].
struct ShadowArgument: ArgumentValue {
    let sigma: Double
    let x: Int
    let y: Int

    init?(argument: String) {
        let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
        let offset = parts.count == 3 ? parts[1...].map { Int($0) } : [0, 0]
        guard parts.count == 1 || parts.count == 3, let sigma = Double(parts[0]), (0...1000).contains(sigma),
            let x = offset[0], let y = offset[1], abs(x) <= 100_000, abs(y) <= 100_000
        else { return nil }
        self.sigma = sigma
        self.x = x
        self.y = y
    }
}

/// Distances from edges, in pixels, in the order of CSS: ALL, VERTICAL,HORIZONTAL or TOP,RIGHT,BOTTOM,LEFT.
struct EdgesArgument: ArgumentValue {
    let top: Int
    let right: Int
    let bottom: Int
    let left: Int

    init?(argument: String) {
        let numbers = argument.split(separator: ",", omittingEmptySubsequences: false).compactMap { Int($0) }
        guard numbers.count == argument.count(where: { $0 == "," }) + 1,
            numbers.allSatisfy((0...100_000).contains)
        else { return nil }
        switch numbers.count {
        case 1: (top, right, bottom, left) = (numbers[0], numbers[0], numbers[0], numbers[0])
        case 2: (top, right, bottom, left) = (numbers[0], numbers[1], numbers[0], numbers[1])
        case 4: (top, right, bottom, left) = (numbers[0], numbers[1], numbers[2], numbers[3])
        default: return nil
        }
    }
}

/// The content of added pixels: a colour, `edge`, `mirror`, `wrap`, or `blur[,SIGMA]`.
struct ExtendFillArgument: ArgumentValue {
    let fill: ExtendOptions.Fill

    /// The standard deviation of `blur` without a number, in pixels.
    private static let defaultSigma = 30.0

    init?(argument: String) {
        let words = argument.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
        switch words.first {
        case "edge" where words.count == 1: fill = .edge
        case "mirror" where words.count == 1: fill = .mirror
        case "wrap" where words.count == 1: fill = .wrap
        case "blur":
            let sigma = words.count == 2 ? Double(words[1]) : Self.defaultSigma
            guard let sigma, (0...1000).contains(sigma) else { return nil }
            fill = .blurredBackground(sigma: sigma)
        default:
            guard let color = PixelColor(argument: argument) else { return nil }
            fill = .color(color)
        }
    }
}
