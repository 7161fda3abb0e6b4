package import TexelCore
package import TexelPixels

/// The measure of how interesting a part of an image is.
package enum ContentMeasure: String, Sendable {
    case attention, entropy
}

/// The search for the most interesting part of images of one shape. Used by one thread at a time; running it allocates
/// nothing.
package final class ContentSearch {
    private enum Map {
        case attention(AttentionMap)
        case entropy(EntropyMap)
    }

    private let map: Map

    /// Allocates the memory.
    ///
    /// - Parameter part: the size of the part, at most that of the image.
    /// - Throws: `resultTooLarge`, `outOfMemory`.
    package init(
        _ measure: ContentMeasure, part: PixelSize, for shape: RasterShape
    ) throws(TexelError) {
        precondition(part.width <= shape.size.width && part.height <= shape.size.height, "\(part) is too large")
        switch measure {
        case .attention: map = .attention(try AttentionMap(part: part, for: shape))
        case .entropy: map = .entropy(try EntropyMap(part: part, for: shape))
        }
    }

    /// Returns the place of the part.
    ///
    /// - Parameter source: an image of the shape; all of it is read.
    package func rectangle(in source: Raster) -> PixelRectangle {
        switch map {
        case .attention(let map): map.rectangle(in: source)
        case .entropy(let map): map.rectangle(in: source)
        }
    }
}
