import Synchronization

/// Two sums of each row that threads compute, added in the order of the rows, so that the total does not depend on the
/// threads.
package final class RowSums: Sendable {
    private let sums: Mutex<[SIMD2<Double>]>

    package init(count: Int) { sums = Mutex([SIMD2<Double>](repeating: .zero, count: count)) }

    /// Sets the sums of a row.
    package func set(_ row: Int, _ values: SIMD2<Double>) { sums.withLock { $0[row] = values } }

    /// The sums of all rows.
    package var total: SIMD2<Double> { sums.withLock { $0.reduce(.zero, +) } }
}
