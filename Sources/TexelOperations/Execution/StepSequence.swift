package import TexelPixels

/// Steps prepared for images of one shape. Crops only narrow the view of what the step before has made, and no step
/// makes rows that later ones do not need.
///
/// Used by one thread at a time; running it allocates nothing.
package final class StepSequence {
    /// A prepared step.
    private struct Part {
        let step: any RowStep
        let pass: any StepPass
        /// The part of its source that it reads.
        let window: PixelRectangle
        /// The result, and the rows of it that are made.
        let shape: RasterShape
        var rows: Range<Int>
    }

    /// The shape of the result.
    package let shape: RasterShape
    private let parts: [Part]

    /// The shapes of the images between the steps, for which the caller has memory.
    package var intermediateShapes: [RasterShape] { parts.dropLast().map(\.shape) }

    /// Whether the source is the result.
    package var isEmpty: Bool { parts.isEmpty }

    /// Prepares steps for sources of one shape.
    ///
    /// - Throws: `outOfMemory`, and errors of the steps.
    package init(_ steps: [any RowStep], for source: RasterShape) throws(PixelBufferError) {
        var parts: [Part] = []
        var current = source
        var window = PixelRectangle(covering: source.size)
        func append(_ step: any RowStep) throws(PixelBufferError) {
            let input = RasterShape(size: window.size, alphaMode: current.alphaMode)
            current = step.shape(of: input)
            parts.append(
                Part(
                    step: step, pass: try step.pass(for: input), window: window, shape: current,
                    rows: 0..<current.size.height))
            window = PixelRectangle(covering: current.size)
        }
        for step in steps where !step.changesNothing(current.alphaMode) {
            if let crop = step as? CropStep {
                window = PixelRectangle(
                    x: window.x + crop.rectangle.x, y: window.y + crop.rectangle.y, width: crop.rectangle.width,
                    height: crop.rectangle.height)
            } else {
                try append(step)
            }
        }
        // A crop after the last step copies what is left.
        if window.size != current.size { try append(CropStep(PixelRectangle(covering: window.size))) }
        Self.omitRows(of: &parts)
        self.parts = parts
        shape = current
    }

    /// Limits each step to the rows that the next one needs.
    private static func omitRows(of parts: inout [Part]) {
        for index in parts.indices.dropFirst().reversed() {
            let (next, window) = (parts[index], parts[index].window)
            let needed = next.step.sourceRows(for: next.rows, of: window.size)
            parts[index - 1].rows = (needed.lowerBound + window.y)..<(needed.upperBound + window.y)
        }
    }

    /// Makes the result.
    ///
    /// - Parameters:
    ///   - source: an image of the shape that the steps were prepared for.
    ///   - intermediates: memory for each of ``intermediateShapes``.
    ///   - result: memory for the result.
    package func run(from source: Raster, through intermediates: [Raster], to result: Raster) {
        var current = source
        for (index, part) in parts.enumerated() {
            let destination = index < intermediates.count ? intermediates[index] : result
            part.pass.run(rows: part.rows, from: current.cropped(to: part.window), to: destination)
            current = destination
        }
    }
}
