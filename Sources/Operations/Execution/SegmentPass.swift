package import TexelCore
package import TexelPixels

/// A segment's steps, prepared, with the memory for the rows between them. Used by one thread at a time; running it
/// allocates nothing.
package final class SegmentPass {
    /// Memory for consecutive rows of an image.
    private struct RowMemory {
        let memory: LargeMemory
        let shape: RasterShape
        let capacity: Int

        init(_ shape: RasterShape, capacity: Int) throws(TexelError) {
            let (byteCount, overflow) = (shape.size.width * PixelBuffer.bytesPerPixel)
                .multipliedReportingOverflow(by: max(1, capacity))
            guard !overflow else { throw .resultTooLarge }
            guard let memory = LargeMemory(byteCount: byteCount) else { throw .outOfMemory(byteCount: byteCount) }
            self.memory = memory
            self.shape = shape
            self.capacity = capacity
        }

        /// A view of an image of which only `rows` are in memory.
        func raster(_ rows: Range<Int>, alphaMode: AlphaMode) -> Raster {
            precondition(rows.count <= capacity, "\(rows.count) rows do not fit \(capacity)")
            let bytesPerRow = shape.size.width * PixelBuffer.bytesPerPixel
            return Raster(
                base: memory.base - rows.lowerBound * bytesPerRow, bytesPerRow: bytesPerRow, size: shape.size,
                alphaMode: alphaMode)
        }
    }

    private let segment: StepSegment
    private let passes: [any StepPass]
    /// The memory of each part's result; `nil` for the last, and for parts that write over their source.
    private let memory: [RowMemory?]
    private let bandHeight: Int
    /// The rows of each part's result that the current band needs.
    private var needed: [Range<Int>]

    /// Prepares a segment.
    ///
    /// - Throws: `outOfMemory`, `resultTooLarge`, and errors of the steps.
    package init(_ segment: StepSegment) throws(TexelError) {
        let parts = segment.parts
        self.segment = segment
        needed = parts.map { _ in 0..<0 }
        // A single step needs no rows of another one.
        bandHeight = parts.count > 1 ? segment.bandHeight : max(1, segment.result.size.height)
        var passes: [any StepPass] = []
        for part in parts { passes.append(try part.step.pass(for: part.input)) }
        self.passes = passes
        var capacities = parts.map { _ in 0 }
        if parts.count > 1 {
            for band in segment.bands {
                var rows = band
                for index in parts.indices.reversed() {
                    capacities[index] = max(capacities[index], rows.count)
                    rows = parts[index].sourceRows(for: rows)
                }
            }
        }
        var memory: [RowMemory?] = []
        for (index, part) in parts.enumerated() {
            let writesOver = index > 0 && Self.writesOver(part, of: parts[index - 1])
            let isLast = index == parts.count - 1
            memory.append(isLast || writesOver ? nil : try RowMemory(part.output, capacity: capacities[index]))
        }
        self.memory = memory
    }

    /// Whether a part can write over the result of the one before it.
    private static func writesOver(_ part: StepSegment.Part, of previous: StepSegment.Part) -> Bool {
        part.step.runsInPlace && part.window.size == previous.output.size
    }

    /// Prepares for the rows of another image. Must be called before they are written, unless the segment reads rows in
    /// order.
    ///
    /// - Parameter source: the whole image.
    package func begin(_ source: Raster) {
        guard segment.surveysSource, let first = segment.parts.first else { return }
        passes.first?.begin(source.cropped(to: first.window))
    }

    /// Writes rows of the result.
    ///
    /// - Parameters:
    ///   - rows: the rows to write.
    ///   - source: an image of the segment's source shape. Only ``StepSegment/sourceRows(for:)`` need to be valid.
    ///   - destination: the memory of the whole result; the source's if the segment runs in place.
    package func run(rows: Range<Int>, from source: Raster, to destination: Raster) {
        var lower = rows.lowerBound
        while lower < rows.upperBound {
            let upper = min(rows.upperBound, (lower / bandHeight + 1) * bandHeight)
            run(band: lower..<upper, from: source, to: destination)
            lower = upper
        }
    }

    private func run(band: Range<Int>, from source: Raster, to destination: Raster) {
        let parts = segment.parts
        var rows = band
        for index in parts.indices.reversed() {
            needed[index] = rows
            rows = parts[index].sourceRows(for: rows)
        }
        var current = source
        for (index, part) in parts.enumerated() {
            let target: Raster
            if index == parts.count - 1 {
                target = destination
            } else if let memory = memory[index] {
                target = memory.raster(needed[index], alphaMode: part.output.alphaMode)
            } else {
                target = current
            }
            if !needed[index].isEmpty {
                passes[index].run(rows: needed[index], from: current.cropped(to: part.window), to: target)
            }
            current = target.with(part.output.alphaMode)
        }
    }
}
