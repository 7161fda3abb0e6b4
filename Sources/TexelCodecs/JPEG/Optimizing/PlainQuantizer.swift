import CPixelKernels

/// Rounds each coefficient by itself.
struct PlainQuantizer: Sendable {
    private let kernel:
        @convention(c) (
            UnsafeMutablePointer<Int16>, UnsafePointer<Int16>, UnsafePointer<UInt16>, Int32
        ) -> Void
    /// In the measure of frequencies.
    private let steps: [UInt16]

    init(_ table: QuantizationTable) {
        kernel = texel_kernels_in_use().pointee.quantize_block
        steps = table.steps.map { $0 * UInt16(ForwardTransform.scale) }
    }

    /// The largest coefficient of a baseline file (ITU-T T.81, table F.2). Means' differences are in their range where no
    /// mean is larger either.
    static let largest = 1023

    /// To the nearest.
    static let halves = 128

    /// Quantises a block.
    ///
    /// - Parameter rounding: what is added to magnitudes before their fraction is cut off, in 1/256 of a step. Means are
    ///   rounded to the nearest always: their errors make edges between blocks.
    func quantize(
        _ frequencies: UnsafePointer<Int16>, into result: UnsafeMutablePointer<Int16>, rounding: Int = halves
    ) {
        // Both are whole blocks, as are the steps.
        steps.withUnsafeBufferPointer { steps in
            guard let base = steps.baseAddress else { return }
            kernel(result, frequencies, base, Int32(rounding))
            guard rounding != Self.halves else { return }
            let magnitude = (Int(frequencies[0].magnitude) + Int(base[0]) / 2) / Int(base[0])
            let mean = Int16(min(magnitude, Self.largest))
            result[0] = frequencies[0] < 0 ? -mean : mean
        }
    }
}
