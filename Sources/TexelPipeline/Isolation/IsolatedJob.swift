import TexelCodecs
import TexelPixels

/// What a child is asked; the bytes of the picture come beside it, as a descriptor.
enum IsolatedRequest: Codable {
    case header(limits: Limits)
    case work(IsolatedWork)
}

/// Recipes that are to be carried out on one picture.
struct IsolatedWork: Codable, Sendable {
    enum Kind: Codable, Sendable {
        case pixels, file
    }

    /// A recipe, and what its plan was; the child comes to the same one.
    struct Order: Codable, Sendable {
        var recipe: Recipe
        var format: ImageFormat
        var shrink: Int
    }

    var kind: Kind
    var orders: [Order]
    /// What plans may choose from.
    var routes: [Route]
    var limits: Limits
    var strictness: Strictness
}

/// What a child answers. The bytes of results are in the memory that both share, one result behind the other.
enum IsolatedReply: Codable {
    /// It has given up its privileges.
    case ready
    case header(ImageInfo)
    case results([Outcome])
    case failed(Failure)

    enum Outcome: Codable {
        /// Without its bytes, of which there are so many.
        case file(EncodedImage, byteCount: Int)
        case pixels(PixelHead)
        case failed(Failure)
    }

    /// A picture but for its pixels, which have no padding.
    struct PixelHead: Codable {
        var size: PixelSize
        var alphaMode: AlphaMode
        var colorSpace: ColorSpace
    }

    /// The errors that work in memory can end with.
    enum Failure: Codable {
        case codec(CodecError)
        case pixels(PixelBufferError)
        case target(TargetError)
        case notLossless(String)

        /// - Parameter error: not one of files, transfers, sources or children, which do not occur in a child.
        init(_ error: PipelineError) {
            self =
                switch error {
                case .codec(let error): .codec(error)
                case .pixels(let error): .pixels(error)
                case .target(let error): .target(error)
                case .notLossless(let reason): .notLossless(reason)
                case .file, .transfer, .source, .isolation: .codec(.unsupported("\(error)"))
                }
        }

        var error: PipelineError {
            switch self {
            case .codec(let error): .codec(error)
            case .pixels(let error): .pixels(error)
            case .target(let error): .target(error)
            case .notLossless(let reason): .notLossless(reason)
            }
        }
    }
}

extension ImageInfo {
    /// Whether a sound header could say this, so that planning can count on it.
    func isPlausible(within limits: Limits) -> Bool {
        size.isPositive && (try? limits.check(size)) != nil && frameCount > 0 && (1...16).contains(bitDepth)
            && coefficientLayout?.isPlausible ?? true && quantization?.isValid ?? true
    }
}

extension CoefficientLayout {
    /// Sampling factors are 1…4, so blocks begin together after 96 pixels at most; a coefficient takes two bytes.
    fileprivate var isPlausible: Bool {
        (1...96).contains(grid.width) && (1...96).contains(grid.height) && (0..<1 << 40).contains(byteCount)
    }
}
