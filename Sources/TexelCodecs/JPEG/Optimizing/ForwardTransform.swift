import CPixelKernels
import TexelPixels

/// The frequencies of a component's blocks, before they are quantised.
enum ForwardTransform {
    /// What a coefficient of 1 is in a word (ITU-T T.81, A.3.3).
    static let scale = 16

    /// Coefficients of all blocks of a component, ``scale`` times. Beyond its edges its last column and row go on.
    ///
    /// - Parameters:
    ///   - fractionBits: of the samples, at most 6.
    ///   - saturated: learns which samples are black or white; of luma, whose rows tell how far the work is.
    ///   - read: writes a row of samples around neutral, as many as the size is wide.
    /// - Throws: `outOfMemory`, `stopped`.
    static func frequencies(
        of size: PixelSize, fractionBits: Int, saturated: SaturatedSamples? = nil, _ rows: BlockRows,
        read: @escaping @Sendable (_ y: Int, _ samples: UnsafeMutablePointer<Int16>) -> Void
    ) throws(CodecError) -> BlockPlane {
        let blocks = try BlockPlane(covering: size)
        let kernels = texel_kernels_in_use().pointee
        let width = blocks.width * 8
        try rows.forEach(blocks.height, isCounted: saturated != nil) { row in
            withUnsafeTemporaryAllocation(of: Int16.self, capacity: 8 * width) { samples in
                // Eight rows of whole blocks.
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
