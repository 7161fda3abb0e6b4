import TexelPixels

/// Which samples of each block are black or white: what a decoder makes of them may go beyond, for it is cut off there.
///
/// Unchecked because of the memory, which is written once and then only read.
final class SaturatedSamples: @unchecked Sendable {
    /// A bit for each sample, row by row.
    struct Masks {
        var white: UInt64 = 0
        var black: UInt64 = 0

        /// Whether there is an edge to ring: some samples are saturated, but not all in the same way.
        var isEdge: Bool { white | black != 0 && white != .max && black != .max }
    }

    private let memory: LargeMemory

    private var masks: UnsafeMutablePointer<Masks> { memory.base.assumingMemoryBound(to: Masks.self) }

    /// - Throws: `outOfMemory`.
    init(covering size: PixelSize) throws(CodecError) {
        let blockCount = ((size.width + 7) / 8) * ((size.height + 7) / 8)
        guard let memory = LargeMemory(byteCount: blockCount * MemoryLayout<Masks>.stride) else { throw .outOfMemory }
        self.memory = memory
        _ = memory.base.bindMemory(to: Masks.self, capacity: blockCount)
    }

    subscript(block: Int) -> Masks { masks[block] }

    /// Looks at a block's samples around neutral.
    ///
    /// - Parameter unit: what a step of a byte is in them.
    func note(_ samples: UnsafePointer<Int16>, of block: Int, unit: Int16) {
        var result = Masks()
        // Whatever rounds to the ends of a byte's range.
        let (white, black) = (127 * unit - unit / 2, -128 * unit + unit / 2)
        for place in 0..<64 {
            if samples[place] >= white { result.white |= 1 << UInt64(place) }
            if samples[place] <= black { result.black |= 1 << UInt64(place) }
        }
        masks[block] = result
    }
}
