import Texel

/// A crop in the form WIDTHxHEIGHT+X+Y, or WIDTHxHEIGHT, whose place another option gives.
enum CropArgument: ArgumentValue {
    case rectangle(PixelRectangle)
    case size(PixelSize)

    init?(argument: String) {
        let parts = argument.split(separator: "+", omittingEmptySubsequences: false)
        guard let size = parts.first.flatMap({ SizeArgument(argument: String($0)) })?.size else { return nil }
        switch parts.count {
        case 1: self = .size(size)
        case 3:
            guard let x = Int(parts[1]), let y = Int(parts[2]), x >= 0, y >= 0 else { return nil }
            self = .rectangle(PixelRectangle(x: x, y: y, width: size.width, height: size.height))
        default: return nil
        }
    }
}

extension AspectRatio: ArgumentValue {
    /// A ratio in the form WIDTH:HEIGHT.
    init?(argument: String) {
        let sides = argument.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1],
            (1...100_000).contains(width), (1...100_000).contains(height)
        else { return nil }
        self.init(width, height)
    }
}

extension CropAnchor: NamedArgument {}

/// A size in the form WIDTHxHEIGHT.
struct SizeArgument: ArgumentValue {
    let size: PixelSize

    init?(argument: String) {
        let sides = argument.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1], width > 0, height > 0 else { return nil }
        size = PixelSize(width: width, height: height)
    }
}
