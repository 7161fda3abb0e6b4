import CPixelKernels
import TexelCodecs
import TexelCore
import TexelPixels

/// Computes the DCT coefficients of a component before quantisation.
enum ForwardTransform {
    /// The fixed-point scale of the coefficients of ITU-T T.81, A.3.3.
    static let scale = 16

    /// Returns the DCT coefficients of all blocks of a component, times ``scale``. The last column and row are repeated
    /// to fill the edge blocks.
    ///
    /// - Parameters:
    ///   - size: the size of the component in samples.
    ///   - fractionBits: the number of fraction bits in the samples, at most 6.
    ///   - saturated: records black and white samples; only for luma, whose rows count as progress.
    ///   - read: writes a row of samples, centred on zero.
    /// - Throws: `outOfMemory`, `stopped`.
    static func frequencies(
        of size: PixelSize, fractionBits: Int, saturated: SaturatedSamples? = nil, _ rows: BlockRows,
        read: @escaping @Sendable (_ y: Int, _ samples: UnsafeMutablePointer<Int16>) -> Void
    ) throws(TexelError) -> BlockPlane {
        let blocks = try BlockPlane(covering: size)
        let kernels = texel_kernels_in_use().pointee
        let width = blocks.width * 8
        try rows.forEach(blocks.height, isCounted: saturated != nil) { row in
            withUnsafeTemporaryAllocation(of: Int16.self, capacity: 8 * width) { samples in
                // Room for eight rows of whole blocks.
                guard let base = samples.baseAddress else { return }
                for y in 0..<8 {
                    let line = base + y * width
                    if row * 8 + y < size.height {
                        read(row * 8 + y, line)
                        for x in size.width..<width { line[x] = line[size.width - 1] }
                    } else {
                        line.update(from: line - width, count: width)
                    }
                }
                kernels.cut_blocks(blocks.row(row), base, blocks.width)
            }
            if let saturated {
                for block in (row * blocks.width)..<((row + 1) * blocks.width) {
                    saturated.note(blocks.base + block * 64, of: block, unit: 1 << Int16(fractionBits))
                }
            }
            kernels.forward_dct(blocks.row(row), blocks.width, Int32(fractionBits))
        }
        return blocks
    }
}
