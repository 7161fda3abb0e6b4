package import TexelCore
package import TexelPixels

/// Carries a segment out on rows that arrive from top to bottom. Only the rows that later rows of the result need are
/// in memory.
///
/// Used by one thread at a time.
package final class SegmentStream {
    private let segment: StepSegment
    private let pass: SegmentPass
    private let bands: [Range<Int>]
    /// The rows of the source that each band needs.
    private let needed: [Range<Int>]
    private let memory: LargeMemory
    private let capacity: Int
    private let bytesPerRow: Int
    /// The source's rows that have arrived and may still be needed.
    private var held = 0..<0
    private var nextBand = 0

    /// Whether a segment can be streamed with at most half of its source in memory.
    package static func savesMemory(with segment: StepSegment) -> Bool {
        segment.readsInOrder && 2 * heldRows(of: segment) <= segment.source.size.height
    }

    /// The number of rows that are in memory at the same time.
    package static func heldRows(of segment: StepSegment) -> Int {
        let largest = segment.bands.map { segment.sourceRows(for: $0).count }.max() ?? 0
        // Room for the rows of one more band, so that rows are seldom moved.
        return min(largest + segment.bandHeight, segment.source.size.height)
    }

    /// Prepares a segment that reads rows in order.
    ///
    /// - Throws: `outOfMemory`, `resultTooLarge`, and errors of the steps.
    package init(_ segment: StepSegment) throws(TexelError) {
        precondition(segment.readsInOrder, "rows are not read in order")
        self.segment = segment
        pass = try SegmentPass(segment)
        bands = segment.bands
        needed = bands.map(segment.sourceRows(for:))
        capacity = max(1, Self.heldRows(of: segment))
        bytesPerRow = segment.source.size.width * PixelBuffer.bytesPerPixel
        let (byteCount, overflow) = bytesPerRow.multipliedReportingOverflow(by: capacity)
        guard !overflow else { throw .resultTooLarge }
        guard let memory = LargeMemory(byteCount: byteCount) else { throw .outOfMemory(byteCount: byteCount) }
        self.memory = memory
    }

    /// The number of the row that arrives next.
    package var arrivedRows: Int { held.upperBound }

    /// Memory for the next row of the source: as many bytes as it has pixels, times four.
    package func nextRow() -> UnsafeMutableRawPointer {
        precondition(held.upperBound < segment.source.size.height, "all rows have arrived")
        if held.count == capacity { dropRows() }
        return memory.base + held.count * bytesPerRow
    }

    /// Forgets the rows that no later band needs, at least one.
    private func dropRows() {
        let first = nextBand < needed.count ? needed[nextBand].lowerBound : held.upperBound
        let kept = min(max(first, held.lowerBound), held.upperBound)..<held.upperBound
        // A band whose rows fit has been run as soon as they had arrived.
        precondition(kept.count < capacity, "the rows of band \(nextBand) do not fit")
        let offset = (kept.lowerBound - held.lowerBound) * bytesPerRow
        memory.base.copyMemory(from: memory.base + offset, byteCount: kept.count * bytesPerRow)
        held = kept
    }

    /// Takes the row whose memory ``nextRow()`` has returned. Before the next one, all bands that are ready must be
    /// run.
    package func take() { held = held.lowerBound..<(held.upperBound + 1) }

    /// Whether the next band of the result needs no later row.
    package var hasReadyBand: Bool {
        nextBand < bands.count && needed[nextBand].upperBound <= held.upperBound
    }

    /// The largest number of rows that a band writes.
    package var bandHeight: Int { segment.bandHeight }

    /// The number of rows of the result that are written.
    package var finishedRows: Int { nextBand == 0 ? 0 : bands[nextBand - 1].upperBound }

    /// Writes the next band of the result. Only if ``hasReadyBand``.
    ///
    /// - Parameter destination: the memory of the whole result, of which the rows of the band are written.
    package func runBand(into destination: Raster) {
        precondition(hasReadyBand, "the rows of band \(nextBand) have not arrived")
        let source = Raster(
            base: memory.base - held.lowerBound * bytesPerRow, bytesPerRow: bytesPerRow, size: segment.source.size,
            alphaMode: segment.source.alphaMode)
        pass.run(rows: bands[nextBand], from: source, to: destination)
        nextBand += 1
    }
}
