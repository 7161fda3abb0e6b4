import TexelCodecs
import TexelFormats
import TexelOperations
import TexelPixels

/// Whether a recipe can be carried out by moving coefficients, and if not, why.
enum LosslessTransform: Sendable, Hashable {
    case possible(CoefficientMove)
    /// Pixels are only moved or cropped, but the coefficients cannot be moved accordingly.
    case impossible(Obstacle)
    /// Pixels are mixed or compressed, or the input has no coefficients that can be moved or the output another format.
    case inapplicable

    /// The reason why coefficients cannot be moved.
    enum Obstacle: Sendable, Hashable {
        case edge(CoefficientMove.UnalignedEdge)
        case color
        case quality
        case target
        case subsampling
    }

    /// - Parameters:
    ///   - load: the part of the stored image that is read.
    ///   - steps: the operations after the load.
    ///   - convertsColors: whether one of them converts the colours.
    init(
        _ load: PixelLoad, _ steps: [any RowStep], convertsColors: Bool, of info: ImageInfo, to format: ImageFormat,
        _ output: OutputOptions
    ) {
        guard let layout = info.coefficientLayout, format == info.format,
            !output.compresses || output.isLossless,
            case .decode(let rectangle) = load, let move = Self.move(rectangle, steps, info.alphaMode)
        else {
            self = .inapplicable
            return
        }
        if let obstacle = Self.obstacle(convertsColors: convertsColors, info, output) {
            self = .impossible(obstacle)
        } else if let edge = move.unalignedEdge(on: layout.grid) {
            let trimmed = output.trimsPartialBlocks ? move.trimmed(to: layout.grid) : nil
            self = trimmed.map { .possible($0) } ?? .impossible(.edge(edge))
        } else {
            self = .possible(move)
        }
    }

    /// Combines the steps into one move. Returns `nil` if one of them mixes pixels.
    private static func move(
        _ rectangle: PixelRectangle, _ steps: [any RowStep], _ alphaMode: AlphaMode
    ) -> CoefficientMove? {
        var move = CoefficientMove(rectangle, .identity)
        for step in steps {
            switch step {
            case let step as MoveStep: move.orientation = move.orientation.followed(by: step.orientation)
            case let step as CropStep:
                let kept = FractionalRectangle(step.rectangle).undoing(move.orientation, displayed: move.size)
                move.rectangle = PixelRectangle(
                    x: move.rectangle.x + Int(kept.x), y: move.rectangle.y + Int(kept.y), width: Int(kept.width),
                    height: Int(kept.height))
            case is ConvertColors: continue
            case _ where step.changesNothing(alphaMode): continue
            default: return nil
            }
        }
        return move
    }

    /// The first part of the recipe that requires coefficients other than the file's.
    private static func obstacle(convertsColors: Bool, _ info: ImageInfo, _ output: OutputOptions) -> Obstacle? {
        if convertsColors || info.isCMYK && output.namesColors { return .color }
        if output.quality != nil { return .quality }
        if output.target.isSet { return .target }
        return output.subsampling == .automatic ? nil : .subsampling
    }
}

extension LosslessTransform.Obstacle: CustomStringConvertible {
    var description: String {
        switch self {
        case .edge(let edge):
            "the \(edge.side.rawValue) edge as stored, at \(edge.position), is not aligned to \(edge.multiple) pixels"
        case .color: "the colours are converted"
        case .quality: "a quality is requested"
        case .target: "a score or a file size is requested"
        case .subsampling: "a chroma subsampling is requested"
        }
    }
}
