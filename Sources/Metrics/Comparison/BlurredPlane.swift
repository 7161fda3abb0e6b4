import CPixelKernels
import TexelCore
import TexelPixels

/// The same plane of two images, and the Gaussian means of its samples, squares and products around each sample, row by
/// row. Samples outside the plane are zero.
///
/// Keeps only as many rows as a blur needs.
final class BlurredPlane {
    let width: Int
    let height: Int
    private let quantityCount: Int
    private let kernels: texel_kernels

    private let values: FloatRows
    private let products: FloatRows
    /// A ring of rows for each quantity, blurred horizontally.
    private let across: FloatRows
    /// The last two outputs of each quantity's oscillators.
    private let oscillators: FloatRows
    private let results: FloatRows
    /// Whether the first half of the oscillator rows is the older one.
    private var isFirstHalfOlder = false

    /// The quantities that are blurred, in their order in memory.
    enum Quantity: Int, CaseIterable {
        case first, second, firstSquares, secondSquares, products
    }

    /// The number of rows below row `y` that must have been added before its means are available.
    static let rowsBelow = Int(texel_blur_radius) - 1
    private static let rowsAbove = Int(texel_blur_radius) + 1
    private static let ringRows = rowsAbove + 1 + rowsBelow
    private static let oscillatorCount = 3

    /// Allocates the rows.
    ///
    /// - Parameter hasProducts: whether squares and products are blurred as well.
    /// - Throws: `outOfMemory`, `resultTooLarge`.
    init(_ size: PixelSize, hasProducts: Bool) throws(TexelError) {
        width = size.width
        height = size.height
        quantityCount = hasProducts ? Quantity.allCases.count : 2
        kernels = texel_kernels_in_use().pointee
        values = try FloatRows(rows: 2 * (Self.rowsBelow + 1), width: width)
        products = try FloatRows(rows: 3, width: width)
        // The row after the rings stays zero.
        across = try FloatRows(rows: quantityCount * Self.ringRows + 1, width: width)
        oscillators = try FloatRows(rows: quantityCount * 2 * Self.oscillatorCount, width: width)
        results = try FloatRows(rows: Quantity.allCases.count, width: width)
    }

    /// Returns the memory for row `y` of the first image's plane; it is kept until its means have been computed.
    func first(_ y: Int) -> UnsafeMutablePointer<Float> { values[y % (Self.rowsBelow + 1)] }

    /// Returns the memory for row `y` of the second image's plane.
    func second(_ y: Int) -> UnsafeMutablePointer<Float> { values[Self.rowsBelow + 1 + y % (Self.rowsBelow + 1)] }

    /// Returns the means around the last blurred row.
    func means(_ quantity: Quantity) -> UnsafePointer<Float> { UnsafePointer(results[quantity.rawValue]) }

    /// Appends the quantities of row `y`, which has been written, as sources of horizontal blurs, with their
    /// destinations.
    func appendBlurs(
        _ y: Int, sources: inout [UnsafePointer<Float>], destinations: inout [UnsafeMutablePointer<Float>]
    ) {
        sources += [UnsafePointer(first(y)), UnsafePointer(second(y))]
        if quantityCount > 2 {
            kernels.metric_multiply_rows(products[0], products[1], products[2], first(y), second(y), width)
            sources += [UnsafePointer(products[1]), UnsafePointer(products[2]), UnsafePointer(products[0])]
        }
        destinations += (0..<quantityCount).map { ring($0, y) }
    }

    /// Computes the means around row `y` − `rowsBelow` after row `y` has been blurred horizontally. Rows past the last
    /// one of the plane count as zero.
    func blurDown(_ y: Int) {
        let center = y - Self.rowsBelow
        let older = isFirstHalfOlder ? 0 : 1
        isFirstHalfOlder.toggle()
        for quantity in 0..<quantityCount {
            let upper = center - Self.rowsAbove
            let zero = across[quantityCount * Self.ringRows]
            kernels.metric_blur_down(
                results[quantity], oscillatorRows(quantity, half: older),
                oscillatorRows(quantity, half: 1 - older).map { UnsafePointer($0) },
                upper >= 0 ? ring(quantity, upper) : zero, y < height ? ring(quantity, y) : zero, width,
                [.sigmaOneAndAHalf])
        }
    }

    private func ring(_ quantity: Int, _ y: Int) -> UnsafeMutablePointer<Float> {
        across[quantity * Self.ringRows + y % Self.ringRows]
    }

    private func oscillatorRows(_ quantity: Int, half: Int) -> [UnsafeMutablePointer<Float>] {
        (0..<Self.oscillatorCount).map { oscillators[(quantity * 2 + half) * Self.oscillatorCount + $0] }
    }
}
