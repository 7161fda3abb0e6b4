import Texel
import TexelSheets

/// The size of a cell: one side, or WIDTHxHEIGHT.
struct CellArgument: ArgumentValue, CustomStringConvertible {
    let size: PixelSize

    init(side: Int) { size = PixelSize(width: side, height: side) }

    init?(argument: String) {
        let sides = argument.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard sides.count <= 2, let width = sides.first ?? nil, let height = sides.last ?? nil,
            (1...16_384).contains(width), (1...16_384).contains(height)
        else { return nil }
        size = PixelSize(width: width, height: height)
    }

    var description: String { size.width == size.height ? "\(size.width)" : "\(size.width)x\(size.height)" }
}

/// A width in pixels, optionally with a comma and a colour.
struct FrameArgument: ArgumentValue {
    let frame: SheetStyle.Frame

    init?(argument: String) {
        let parts = argument.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let width = Int(first), (1...1000).contains(width) else { return nil }
        guard let color = PixelColor(argument: parts.count == 2 ? String(parts[1]) : "gray") else { return nil }
        frame = SheetStyle.Frame(width: width, color: color)
    }
}
