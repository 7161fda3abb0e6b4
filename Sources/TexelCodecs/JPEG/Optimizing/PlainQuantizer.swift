import CPixelKernels

/// Rounds each coefficient by itself.
struct PlainQuantizer: Sendable {
    private let kernel:
        @convention(c) (
            UnsafeMutablePointer<Int16>, UnsafePointer<Int16>, UnsafePointer<UInt16>
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

    /// Rounds a block's coefficients to the nearest steps.
    func quantize(_ frequencies: UnsafePointer<Int16>, into result: UnsafeMutablePointer<Int16>) {
        // Both are whole blocks, as are the steps.
        steps.withUnsafeBufferPointer { steps in
            if let base = steps.baseAddress { kernel(result, frequencies, base) }
        }
    }
}
