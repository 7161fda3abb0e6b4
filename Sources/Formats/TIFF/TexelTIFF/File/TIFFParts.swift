import TexelCodecs
import TexelCore

/// Where the strips or tiles of a page are in the file.
struct TIFFParts: Sendable {
    private let input: TIFFInput
    private let offsets: TIFFEntry
    private let counts: TIFFEntry?
    private let layout: TIFFLayout

    /// - Throws: `damaged` if a field is missing or has too few numbers; `truncated`, `stopped`.
    init(
        _ directory: TIFFFileDirectory, _ layout: TIFFLayout, in input: TIFFInput, _ stop: StopToken?
    ) throws(TexelError) {
        // Some writers give tiles the fields of strips.
        let tiles = layout.isTiled ? directory[TIFFTag.tileOffsets] : nil
        guard let offsets = tiles ?? directory[TIFFTag.stripOffsets] else {
            throw .tiff(.missing(layout.isTiled ? "TileOffsets" : "StripOffsets"))
        }
        counts =
            directory[layout.isTiled ? TIFFTag.tileByteCounts : TIFFTag.stripByteCounts]
            ?? directory[TIFFTag.stripByteCounts]
        (self.input, self.offsets, self.layout) = (input, offsets, layout)
        guard counts != nil || layout.compression == .none || layout.partsOfPlane == 1 else {
            throw .tiff(.missing(layout.isTiled ? "TileByteCounts" : "StripByteCounts"))
        }
        let (total, overflow) = layout.partsOfPlane.multipliedReportingOverflow(by: layout.planeCount)
        guard overflow || total > Self.freeParts else { return }
        // Without this, a file of some bytes could declare a part for each pixel, and take hours.
        guard !overflow, offsets.count >= total, let range = offsets.range else {
            throw .tiff(.corrupt("the file has \(offsets.count) strips or tiles, but the image has more"))
        }
        guard try input.bytes.has(range.upperBound, stop) else { throw .truncated(rowsRead: 0, rows: 0) }
    }

    /// The number of parts that may be missing from the file's list.
    private static let freeParts = 65_536

    /// The bytes of an uncompressed part.
    private func uncompressedCount(of part: Int) -> Int {
        // Checked by the layout: the size of a strip of the image's height may overflow only in memory that no file
        // has.
        let units = layout.units(ofPartRow: part / layout.partsAcross)
        let (count, overflow) = layout.bytesOfUnit.multipliedReportingOverflow(by: units)
        return overflow ? .max : count
    }

    /// The number of bytes to the end of the file: the only part may have them all if its size is not known.
    private func rest(from offset: Int, _ stop: StopToken?) throws(TexelError) -> Int {
        max(0, try input.bytes.wait(for: .max, stop) - offset)
    }

    /// Returns the range of a strip or tile in the file; it may be outside. `nil` if the file has none.
    ///
    /// - Parameters:
    ///   - part: below ``TIFFLayout/partsOfPlane``.
    ///   - plane: below ``TIFFLayout/planeCount``.
    /// - Throws: `stopped`.
    func range(of part: Int, plane: Int, _ stop: StopToken?) throws(TexelError) -> Range<Int>? {
        let index = plane * layout.partsOfPlane + part
        guard let offset = try input.unsigned(offsets, at: index, stop).flatMap({ Int(exactly: $0) }), offset > 0
        else { return nil }
        let count: Int
        if layout.compression == .none {
            // Counts of uncompressed strips are often wrong, and not needed.
            count = uncompressedCount(of: part)
        } else if let counts {
            guard let value = try input.unsigned(counts, at: index, stop).flatMap({ Int(exactly: $0) }) else {
                return nil
            }
            count = value == 0 && layout.partsOfPlane == 1 ? try rest(from: offset, stop) : value
        } else {
            count = try rest(from: offset, stop)
        }
        let (end, overflow) = offset.addingReportingOverflow(count)
        guard count > 0, !overflow else { return nil }
        return offset..<end
    }
}
