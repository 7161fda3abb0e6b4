import CPixelKernels
package import TexelCore
package import TexelPixels

/// How much colour an image loses when four pixels share a chroma sample.
package struct ChromaLoss: Sendable {
    /// The share of pixels whose colour is visibly wrong.
    package let visibleShare: Double
    /// The square root of the mean square of the blocks' mean squared errors, in squared 8-bit steps: blocks of 8 × 8
    /// pixels, both components together. A few bad blocks count more than many good ones, as people see it.
    package let blockNorm: Double

    /// Whether so many pixels would lose their colour that the image would look wrong at any quality. One pixel in ten
    /// of coloured text does, and hardly one in a thousand of a photograph.
    package var isSevere: Bool { visibleShare > 0.005 }

    /// The visible chroma error of a pixel, in 8-bit steps.
    private static let visible: Int32 = 32
    /// The fraction bits of an error.
    private static let fractionBits: Int32 = 4

    /// Measures the loss.
    ///
    /// - Parameters:
    ///   - halves: both chroma planes, halved in both directions by ``SharpChroma``.
    ///   - read: writes a row of the original chroma component, centred on zero, in units of 1/16.
    /// - Throws: `outOfMemory`, `stopped`.
    package init(
        _ size: PixelSize, _ halves: [WordPlane], _ rows: BlockRows,
        read: @escaping @Sendable (_ component: Int, _ y: Int, _ samples: UnsafeMutablePointer<Int16>) -> Void
    ) throws(TexelError) {
        let blockRowCount = (size.height + 7) / 8
        let sums = RowSums(count: blockRowCount)
        try rows.forEach(blockRowCount) { row in
            let lines = (row * 8)..<min(row * 8 + 8, size.height)
            sums.set(row, Self.sums(of: lines, width: size.width, halves, read))
        }
        let total = sums.total
        let blockCount = Double(blockRowCount) * Double((size.width + 7) / 8)
        visibleShare = total[0] / (Double(size.width) * Double(size.height))
        blockNorm = (total[1] / blockCount).squareRoot()
    }

    /// Returns the number of visibly wrong pixels in a row of blocks, and the sum of the squared mean squared errors of
    /// its blocks.
    private static func sums(
        of lines: Range<Int>, width: Int, _ halves: [WordPlane],
        _ read: (_ component: Int, _ y: Int, _ samples: UnsafeMutablePointer<Int16>) -> Void
    ) -> SIMD2<Double> {
        let kernels = texel_kernels_in_use().pointee
        let limit = (visible << fractionBits) &* (visible << fractionBits)
        var visibleCount = 0
        // The loss of a pixel is at most 2 × 4,096², so those of 64 pixels fit 32 bits.
        var blocks = [UInt32](repeating: 0, count: (width + 7) / 8)
        withUnsafeTemporaryAllocation(of: Int16.self, capacity: width) { original in
            withUnsafeTemporaryAllocation(of: Int32.self, capacity: width) { losses in
                // Both buffers have one element per pixel of a row.
                guard let original = original.baseAddress, let losses = losses.baseAddress else { return }
                for y in lines {
                    losses.update(repeating: 0, count: width)
                    for (component, half) in halves.enumerated() {
                        read(component, y, original)
                        let far = min(max(y % 2 == 0 ? y / 2 - 1 : y / 2 + 1, 0), half.size.height - 1)
                        kernels.chroma_loss_row(losses, original, half.row(y / 2), half.row(far), width)
                    }
                    visibleCount += kernels.add_chroma_losses(&blocks, losses, width, limit)
                }
            }
        }
        let unit = Double(64 << (2 * fractionBits))
        let squares = blocks.reduce(0.0) { $0 + (Double($1) / unit) * (Double($1) / unit) }
        return SIMD2(Double(visibleCount), squares)
    }
}
