public import TexelOperations
public import TexelPixels

extension PixelOperation {
    /// Draws a text over the image.
    ///
    /// The text is drawn once, here; the operation is an overlay with its pixels.
    ///
    /// - Parameters:
    ///   - text: The text and its appearance.
    ///   - gravity: The edge, corner or centre at which it is placed.
    ///   - offsetX: The distance from the left or right edge in pixels, inwards; without such an edge, to the right.
    ///   - offsetY: The distance from the upper or lower edge in pixels, inwards; without such an edge, downwards.
    ///   - opacity: A factor of the text's alpha, 0…1.
    ///   - blendMode: How colours are mixed.
    ///   - tileSpacing: The pixels between copies that cover the whole image; `nil` for one copy.
    /// - Throws: `TextError`.
    public static func text(
        _ text: TextOptions, gravity: Gravity = .center, offsetX: Int = 0, offsetY: Int = 0, opacity: Double = 1,
        blendMode: BlendMode = .normal, tileSpacing: Int? = nil
    ) throws(TextError) -> PixelOperation {
        let rendered = try text.rendered()
        do throws(PixelBufferError) {
            return .overlay(
                OverlayOptions(
                    try OverlayImage(rendered), gravity: gravity, offsetX: offsetX, offsetY: offsetY, opacity: opacity,
                    blendMode: blendMode, tileSpacing: tileSpacing))
        } catch {
            throw .pixels(error)
        }
    }
}
