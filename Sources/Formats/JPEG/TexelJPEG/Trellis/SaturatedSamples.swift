import CPixelKernels
import TexelCodecs
import TexelCore
import TexelPixels

/// Records which samples of each block are black or white. The encoder may let them overshoot, because decoders clamp.
///
/// Unchecked because of the memory, which is written once and then only read.
final class SaturatedSamples: @unchecked Sendable {
    /// A bit for each sample of a block, row by row.
    struct Masks {
        var white: UInt64 = 0
        var black: UInt64 = 0

        /// Whether ringing is possible: some samples are saturated, but not all at the same value.
        var isEdge: Bool { white | black != 0 && white != .max && black != .max }
    }

    private let memory: LargeMemory

    private var masks: UnsafeMutablePointer<Masks> { memory.base.assumingMemoryBound(to: Masks.self) }

    /// - Throws: `outOfMemory`.
    init(covering size: PixelSize) throws(TexelError) {
        let blockCount = ((size.width + 7) / 8) * ((size.height + 7) / 8)
        guard let memory = LargeMemory(byteCount: blockCount * MemoryLayout<Masks>.stride) else { throw .outOfMemory }
        self.memory = memory
        _ = memory.base.bindMemory(to: Masks.self, capacity: blockCount)
    }

    subscript(block: Int) -> Masks { masks[block] }

    /// Records the saturated samples of a block.
    ///
    /// - Parameters:
    ///   - samples: 64 samples, centred on zero.
    ///   - unit: the value of one 8-bit step in `samples`.
    func note(_ samples: UnsafePointer<Int16>, of block: Int, unit: Int16) {
        // All values that round to the ends of the 8-bit range.
        let (white, black) = (127 * unit - unit / 2, -128 * unit + unit / 2)
        var result = InlineArray<2, UInt64>(repeating: 0)
        withUnsafeMutablePointer(to: &result) { result in
            // The kernel writes two masks.
            let result = UnsafeMutableRawPointer(result).assumingMemoryBound(to: UInt64.self)
            texel_kernels_in_use().pointee.trellis.saturated_samples(result, samples, white, black)
        }
        masks[block] = Masks(white: result[0], black: result[1])
    }
}
