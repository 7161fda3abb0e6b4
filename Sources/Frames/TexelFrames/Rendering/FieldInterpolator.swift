import CPixelKernels
import TexelCore
import TexelPixels

/// Makes rows of a whole image of one field: those of the field are copied, those of the other field are interpolated.
///
/// The method is the one that FFmpeg calls bwdif. It has three parts: the three-field filter of M. Weston (BBC Research
/// & Development), which adds the high frequencies of the fields before and after to the low ones of the shown field;
/// cubic interpolation of the shown field if it has no edge; and the limits of M. Niedermayer's yadif, so that parts
/// without motion keep the rows of the other field. Rows outside the image are mirrored at its first and last rows,
/// which keeps them in their field.
final class FieldInterpolator {
    private let before: PlaneReader
    private let frame: PlaneReader
    private let after: PlaneReader
    private let kernels = texel_kernels_in_use().pointee
    private let bits: Int

    /// The rows above and below a missing one that its samples depend on.
    private static let reach = 4

    init(_ layout: SampleLayout, bandBytes: Int) throws(TexelError) {
        func reader() throws(TexelError) -> PlaneReader {
            try PlaneReader(layout, bandBytes: bandBytes, extraRows: PlaneReader.extraRows + 2 * Self.reach)
        }
        (before, frame, after) = (try reader(), try reader(), try reader())
        bits = if case .yuv(let format, _) = layout.format, format.bytesPerSample == 2 { 10 } else { 8 }
    }

    /// Writes rows of a plane.
    ///
    /// - Parameters:
    ///   - rows: The rows.
    ///   - index: The index of the plane.
    ///   - plane: The plane.
    ///   - field: The field that is shown.
    ///   - number: The frame's number, for errors.
    ///   - destination: Receives the rows, without padding.
    func write(
        _ rows: Range<Int>, ofPlane index: Int, _ plane: SampleLayout.Plane, of field: DeinterlacedField,
        frame number: Int, to destination: UnsafeMutableRawPointer
    ) throws(TexelError) {
        let needed = max(0, rows.lowerBound - Self.reach)..<min(plane.rowCount, rows.upperBound + Self.reach)
        func read(_ reader: PlaneReader, _ held: HeldSamples) throws(TexelError) -> Rows {
            let found = try reader.rows(needed, ofPlane: index, of: held.image.origin, frame: number)
            return Rows(rows: found, first: needed.lowerBound, count: plane.rowCount)
        }
        let current = try read(frame, field.frame)
        let (before, after) = (try read(before, field.before), try read(after, field.after))
        let sampleCount = bits > 8 ? plane.bytesPerRow / 2 : plane.bytesPerRow
        for y in rows {
            let row = destination + (y - rows.lowerBound) * plane.bytesPerRow
            // A plane of one row has no other field.
            if y % 2 == field.firstRow || plane.rowCount == 1 {
                row.copyMemory(from: current[y], byteCount: plane.bytesPerRow)
                continue
            }
            let (past, future) = field.isSecond ? (current, after) : (before, current)
            let sources = texel_field_rows(
                before: (past[y - 4], past[y - 2], past[y], past[y + 2], past[y + 4]),
                after: (future[y - 4], future[y - 2], future[y], future[y + 2], future[y + 4]),
                shown: (current[y - 3], current[y - 1], current[y + 1], current[y + 3]),
                earlier: (before[y - 1], before[y + 1]), later: (after[y - 1], after[y + 1]))
            withUnsafePointer(to: sources) {
                kernels.missing_field_row(row.assumingMemoryBound(to: UInt8.self), $0, Int32(bits), sampleCount)
            }
        }
    }

    /// Some rows of a plane; rows outside the plane are mirrored.
    private struct Rows {
        var rows: PlaneRows
        /// The first row in memory.
        var first: Int
        /// The number of rows of the plane, at least two.
        var count: Int

        subscript(_ y: Int) -> UnsafePointer<UInt8> {
            var y = y
            while y < 0 || y >= count { y = y < 0 ? -y : 2 * (count - 1) - y }
            return (rows.base + (y - first) * rows.bytesPerRow).assumingMemoryBound(to: UInt8.self)
        }
    }
}
