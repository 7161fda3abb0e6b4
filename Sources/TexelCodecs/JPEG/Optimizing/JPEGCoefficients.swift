import TexelPixels

/// A picture as a JPEG file holds it: quantised coefficients, and their steps.
final class JPEGCoefficients: Sendable {
    struct Component: Sendable {
        let blocks: BlockPlane
        /// Which of the tables has its steps.
        let quantizer: Int
    }

    let size: PixelSize
    /// Luma samples for each sample of the colour differences, across and down; without these (1, 1).
    let sampling: (horizontal: Int, vertical: Int)
    /// One, or three.
    let components: [Component]
    let quantizers: [QuantizationTable]

    init(
        size: PixelSize, sampling: (horizontal: Int, vertical: Int), components: [Component],
        quantizers: [QuantizationTable]
    ) {
        self.size = size
        self.sampling = components.count == 1 ? (1, 1) : sampling
        self.components = components
        self.quantizers = quantizers
    }
}
