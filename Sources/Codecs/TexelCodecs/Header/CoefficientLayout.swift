package import TexelPixels

/// The layout of the DCT blocks of an image.
package struct CoefficientLayout: Sendable, Hashable, Codable {
    /// The grid on which blocks of all components begin, in pixels: the size of an MCU, or less if all components have
    /// the same sampling factors.
    package var grid: PixelSize
    /// The memory for all coefficients, in bytes.
    package var byteCount: Int
    /// The memory for the coefficients that a decoder keeps until it has read the last scan, in bytes; 0 for a file
    /// with one scan.
    package var decodingByteCount: Int
    /// The same for a decoder that divides both sides by eight. Of components with one sample for each block, it needs
    /// only the DC coefficients.
    package var eighthDecodingByteCount: Int

    package init(grid: PixelSize, byteCount: Int, decodingByteCount: Int = 0, eighthDecodingByteCount: Int = 0) {
        self.grid = grid
        self.byteCount = byteCount
        self.decodingByteCount = decodingByteCount
        self.eighthDecodingByteCount = eighthDecodingByteCount
    }

    /// Whether a valid header could have these values.
    ///
    /// Sampling factors are 1…4, so block boundaries coincide every 96 pixels at most; a coefficient takes two bytes.
    package var isPlausible: Bool {
        (1...96).contains(grid.width) && (1...96).contains(grid.height)
            && [byteCount, decodingByteCount, eighthDecodingByteCount].allSatisfy((0..<1 << 40).contains)
    }
}
