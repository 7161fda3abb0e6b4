import TexelCodecs
import TexelCore
import TexelPixels

/// Blocks of 8 × 8 words, in rows of blocks: the coefficients of one component.
///
/// Unchecked because of the memory: threads that share a plane must not access the same row of blocks at the same time.
final class BlockPlane: @unchecked Sendable {
    /// The width in blocks.
    let width: Int
    /// The height in blocks.
    let height: Int
    /// `64 * width * height` words; each block is stored row by row. Undefined until written.
    let base: UnsafeMutablePointer<Int16>
    private let memory: LargeMemory

    /// - Throws: `outOfMemory`.
    init(width: Int, height: Int) throws(TexelError) {
        let (blocks, overflow) = width.multipliedReportingOverflow(by: height)
        guard !overflow, blocks <= Int.max / 128, let memory = LargeMemory(byteCount: max(blocks, 1) * 128) else {
            throw .outOfMemory
        }
        self.width = width
        self.height = height
        self.memory = memory
        base = memory.base.bindMemory(to: Int16.self, capacity: max(blocks, 1) * 64)
    }

    /// Allocates the blocks for a component of `size` samples.
    convenience init(covering size: PixelSize) throws(TexelError) {
        try self.init(width: (size.width + 7) / 8, height: (size.height + 7) / 8)
    }

    /// The number of blocks.
    var count: Int { width * height }

    /// Returns a copy.
    ///
    /// - Throws: `outOfMemory`, `stopped`.
    func copy(_ rows: BlockRows) throws(TexelError) -> BlockPlane {
        let result = try BlockPlane(width: width, height: height)
        try rows.forEach(height) { row in result.row(row).update(from: self.row(row), count: width * 64) }
        return result
    }

    /// Returns the first word of a row of blocks.
    func row(_ index: Int) -> UnsafeMutablePointer<Int16> { base + index * width * 64 }
}
