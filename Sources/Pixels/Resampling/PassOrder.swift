/// The order of the horizontal and the vertical pass.
///
/// The result of the first pass is rounded and clamped to bytes, so the order matters where a filter overshoots at a
/// sharp edge.
package enum PassOrder: Sendable, Hashable {
    case horizontalFirst
    case verticalFirst

    /// Chooses horizontal first, unless the vertical pass removes more than twice as many rows as the horizontal one
    /// removes columns. Pillow 13 makes the same choice (determined by experiments with thousands of sizes); earlier
    /// versions always start with the horizontal pass.
    package init(source: PixelSize, target: PixelSize) {
        let columns = source.width - target.width
        let rows = source.height - target.height
        self = rows > 0 && rows > 2 * columns ? .verticalFirst : .horizontalFirst
    }

    /// The same order for the transposed image.
    package var transposed: PassOrder { self == .horizontalFirst ? .verticalFirst : .horizontalFirst }
}
