import CPixelKernels
import TexelCodecs
import TexelCore
import TexelPixels

/// A bit for each AC coefficient that is not zero, in zigzag order, and the DC coefficient, for each block. The sizes
/// of scans depend on them.
///
/// Unchecked because of the memory, which is written once and then only read.
final class CoefficientMasks: @unchecked Sendable {
    /// The number of bit positions (successive approximation) with masks.
    static let levels = 4

    let blocks: BlockPlane
    private let memory: LargeMemory

    /// The masks of all blocks: which coefficients are not zero after `lowBit` low bits have been removed.
    func level(_ lowBit: Int) -> UnsafePointer<UInt64> { UnsafePointer(words + lowBit * blocks.count) }

    /// The DC coefficients of all blocks.
    var means: UnsafePointer<Int16> { UnsafePointer(meanWords) }

    private var meanWords: UnsafeMutablePointer<Int16> {
        (memory.base + blocks.count * Self.levels * 8).assumingMemoryBound(to: Int16.self)
    }

    private var words: UnsafeMutablePointer<UInt64> { memory.base.assumingMemoryBound(to: UInt64.self) }

    /// Computes the masks.
    ///
    /// - Throws: `outOfMemory`, `stopped`.
    init(_ blocks: BlockPlane, _ rows: BlockRows) throws(TexelError) {
        let maskCount = blocks.count * Self.levels
        guard let memory = LargeMemory(byteCount: maskCount * 8 + blocks.count * 2) else { throw .outOfMemory }
        _ = memory.base.bindMemory(to: UInt64.self, capacity: maskCount)
        _ = (memory.base + maskCount * 8).bindMemory(to: Int16.self, capacity: blocks.count)
        self.blocks = blocks
        self.memory = memory
        let kernel = texel_kernels_in_use().pointee.trellis.coefficient_masks
        try rows.forEach(blocks.height) { [self] row in
            var masks = InlineArray<4, UInt64>(repeating: 0)
            withUnsafeMutablePointer(to: &masks) { pointer in
                // Each block has 64 coefficients and one mask for each level.
                let masks = UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: UInt64.self)
                for block in (row * blocks.width)..<((row + 1) * blocks.width) {
                    kernel(masks, blocks.base + block * 64)
                    meanWords[block] = blocks.base[block * 64]
                    for level in 0..<Self.levels { words[level * blocks.count + block] = masks[level] }
                }
            }
        }
    }
}
