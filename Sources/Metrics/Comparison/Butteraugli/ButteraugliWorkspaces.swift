import TexelCore
import TexelPixels

/// The memory of comparisons by Butteraugli of images of one size. It is kept for the next comparison, because clearing
/// new memory takes a third of the time of a small one.
struct ButteraugliWorkspaces: Sendable {
    private let size: PixelSize
    /// The most rows of a band: even, so that a row of half the size belongs to one band; high enough that the rows
    /// around cost little, and not so high that the planes of wide images need much memory.
    let bandHeight: Int
    private let spare = Monitor<[Workspace]>([])

    /// - Parameter size: the size of the images, at least eight pixels wide and high.
    init(_ size: PixelSize) {
        self.size = size
        bandHeight = size.width > 2048 ? 64 : 128
    }

    /// The memory of one thread.
    final class Workspace {
        let full: ButteraugliScale
        /// Half the size; `nil` for images that are too small.
        let half: ButteraugliScale?
        /// Two rows of each channel, for the light at half the size.
        let light: FloatRows
        /// The differences on the backgrounds so far.
        var largest: FloatBand

        init(_ size: PixelSize, bandHeight: Int) throws(TexelError) {
            full = try ButteraugliScale(size, bandHeight: bandHeight)
            let halfSize = PixelSize(width: (size.width + 1) / 2, height: (size.height + 1) / 2)
            let smallest = ComparisonImage.smallestSide
            half =
                min(halfSize.width, halfSize.height) < smallest
                ? nil : try ButteraugliScale(halfSize, bandHeight: bandHeight / 2)
            light = try FloatRows(rows: 6, width: size.width)
            largest = try FloatBand(capacity: bandHeight, width: size.width)
        }
    }

    /// Calls `body` with memory that no other thread uses meanwhile.
    ///
    /// - Throws: `outOfMemory`, `resultTooLarge`.
    func withOne<Result>(_ body: (Workspace) -> Result) throws(TexelError) -> Result {
        let known = spare.withLock { $0.popLast() }
        let workspace = if let known { known } else { try Workspace(size, bandHeight: bandHeight) }
        let result = body(workspace)
        spare.withLock { $0.append(workspace) }
        return result
    }
}
