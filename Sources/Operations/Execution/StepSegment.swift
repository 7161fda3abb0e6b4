package import TexelPixels

/// Consecutive steps that are carried out together, one band of rows after another: between two steps only the rows
/// that a band needs are in memory.
///
/// Only the first step may depend on many rows of its source. Crops only narrow what the next step reads.
package struct StepSegment: Sendable {
    /// A step with its place in the segment.
    struct Part: Sendable {
        let step: any RowStep
        /// The part of its source that the step reads.
        let window: PixelRectangle
        /// The shape of what it reads.
        let input: RasterShape
        /// The shape of its result.
        let output: RasterShape
    }

    /// A step after the first depends on no more rows than this, because they are computed anew for each band.
    private static let largestWindow = 300

    /// The shape of the source.
    package let source: RasterShape
    private(set) var parts: [Part] = []
    /// The part of the last result, or of the source, that is used.
    private(set) var window: PixelRectangle

    private init(_ source: RasterShape, window: PixelRectangle) {
        self.source = source
        self.window = window
    }

    /// Splits steps into segments. The result of each is the source of the next one.
    ///
    /// - Parameters:
    ///   - steps: the steps. Those that change nothing are left out.
    ///   - source: the shape of the image.
    package static func segments(of steps: some Sequence<any RowStep>, for source: RasterShape) -> [StepSegment] {
        var segments: [StepSegment] = []
        var current = StepSegment(source, window: PixelRectangle(covering: source.size))
        for step in steps where !step.changesNothing(current.last.alphaMode) {
            if let crop = step as? CropStep {
                current.crop(to: crop.rectangle)
                continue
            }
            if !current.parts.isEmpty, !current.accepts(step) {
                // The crops after a segment narrow the rows that the next one reads.
                let window = current.window
                current.window = PixelRectangle(covering: current.last.size)
                segments.append(current)
                current = StepSegment(current.last, window: window)
            }
            current.append(step)
        }
        if current.parts.isEmpty && !current.isCrop { return segments }
        return segments + [current.parts.isEmpty ? current : current.copyingCrop]
    }

    // MARK: Building

    /// The shape of the last result, before crops.
    private var last: RasterShape { parts.last?.output ?? source }

    private mutating func append(_ step: any RowStep) {
        let input = RasterShape(size: window.size, alphaMode: last.alphaMode)
        let part = Part(step: step, window: window, input: input, output: step.shape(of: input))
        parts.append(part)
        window = PixelRectangle(covering: part.output.size)
    }

    private mutating func crop(to rectangle: PixelRectangle) {
        window = PixelRectangle(
            x: window.x + rectangle.x, y: window.y + rectangle.y, width: rectangle.width, height: rectangle.height)
    }

    /// The segment with a step that copies the pixels left by crops after the last step.
    var copyingCrop: StepSegment {
        guard window.size != last.size else { return self }
        var copy = self
        copy.append(CropStep(PixelRectangle(covering: window.size)))
        return copy
    }

    private func accepts(_ step: any RowStep) -> Bool { Self.isLocal(step, of: window.size) }

    /// Whether each row of the step's result depends on few rows.
    private static func isLocal(_ step: any RowStep, of source: PixelSize) -> Bool {
        if step.surveysSource { return false }
        let height = step.outputSize(of: source).height
        return [0, height / 2, height - 1].allSatisfy { row in
            step.sourceRows(for: row..<(row + 1), of: source).count <= largestWindow
        }
    }

    // MARK: What it does

    /// The shape of the result.
    package var result: RasterShape { RasterShape(size: window.size, alphaMode: last.alphaMode) }

    /// Whether pixels are only left out, so that the result can share the memory of the source.
    var isCrop: Bool { parts.isEmpty && window.size != source.size }

    /// Whether the result can be written over the source.
    var runsInPlace: Bool { parts.allSatisfy { $0.step.runsInPlace && $0.window.size == source.size } }

    /// Whether the first step looks at the whole source before it writes rows.
    var surveysSource: Bool { parts.first?.step.surveysSource ?? false }

    /// The rows of the source on which rows of the result depend.
    package func sourceRows(for rows: Range<Int>) -> Range<Int> {
        parts.reversed().reduce(rows) { $1.sourceRows(for: $0) }
    }

    /// Whether each row of the first step's result depends on few rows of the source.
    private var beginsLocally: Bool { parts.first.map { Self.isLocal($0.step, of: $0.window.size) } ?? true }

    /// The number of rows that are computed together: enough that the rows which two bands need cost little.
    package var bandHeight: Int {
        let middle = result.size.height / 2
        let local = beginsLocally ? parts[...] : parts.dropFirst()
        return max(32, 4 * local.reversed().reduce(middle..<(middle + 1)) { $1.sourceRows(for: $0) }.count)
    }

    /// The bands of the result.
    var bands: [Range<Int>] {
        let (height, band) = (result.size.height, bandHeight)
        return stride(from: 0, to: height, by: band).map { $0..<min($0 + band, height) }
    }

    /// Whether rows of the source are needed in their order, and never many at a time, so that they need not all be in
    /// memory.
    package var readsInOrder: Bool {
        guard !parts.isEmpty, beginsLocally else { return false }
        let starts = bands.map { sourceRows(for: $0).lowerBound }
        return zip(starts, starts.dropFirst()).allSatisfy { $0 <= $1 }
    }
}

extension StepSegment.Part {
    /// The rows of the part's source, before its window, on which rows of its result depend.
    func sourceRows(for rows: Range<Int>) -> Range<Int> {
        guard !rows.isEmpty else { return 0..<0 }
        let needed = step.sourceRows(for: rows, of: window.size)
        return (needed.lowerBound + window.y)..<(needed.upperBound + window.y)
    }
}
