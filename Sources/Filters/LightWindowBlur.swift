import CPixelKernels
import TexelCore
import TexelPixels

/// Blurs light with a window of weights: vertically, then along the row.
final class LightWindowBlur: RowBlur {
    private let kernels = texel_kernels_in_use().pointee
    private let weights: [Int16]
    private let radius: Int
    private let width: Int
    private let rows: LightRows
    private let words: WordRow
    private let blurred: WordRow
    private let blurring: HorizontalWeights

    init(_ weights: GaussianWeights, for source: RasterShape) throws(TexelError) {
        let window = weights.window
        self.weights = window
        radius = weights.radius
        width = source.size.width
        blurring = HorizontalWeights(starts: Array(0..<width)) { _ in window }
        rows = try LightRows(for: source, window: window.count)
        words = try WordRow(width: width, before: radius, after: blurring.taps)
        blurred = try WordRow(width: width)
    }

    func restart() { rows.restart() }

    func blur(row y: Int, of source: Raster, into destination: UnsafeMutablePointer<UInt8>) {
        let window = rows.window((y - radius)..<(y + radius + 1), of: source)
        weights.withUnsafeBufferPointer { weights in
            guard let base = weights.baseAddress else { return }
            kernels.resample_vertical_u16(words.base, window, base, weights.count, width * 4, 15)
        }
        words.repeatEdges()
        // The first window begins `radius` pixels before the row, and the last one ends at most `taps` after it.
        blurring.run(kernels, from: words.base - radius * 4, into: blurred.base)
        kernels.writeLight(blurred.base, into: destination, width: width)
    }
}
