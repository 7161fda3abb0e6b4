import TexelCodecs
import TexelCore

/// Reads compressed strips row by row, so that a strip is never in memory as a whole.
final class TIFFLibraryStrips: TIFFPlaneReader {
    let hasFileOrder = false
    private let context: TIFFPlaneContext
    private let decoder: TIFFLibraryDecoder
    private let row: TIFFMemory
    private var unit = 0
    /// Whether the rest of the current strip cannot be decoded.
    private var hasFailed = false
    private var missesRows = false

    init(_ context: TIFFPlaneContext) throws(TexelError) {
        self.context = context
        decoder = try TIFFLibraryDecoder(context)
        row = try TIFFMemory(context.layout.bytesOfUnit)
    }

    func next() throws(TexelError) -> UnsafePointer<UInt8>? {
        let layout = context.layout
        let (strip, position) = unit.quotientAndRemainder(dividingBy: layout.unitsOfPart)
        if position == 0 {
            // A tolerant decoder decodes what there is of the strip.
            hasFailed = false
            if !context.isTolerant { _ = try context.arrivedRange(of: strip, row: strip) }
        }
        let index = unit
        unit += 1
        if hasFailed { return nil }
        if try decoder.readRow(index, into: row.base, count: layout.bytesOfUnit) { return UnsafePointer(row.base) }
        (hasFailed, missesRows) = (true, true)
        return nil
    }

    var warning: String? { decoder.message ?? (missesRows ? "rows are missing" : nil) }
}
