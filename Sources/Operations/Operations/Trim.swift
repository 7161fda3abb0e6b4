package import TexelCore
public import TexelMetrics
public import TexelPixels

extension PixelOperation {
    /// Cuts off borders whose pixels are all background, as `PixelBuffer.trimmed(background:tolerance:)` does. An
    /// animation keeps the union of what its frames need. An image that is all background is kept, with a warning.
    ///
    /// The size of the result depends on the pixels, so the image is decoded before the recipe is planned. Frames of a
    /// stream cannot be trimmed.
    ///
    /// - Parameters:
    ///   - tolerance: the largest difference from the background, in steps of 255 in each channel, that is cut off.
    ///   - background: the colour of the borders; `nil` takes the pixel at the top left.
    public static func trim(
        tolerance: UInt8 = PixelBuffer.defaultTrimTolerance, background: PixelColor? = nil
    ) -> PixelOperation {
        PixelOperation(TrimOperation(tolerance: tolerance, background: background))
    }
}

/// Cuts off borders. Its steps are known once the pixels have been searched.
package struct TrimOperation: OperationDescription {
    /// The result of a search in the pixels.
    package enum Finding: Sendable, Hashable, Codable {
        /// The rectangle that is kept.
        case content(PixelRectangle)
        /// All pixels are background, so that the whole image is kept.
        case onlyBackground
    }

    package static let name = "trim"

    package let tolerance: UInt8
    package let background: PixelColor?
    /// `nil` until the pixels have been searched.
    package var finding: Finding?

    package init(tolerance: UInt8, background: PixelColor?, finding: Finding? = nil) {
        self.tolerance = tolerance
        self.background = background
        self.finding = finding
    }

    package func steps(for size: PixelSize, background: PixelColor) throws(TexelError) -> [any RowStep] {
        switch finding {
        case .content(let rectangle): return try CropOperation(rectangle).steps(for: size, background: background)
        case .onlyBackground: return []
        case nil: throw .sizeDependsOnPixels("a trim")
        }
    }
}
