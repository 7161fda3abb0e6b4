import CPixelKernels
import TexelCore
import TexelPixels

/// Blurs a reduced image, and enlarges the result. See ``ReducedBlurPlan``.
///
/// Blurred rows of the reduced image begin with pixel −2, which the first pixels of the image still need. Samples are
/// words in 1/128 of a byte, or light in 15 bits, so that the roundings in between do not matter.
final class ReducedBlur: RowBlur {
    /// The rows of the image.
    private enum SourceRows {
        case stored(EdgeRows)
        /// Light; also a row of the result before it is converted to bytes.
        case light(LightRows, result: WordRow)
    }

    private let kernels = texel_kernels_in_use().pointee
    private let plan: ReducedBlurPlan
    private let size: PixelSize
    /// The pixels of a row of the reduced image after the blur.
    private let reducedWidth: Int
    private let rows: SourceRows
    /// A row that is reduced vertically only.
    private let wide: WordRow
    /// The same, reduced in both directions, with one more pixel on each side: their windows are wholly outside the
    /// image.
    private let reduced: WordRow
    /// Reduced rows that are blurred horizontally: as many as the blur is high.
    private let blurredRows: WordRing
    private let blurred: WordRow
    /// Rows that are blurred in both directions and enlarged horizontally.
    private let enlargedRows: WordRing
    private let reducing: HorizontalWeights
    private let blurring: HorizontalWeights
    private let enlarging: HorizontalWeights
    private let blurWeights: [Int16]

    /// Allocates the rows.
    ///
    /// - Throws: `resultTooLarge`, `outOfMemory`.
    init(_ plan: ReducedBlurPlan, for source: RasterShape, usesLinearLight: Bool) throws(TexelError) {
        self.plan = plan
        size = source.size
        let (width, factor, radius) = (size.width, plan.factor, plan.blur.radius)
        reducedWidth = (width - 1) / factor + ReducedBlurPlan.overlap
        blurWeights = plan.blur.window
        reducing = HorizontalWeights(starts: (0..<(reducedWidth + 2)).map { $0 * factor }) { _ in plan.spline }
        blurring = HorizontalWeights(starts: Array(0..<reducedWidth)) { [blurWeights] _ in blurWeights }
        enlarging = HorizontalWeights(starts: (0..<width).map { $0 / factor }) { plan.phases[$0 % factor] }
        let window = plan.spline.count
        rows =
            usesLinearLight
            ? .light(try LightRows(for: source, window: window), result: try WordRow(width: width))
            : .stored(try EdgeRows(for: source, window: window))
        wide = try WordRow(
            width: width, before: ReducedBlurPlan.overlap * factor, after: factor + reducing.taps)
        reduced = try WordRow(width: reducedWidth + 2, before: radius, after: radius + blurring.taps)
        blurredRows = try WordRing(count: 2 * radius + 1, width: reducedWidth)
        blurred = try WordRow(width: reducedWidth, after: enlarging.taps)
        enlargedRows = try WordRing(count: ReducedBlurPlan.overlap, width: width)
    }

    func restart() {
        switch rows {
        case .stored(let rows): rows.restart()
        case .light(let rows, _): rows.restart()
        }
        blurredRows.restart()
        enlargedRows.restart()
    }

    func blur(row y: Int, of source: Raster, into destination: UnsafeMutablePointer<UInt8>) {
        let last = y / plan.factor
        let window = enlargedRows.window((last - ReducedBlurPlan.overlap + 1)...last) { row, index in
            enlarge(row: index, of: source, into: row)
        }
        plan.phases[y % plan.factor].withUnsafeBufferPointer { weights in
            guard let weights = weights.baseAddress else { return }
            switch rows {
            case .stored:
                kernels.enlarge_rows(destination, window, weights, ReducedBlurPlan.overlap, size.width * 4)
            case .light(_, let result):
                kernels.resample_vertical_u16(
                    result.base, window, weights, ReducedBlurPlan.overlap, size.width * 4, 15)
                kernels.writeLight(result.base, into: destination, width: size.width)
            }
        }
    }

    /// Computes a row of the blurred image, reduced vertically only.
    private func enlarge(row index: Int, of source: Raster, into destination: UnsafeMutablePointer<Int16>) {
        // Windows of these rows are wholly outside the image: they are all equal.
        let (first, last) = (-ReducedBlurPlan.overlap, (size.height - 1) / plan.factor + 1)
        let radius = plan.blur.radius
        let window = blurredRows.window((index - radius)...(index + radius), clampedTo: first...last) { row, index in
            reduce(row: index, of: source, into: row)
        }
        blurWeights.withUnsafeBufferPointer { weights in
            guard let base = weights.baseAddress else { return }
            kernels.resample_vertical_u16(blurred.base, window, base, weights.count, reducedWidth * 4, 15)
        }
        enlarging.run(kernels, from: blurred.base, into: destination)
    }

    /// Computes a row of the reduced image, blurred horizontally.
    private func reduce(row index: Int, of source: Raster, into destination: UnsafeMutablePointer<Int16>) {
        let firstRow = index * plan.factor
        let window = firstRow..<(firstRow + plan.spline.count)
        plan.spline.withUnsafeBufferPointer { weights in
            guard let base = weights.baseAddress else { return }
            switch rows {
            case .stored(let rows):
                kernels.shrink_rows(wide.base, rows.window(window, of: source), base, weights.count, size.width * 4)
            case .light(let rows, _):
                kernels.resample_vertical_u16(
                    wide.base, rows.window(window, of: source), base, weights.count, size.width * 4, 15)
            }
        }
        wide.repeatEdges()
        reducing.run(kernels, from: wide.base - ReducedBlurPlan.overlap * plan.factor * 4, into: reduced.base)
        reduced.repeatEdges()
        blurring.run(kernels, from: reduced.base - (plan.blur.radius - 1) * 4, into: destination)
    }
}
