/// Which axis is filtered first.
///
/// What lies between the passes is rounded and clamped to a byte, so where a filter overshoots at a sharp edge the
/// order can be seen.
package enum PassOrder: Sendable, Hashable {
    case horizontalFirst
    case verticalFirst

    /// Horizontal first, unless the vertical pass takes away more than twice as many rows as the other columns: the
    /// choice that Pillow 13 makes, found by trying it on thousands of sizes. Earlier versions of it never turn round.
    package init(source: PixelSize, target: PixelSize) {
        let columns = source.width - target.width
        let rows = source.height - target.height
        self = rows > 0 && rows > 2 * columns ? .verticalFirst : .horizontalFirst
    }

    /// The same order for a picture lying on its side.
    package var transposed: PassOrder { self == .horizontalFirst ? .verticalFirst : .horizontalFirst }
}
