package import TexelPixels

/// The layout of the DCT blocks of an image.
package struct CoefficientLayout: Sendable, Hashable, Codable {
    /// The grid on which blocks of all components begin, in pixels: the size of an MCU, or less if all components have
    /// the same sampling factors.
    package var grid: PixelSize
    /// The size of all coefficients, at two bytes each.
    package var byteCount: Int

    package init(grid: PixelSize, byteCount: Int) {
        self.grid = grid
        self.byteCount = byteCount
    }
}
