import CPixelKernels

/// The same plane of two pictures, and its Gaussian means, mean squares and mean products around each sample, row after
/// row. What lies outside of the plane is zero.
///
/// Keeps as many rows as a blur looks at.
final class BlurredPlane {
    let width: Int
    let height: Int
    private let quantityCount: Int
    private let kernels: texel_kernels

    private let values: FloatRows
    private let products: FloatRows
    /// A ring for each quantity, blurred across.
    private let across: FloatRows
    /// The last two outputs of each quantity's oscillators.
    private let oscillators: FloatRows
    private let results: FloatRows
    /// Which half of the oscillators is the older one.
    private var isFirstHalfOlder = false

    /// What is blurred, and its order in memory.
    enum Quantity: Int, CaseIterable {
        case first, second, firstSquares, secondSquares, products
    }

    /// How many rows below row `y` must have been added before its means are there.
    static let rowsBelow = Int(texel_blur_radius) - 1
    private static let rowsAbove = Int(texel_blur_radius) + 1
    private static let ringRows = rowsAbove + 1 + rowsBelow
    private static let oscillatorCount = 3

    /// - Parameter hasProducts: whether squares and products are wanted as well.
    /// - Throws: `outOfMemory`, `resultTooLarge`.
    init(_ size: PixelSize, hasProducts: Bool) throws(PixelBufferError) {
        width = size.width
        height = size.height
        quantityCount = hasProducts ? Quantity.allCases.count : 2
        kernels = texel_kernels_in_use().pointee
        values = try FloatRows(rows: 2 * (Self.rowsBelow + 1), width: width)
        products = try FloatRows(rows: 3, width: width)
        // The row behind the rings stays zero.
        across = try FloatRows(rows: quantityCount * Self.ringRows + 1, width: width)
        oscillators = try FloatRows(rows: quantityCount * 2 * Self.oscillatorCount, width: width)
        results = try FloatRows(rows: Quantity.allCases.count, width: width)
    }

    /// Where row `y` of the first picture's plane is to be written, and lies until its means have been looked at.
    func first(_ y: Int) -> UnsafeMutablePointer<Float> { values[y % (Self.rowsBelow + 1)] }

    /// Likewise of the second picture's.
    func second(_ y: Int) -> UnsafeMutablePointer<Float> { values[Self.rowsBelow + 1 + y % (Self.rowsBelow + 1)] }

    /// The means around the row that was looked at last.
    func means(_ quantity: Quantity) -> UnsafePointer<Float> { UnsafePointer(results[quantity.rawValue]) }

    /// Row `y`, which has been written, as sources of blurs, with their destinations.
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

    /// Takes row `y`, which has been blurred across, and makes the means around row `y` − `rowsBelow`; rows behind the
    /// plane's last one count as zero.
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
