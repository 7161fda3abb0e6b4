import TexelCodecs
import TexelCore
import TexelPixels

/// Decodes a BMP to BGRA32 rows from the top.
///
/// Most files begin with the bottom row, so all of their bytes must arrive before the first row is returned. No memory
/// for the image is needed: rows are read from the file in reverse.
final class BMPDecoder: RowDecoder {
    let size: PixelSize
    let alphaMode: AlphaMode
    let colorSpace: ColorSpace

    private let header: BMPHeader
    private let bytes: InputBytes
    private let options: DecodeOptions
    private let metadata: ImageMetadata
    /// Faults of the file: first those without an effect on the pixels, then the others.
    private var warnings: [String]
    private let stored: BMPStoredRows
    private let runs: BMPRunRows?
    private let colors: [UInt32]
    /// Made before the first row, because pixels may be needed to tell whether alpha has a meaning.
    private var converter: BMPRowConverter?
    private var rowsRead = 0

    /// Stands for an index beyond the palette where that is an error. No palette has a colour with this alpha.
    private static let noColor: UInt32 = 0x0100_0000
    private static let black: UInt32 = 0xFF00_0000

    /// - Parameters:
    ///   - index: the rows of a file with run-length codes.
    ///   - metadata: what `finish()` returns.
    init(
        _ header: BMPHeader, _ index: BMPRowIndex?, in bytes: InputBytes, colorSpace: ColorSpace,
        metadata: ImageMetadata, _ options: DecodeOptions
    ) throws(TexelError) {
        try options.policy.limits.check(header.size)
        (self.header, self.bytes, self.options) = (header, bytes, options)
        (self.colorSpace, self.metadata, warnings) = (colorSpace, metadata, header.warnings)
        size = header.size
        alphaMode = header.hasAlpha || index?.hasGaps == true ? .straight : .opaque
        stored = BMPStoredRows(header, in: bytes, options.stop)
        let missing = max(0, (header.bitsPerPixel <= 8 ? 1 << header.bitsPerPixel : 0) - header.palette.count)
        let refusesDefects = options.policy.strictness == .error || options.policy.strictness == .warning
        colors = header.palette + Array(repeating: refusesDefects ? Self.noColor : Self.black, count: missing)
        runs =
            if let index, case .runLength(let bits) = header.coding {
                BMPRunRows(index, bits: bits, colors: colors, in: bytes)
            } else { nil }
    }

    func readRows(_ count: Int, into rows: UnsafeMutableRawPointer, bytesPerRow: Int) throws(TexelError) {
        try options.stop?.check()
        if rowsRead == 0, options.policy.strictness == .warning, let warning = warnings.first {
            throw .warning(warning)
        }
        let available = try availableRows(rowsRead + count)
        for y in 0..<count {
            // The caller's memory holds `count` rows of `size.width` pixels each.
            let row = UnsafeMutableBufferPointer(
                start: (rows + y * bytesPerRow).assumingMemoryBound(to: UInt32.self), count: size.width)
            let number = header.isTopDown ? rowsRead : size.height - 1 - rowsRead
            try decode(number, isComplete: number < available, into: row)
            rowsRead += 1
        }
    }

    /// Waits for the rows that the next `count` rows of the image need; returns the number of rows at the beginning of
    /// the file that are complete.
    ///
    /// - Throws: `truncated` if the strictness does not accept missing rows; `damaged`, `stopped`.
    private func availableRows(_ count: Int) throws(TexelError) -> Int {
        let needed = header.isTopDown ? count : size.height
        let available = if let runs { runs.index.completeRows } else { try stored.wait(for: needed) }
        if available < needed {
            guard options.policy.strictness == .none else {
                throw .truncated(rowsRead: available, rows: size.height)
            }
            note("the image is truncated")
        }
        if runs?.index.hasExcess == true {
            guard options.policy.strictness == .none || options.policy.strictness == .truncated else {
                throw .bmp(.corrupt(Self.excess))
            }
            note(Self.excess)
        }
        return available
    }

    private static let excess = "run-length codes continue beyond the end of a row"

    private func note(_ warning: String) {
        if warnings.last != warning { warnings.append(warning) }
    }

    /// Decodes row `number` of the file.
    private func decode(
        _ number: Int, isComplete: Bool, into row: UnsafeMutableBufferPointer<UInt32>
    ) throws(TexelError) {
        if let runs {
            // Pixels without a code are transparent; only those that are missing in a truncated file may be black.
            row.update(repeating: alphaMode == .opaque ? Self.black : 0)
            runs.decode(number, into: row)
        } else if isComplete {
            let converter = if let converter { converter } else { try makeConverter() }
            self.converter = converter
            converter.convert(stored.row(number), into: row)
            extendLifetime(bytes)
        } else {
            row.update(repeating: alphaMode == .opaque ? Self.black : 0)
        }
        if colors.last == Self.noColor, row.contains(Self.noColor) {
            throw .bmp(.corrupt("an index is beyond the \(header.palette.count) colours of the palette"))
        }
    }

    private func makeConverter() throws(TexelError) -> BMPRowConverter {
        let isVisible = try stored.hasVisiblePixel()
        return BMPRowConverter(header, colors: colors, ignoresAlpha: !isVisible)
    }

    func finish() throws(TexelError) -> DecoderResult {
        DecoderResult(metadata: metadata, warnings: Array(warnings.prefix(1)))
    }
}
