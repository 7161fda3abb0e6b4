import TexelCodecs
import TexelPixels

/// The image as a JPEG file stores it: quantised coefficients and quantisation tables.
final class JPEGCoefficients: Sendable {
    struct Component: Sendable {
        let blocks: BlockPlane
        /// The index of the quantisation table.
        let quantizer: Int
    }

    let size: PixelSize
    /// The number of luma samples per chroma sample in each direction; (1, 1) for greyscale.
    let sampling: (horizontal: Int, vertical: Int)
    /// One component or three.
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
