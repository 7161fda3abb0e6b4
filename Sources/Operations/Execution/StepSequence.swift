package import TexelCore
package import TexelPixels

/// Steps prepared for images of one shape, which are in memory of others, such as frames.
///
/// Used by one thread at a time; running it allocates nothing.
package final class StepSequence {
    /// The shape of the result.
    package let shape: RasterShape
    /// The shapes of the images between the segments, for which the caller has memory.
    package let intermediateShapes: [RasterShape]
    private let passes: [SegmentPass]
    /// The alpha mode of each segment's result.
    private let alphaModes: [AlphaMode]
    /// The rows that each segment makes: those that the next one needs.
    private let rows: [Range<Int>]

    /// Whether the source is the result.
    package var isEmpty: Bool { passes.isEmpty }

    /// Whether the source may be in the memory of the result. There are no images between the segments then.
    package let runsInPlace: Bool

    /// Whether threads can each make rows of one result, in the memory of the source, with a sequence of their own.
    package let isDivisible: Bool

    /// Prepares steps for sources of one shape.
    ///
    /// - Throws: `outOfMemory`, `resultTooLarge`, and errors of the steps.
    package init(_ steps: [any RowStep], for source: RasterShape) throws(TexelError) {
        let segments = StepSegment.segments(of: steps, for: source).map(\.copyingCrop)
        var passes: [SegmentPass] = []
        for segment in segments { passes.append(try SegmentPass(segment)) }
        self.passes = passes
        alphaModes = segments.map(\.result.alphaMode)
        shape = segments.last?.result ?? source
        runsInPlace = segments.allSatisfy(\.runsInPlace)
        isDivisible = runsInPlace && !segments.contains(where: \.surveysSource)
        intermediateShapes = runsInPlace ? [] : segments.dropLast().map(\.result)
        var rows = segments.map { 0..<$0.result.size.height }
        for index in rows.indices.dropFirst().reversed() {
            rows[index - 1] = segments[index].sourceRows(for: rows[index])
        }
        self.rows = rows
    }

    /// Makes the result.
    ///
    /// - Parameters:
    ///   - source: an image of the shape that the steps were prepared for; in the memory of the result if
    ///     ``runsInPlace``.
    ///   - intermediates: memory for each of ``intermediateShapes``.
    ///   - result: memory for the result.
    package func run(from source: Raster, through intermediates: [Raster], to result: Raster) {
        var current = source
        for (index, pass) in passes.enumerated() {
            let destination = index < intermediates.count ? intermediates[index] : result
            pass.begin(current)
            pass.run(rows: rows[index], from: current, to: destination)
            current = destination.with(alphaModes[index])
        }
    }

    /// Replaces rows of an image by those of the result, if the sequence ``isDivisible``.
    package func run(rows: Range<Int>, of image: Raster) {
        precondition(isDivisible, "the steps do not run in place")
        var current = image
        for (index, pass) in passes.enumerated() {
            pass.run(rows: rows, from: current, to: image)
            current = image.with(alphaModes[index])
        }
    }
}
