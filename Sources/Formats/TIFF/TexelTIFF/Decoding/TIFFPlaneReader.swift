import TexelCodecs
import TexelCore

/// The stored rows of one plane, from top to bottom.
protocol TIFFPlaneReader: AnyObject {
    /// Whether numbers of two bytes are in the file's byte order, not in that of the machine.
    var hasFileOrder: Bool { get }

    /// Returns the next stored row, which is valid until the next call.
    ///
    /// - Returns: `nil` for a row that is missing or damaged, if the strictness accepts that.
    /// - Throws: `truncated`, `damaged`, `outOfMemory`, `stopped`.
    func next() throws(TexelError) -> UnsafePointer<UInt8>?

    /// The first of the messages of accepted damage.
    var warning: String? { get }
}

/// The context of all readers of planes.
struct TIFFPlaneContext {
    let input: TIFFInput
    let layout: TIFFLayout
    let parts: TIFFParts
    let plane: Int
    /// The directory of the page.
    let directory: TIFFFileDirectory
    let options: DecodeOptions

    /// Whether missing and damaged rows become black or transparent.
    var isTolerant: Bool { options.policy.strictness == .none }

    /// Returns the range of a part after its bytes have arrived; `nil` if it is missing and the strictness accepts
    /// that.
    ///
    /// - Parameter row: the row of parts.
    /// - Throws: `truncated`, `damaged`, `stopped`.
    func arrivedRange(of part: Int, row: Int) throws(TexelError) -> Range<Int>? {
        guard let range = try parts.range(of: part, plane: plane, options.stop) else {
            if isTolerant { return nil }
            throw .tiff(.corrupt("a strip or tile is missing"))
        }
        if try input.bytes.has(range.upperBound, options.stop) { return range }
        if isTolerant { return nil }
        throw truncation(units: row * layout.unitsOfPart)
    }

    /// The error for a file that ends after `units` stored rows.
    func truncation(units: Int) -> TexelError {
        let rows = layout.size.height
        return .truncated(rowsRead: min(units * layout.rowsOfUnit, rows), rows: rows)
    }
}
