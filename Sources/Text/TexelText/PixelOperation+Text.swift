public import TexelCore
public import TexelFilters
public import TexelOperations
public import TexelPixels

extension PixelOperation {
    /// Draws a text over the image.
    ///
    /// The text is drawn once, here; the operation is an overlay with its pixels. Characters that no font has are a
    /// warning of each result.
    ///
    /// - Parameters:
    ///   - text: The text and its appearance.
    ///   - gravity: The edge, corner or centre at which it is placed.
    ///   - offsetX: The distance from the left or right edge in pixels, inwards; without such an edge, to the right.
    ///   - offsetY: The distance from the upper or lower edge in pixels, inwards; without such an edge, downwards.
    ///   - opacity: A factor of the text's alpha, 0…1.
    ///   - blendMode: How colours are mixed.
    ///   - tileSpacing: The pixels between copies that cover the whole image; `nil` for one copy.
    ///   - usesLinearLight: Whether colours are mixed as light instead of as stored.
    /// - Throws: `TexelError`.
    public static func text(
        _ text: TextOptions, gravity: Gravity = .center, offsetX: Int = 0, offsetY: Int = 0, opacity: Double = 1,
        blendMode: BlendMode = .normal, tileSpacing: Int? = nil, usesLinearLight: Bool = false
    ) throws(TexelError) -> PixelOperation {
        .overlay(
            OverlayOptions(
                try text.overlayImage(), gravity: gravity, offsetX: offsetX, offsetY: offsetY, opacity: opacity,
                blendMode: blendMode, tileSpacing: tileSpacing, usesLinearLight: usesLinearLight))
    }
}

extension TextOptions {
    /// Draws the text.
    ///
    /// - Throws: `TexelError`.
    package func overlayImage() throws(TexelError) -> OverlayImage {
        let (image, warnings) = try drawn()
        return try OverlayImage(image, warnings: warnings.map(\.description))
    }
}
