import TexelCodecs
import TexelPixels

/// A bit for each coefficient that is not zero, in zigzag order, for each block. The sizes of scans depend on them.
///
/// Unchecked because of the memory, which is written once and then only read.
final class CoefficientMasks: @unchecked Sendable {
    /// The number of bit positions (successive approximation) with masks.
    static let levels = 4

    let blocks: BlockPlane
    private let memory: LargeMemory

    /// The masks of all blocks: which coefficients are not zero after `lowBit` low bits have been removed.
    func level(_ lowBit: Int) -> UnsafePointer<UInt64> { UnsafePointer(words + lowBit * blocks.count) }

    private var words: UnsafeMutablePointer<UInt64> { memory.base.assumingMemoryBound(to: UInt64.self) }

    /// Computes the masks.
    ///
    /// - Throws: `outOfMemory`, `stopped`.
    init(_ blocks: BlockPlane, _ rows: BlockRows) throws(CodecError) {
        guard let memory = LargeMemory(byteCount: blocks.count * Self.levels * 8) else { throw .outOfMemory }
        _ = memory.base.bindMemory(to: UInt64.self, capacity: blocks.count * Self.levels)
        self.blocks = blocks
        self.memory = memory
        try rows.forEach(blocks.height) { [self] row in
            let places = ZigzagPlaces.bytes
            // Each block has 64 coefficients and one mask for each level.
            for block in (row * blocks.width)..<((row + 1) * blocks.width) {
                let coefficients = blocks.base + block * 64
                var masks = SIMD4<UInt64>()
                for k in 1..<64 {
                    let magnitude = coefficients[Int(places[k])].magnitude
                    if magnitude == 0 { continue }
                    let bit = UInt64(1) << UInt64(k)
                    masks[0] |= bit
                    if magnitude > 1 { masks[1] |= bit }
                    if magnitude > 3 { masks[2] |= bit }
                    if magnitude > 7 { masks[3] |= bit }
                }
                for level in 0..<Self.levels { words[level * blocks.count + block] = masks[level] }
            }
        }
    }
}
