import TexelPixels

/// Which coefficients of each block are not zero: what the sizes of scans depend on, a bit each in zigzag order.
///
/// Unchecked because of the memory, which is written once and then only read.
final class CoefficientMasks: @unchecked Sendable {
    /// How many of the lowest bits may be left for later scans.
    static let levels = 4

    let blocks: BlockPlane
    private let memory: LargeMemory

    /// Of each block, which of its coefficients are not zero without their `lowBit` lowest bits.
    func level(_ lowBit: Int) -> UnsafePointer<UInt64> { UnsafePointer(words + lowBit * blocks.count) }

    private var words: UnsafeMutablePointer<UInt64> { memory.base.assumingMemoryBound(to: UInt64.self) }

    /// - Throws: `outOfMemory`, `stopped`.
    init(_ blocks: BlockPlane, _ rows: BlockRows) throws(CodecError) {
        guard let memory = LargeMemory(byteCount: blocks.count * Self.levels * 8) else { throw .outOfMemory }
        _ = memory.base.bindMemory(to: UInt64.self, capacity: blocks.count * Self.levels)
        self.blocks = blocks
        self.memory = memory
        try rows.forEach(blocks.height) { [self] row in
            let places = ZigzagPlaces.bytes
            // Each block has 64 words, and each level a mask for it.
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
