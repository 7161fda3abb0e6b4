import CPixelKernels
import TexelCodecs

/// Quantises each coefficient by rounding, without regard to the others.
struct RoundingQuantizer: Sendable {
    private let kernel:
        @convention(c) (
            UnsafeMutablePointer<Int16>, UnsafePointer<Int16>, UnsafePointer<UInt16>
        ) -> Void
    /// In the scale of the forward transform.
    private let steps: [UInt16]

    init(_ table: QuantizationTable) {
        kernel = texel_kernels_in_use().pointee.quantize_block
        steps = table.steps.map { $0 * UInt16(ForwardTransform.scale) }
    }

    /// The largest AC coefficient of a baseline file (ITU-T T.81, table F.2). If DC coefficients are limited to it too,
    /// their differences stay in range.
    static let largest = 1023

    /// Calls `body` with a block's coefficients, divided by the steps and rounded.
    @inline(__always) func withRounded<Result>(
        _ frequencies: UnsafePointer<Int16>, _ body: (UnsafePointer<Int16>) -> Result
    ) -> Result {
        var rounded = InlineArray<64, Int16>(repeating: 0)
        return withUnsafeMutablePointer(to: &rounded) { pointer in
            // All three buffers are whole blocks.
            let words = UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: Int16.self)
            steps.withUnsafeBufferPointer { steps in
                if let base = steps.baseAddress { kernel(words, frequencies, base) }
            }
            return body(words)
        }
    }
}
