import TexelOperations
import TexelPixels

/// Which rows a step reads, for `--explain`.
extension RowStep {
    /// How many rows of an image of this size a streamed step reads for a row of its result.
    func rowUse(_ size: PixelSize) -> String {
        let count = rowsNeeded(size)
        return count <= 1 ? "row by row" : "as rows arrive, \(count) at a time"
    }

    /// Why a step needs the whole image in memory, or that it is there already.
    ///
    /// - Parameter isFirst: whether it is not there for another step.
    func useInMemory(_ size: PixelSize, isFirst: Bool) -> String {
        if inspectsImage || surveysSource { return "on the whole image, which is inspected first" }
        let count = rowsNeeded(size)
        if count == size.height, count > 1 { return "on the whole image: each row may depend on all rows" }
        guard isFirst else { return "in memory" }
        let last = outputSize(of: size).height - 1
        if sourceRows(for: 0..<1, of: size).lowerBound > sourceRows(for: last..<(last + 1), of: size).lowerBound {
            return "on the whole image: rows are needed from bottom to top"
        }
        return "buffered: the step needs \(count) of \(size.height) rows at a time"
    }

    /// The rows that a row in the middle of the result depends on.
    private func rowsNeeded(_ size: PixelSize) -> Int {
        let middle = outputSize(of: size).height / 2
        return sourceRows(for: middle..<(middle + 1), of: size).count
    }
}
