import CPixelKernels
import TexelCodecs
import TexelCore
import TexelPixels

/// Decodes the rows of a PNG that is not interlaced, without libpng.
///
/// Reports no errors: it stops at the first defect, and libpng then decodes the file and reports the error.
final class PNGPixelReader {
    private let converter: PNGRowConverter
    private let width: Int
    private let height: Int
    private var rowsLeft: Int
    private let source: any FilteredRows
    private let kernels = texel_kernels_in_use().pointee
    private let bytesPerRow: Int
    private let bytesPerPixel: Int
    /// The row before the next two, and buffers for these two.
    private var above: UnsafeMutablePointer<UInt8>
    private var (first, second): (UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<UInt8>)
    private let memory: UnsafeMutablePointer<UInt8>

    /// The error that ended the input, if it failed.
    var interruption: TexelError? { source.interruption }

    /// - Parameter pixels: the position of the first IDAT chunk.
    init(
        _ file: PNGFile, _ header: PNGFile.Header, pixels: Int, _ converter: PNGRowConverter, options: DecodeOptions
    ) {
        self.converter = converter
        width = header.width
        height = header.height
        rowsLeft = header.height
        bytesPerRow = (header.width * converter.bitsPerPixel + 7) / 8
        bytesPerPixel = max(1, converter.bitsPerPixel / 8)
        // If damage is accepted, rows that were returned before it are kept, so they must be final.
        let data = PNGPixelData(
            file, at: pixels, waitsForChunks: options.policy.strictness == .none, options.stop)
        source = FilteredRowBuffer.rows(
            Inflater(data), rowCount: header.height, bytesPerRow: bytesPerRow + 1, parallelism: options.parallelism)
        let size = bytesPerRow + PNGRowConverter.margin
        memory = .allocate(capacity: 3 * size)
        memory.initialize(repeating: 0, count: 3 * size)
        above = memory
        first = memory + size
        second = first + size
    }

    deinit { memory.deallocate() }

    /// Reads the next rows as BGRA, up to `count`; returns the number of valid rows.
    func read(_ count: Int, into rows: UnsafeMutableRawPointer, bytesPerRow: Int) -> Int {
        var done = 0
        while done < count {
            let pixels = (rows + done * bytesPerRow).assumingMemoryBound(to: UInt8.self)
            if count - done >= 2, rowsLeft >= 2, unfilterTwoRows() {
                guard deliver(first, to: pixels) else { return done }
                guard deliver(second, to: pixels + bytesPerRow) else { return done + 1 }
                swap(&above, &second)
                done += 2
            } else {
                guard unfilterRow(), deliver(first, to: pixels) else { return done }
                swap(&above, &first)
                done += 1
            }
        }
        return done
    }

    /// Unfilters two rows; returns false if they are missing or damaged.
    private func unfilterTwoRows() -> Bool {
        guard let filtered = source.peek(2 * (bytesPerRow + 1)), filtered[0] <= 4, filtered[bytesPerRow + 1] <= 4
        else { return false }
        let next = filtered + bytesPerRow + 1
        kernels.png_unfilter_two_rows(
            [first, second], [filtered + 1, next + 1], above, bytesPerRow, bytesPerPixel,
            [Int32(filtered[0]), Int32(next[0])])
        source.take(2 * (bytesPerRow + 1))
        return true
    }

    private func unfilterRow() -> Bool {
        guard rowsLeft > 0, let filtered = source.peek(bytesPerRow + 1), filtered[0] <= 4 else { return false }
        kernels.png_unfilter_row(first, filtered + 1, above, bytesPerRow, bytesPerPixel, Int32(filtered[0]))
        source.take(bytesPerRow + 1)
        return true
    }

    /// Writes a row's pixels; returns false if they are invalid or, after the last row, if the stream does not end.
    private func deliver(_ row: UnsafePointer<UInt8>, to pixels: UnsafeMutablePointer<UInt8>) -> Bool {
        rowsLeft -= 1
        return converter.convert(row, width: width, y: height - 1 - rowsLeft, into: pixels)
            && (rowsLeft > 0 || source.isAtEnd())
    }
}
