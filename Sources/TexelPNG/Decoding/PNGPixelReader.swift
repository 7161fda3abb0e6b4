import TexelCodecs
import CPixelKernels
import TexelPixels

/// Decodes the rows of the most common PNG files without libpng: eight or sixteen bits, not interlaced, no colour key.
///
/// Reports no errors: it stops at the first defect, and libpng then decodes the file and reports the error.
final class PNGPixelReader {
    private enum Kind {
        case gray, rgb, grayAlpha, rgba
        /// The palette as straight pixels 0xAARRGGBB.
        case palette([UInt32])
    }

    private let kind: Kind
    private let width: Int
    private let channels: Int
    private let bytesPerPixel: Int
    private var rowsLeft: Int
    private let source: any FilteredRows
    private let kernels = texel_kernels_in_use().pointee
    /// The row before the next two, and buffers for these two.
    private var above: UnsafeMutablePointer<UInt8>
    private var (first, second): (UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<UInt8>)
    private let memory: UnsafeMutablePointer<UInt8>
    /// A row of 16-bit samples converted to eight bits.
    private let narrow: UnsafeMutablePointer<UInt8>?
    /// Whether these are dithered.
    private let dithers: Bool
    private let height: Int

    /// Kernels may access some bytes after a row.
    private static let margin = 64

    private var bytesPerRow: Int { width * bytesPerPixel }

    /// Returns whether this reader supports the file; the file must have pixels.
    static func reads(_ header: PNGFile.Header, _ chunks: PNGChunkWalk) -> Bool {
        let hasColorKey = header.colorType != 3 && chunks.head.contains { $0.name == "tRNS" }
        return header.bitDepth >= 8 && !header.isInterlaced && !hasColorKey
    }

    /// The error that ended the input, if it failed.
    var interruption: CodecError? { source.interruption }

    /// - Parameters:
    ///   - pixels: the position of the first IDAT chunk.
    ///   - palette: for colour type 3, straight pixels 0xAARRGGBB.
    init?(
        _ file: PNGFile, _ header: PNGFile.Header, pixels: Int, palette: [UInt32], options: DecodeOptions
    ) {
        switch header.colorType {
        case 0: (kind, channels) = (.gray, 1)
        case 2: (kind, channels) = (.rgb, 3)
        case 3: (kind, channels) = (.palette(palette), 1)
        case 4: (kind, channels) = (.grayAlpha, 2)
        case 6: (kind, channels) = (.rgba, 4)
        default: return nil
        }
        width = header.width
        height = header.height
        dithers = options.dithers
        bytesPerPixel = channels * header.bitDepth / 8
        rowsLeft = header.height
        let bytesPerRow = width * bytesPerPixel
        let (count, isTooLarge) = header.height.multipliedReportingOverflow(by: bytesPerRow + 1)
        // If damage is accepted, rows that were returned before it are kept, so they must be final.
        let data = PNGPixelData(
            file, at: pixels, waitsForChunks: options.policy.strictness == .none, options.stop)
        let inflater = Inflater(data, count: isTooLarge ? .max : count)
        source = FilteredRowBuffer.rows(
            inflater, rowCount: header.height, bytesPerRow: bytesPerRow + 1, parallelism: options.parallelism)
        let size = bytesPerRow + Self.margin
        memory = .allocate(capacity: 3 * size)
        memory.initialize(repeating: 0, count: 3 * size)
        above = memory
        first = memory + size
        second = first + size
        narrow = header.bitDepth == 16 ? .allocate(capacity: width * channels + Self.margin) : nil
    }

    deinit {
        memory.deallocate()
        narrow?.deallocate()
    }

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
        var row = row
        if let narrow, dithers {
            Dithering.narrow(row, to: narrow, pixels: width, channels: channels, y: height - 1 - rowsLeft)
            row = UnsafePointer(narrow)
        } else if let narrow {
            kernels.png_narrow_row(narrow, row, width * channels)
            row = UnsafePointer(narrow)
        }
        return unpack(row, into: pixels) && (rowsLeft > 0 || source.isAtEnd())
    }

    /// Converts a row to pixels; returns false for an index that is not in the palette.
    private func unpack(_ row: UnsafePointer<UInt8>, into bytes: UnsafeMutablePointer<UInt8>) -> Bool {
        switch kind {
        case .rgb: kernels.unpack_rgb_row(bytes, row, width)
        case .rgba: kernels.pack_rgba_row(bytes, row, width)
        case .gray, .grayAlpha, .palette:
            return UnsafeMutableRawPointer(bytes).withMemoryRebound(to: UInt32.self, capacity: width) {
                unpackWords(row, into: $0)
            }
        }
        return true
    }

    private func unpackWords(
        _ row: UnsafePointer<UInt8>, into pixels: UnsafeMutablePointer<UInt32>
    ) -> Bool {
        switch kind {
        case .rgb, .rgba: break
        case .gray:
            for x in 0..<width { pixels[x] = 0xFF00_0000 | UInt32(row[x]) &* 0x1_0101 }
        case .grayAlpha:
            for x in 0..<width {
                pixels[x] = UInt32(row[2 * x + 1]) << 24 | UInt32(row[2 * x]) &* 0x1_0101
            }
        case .palette(let colors):
            return colors.withUnsafeBufferPointer { colors in
                for x in 0..<width {
                    let index = Int(row[x])
                    guard index < colors.count else { return false }
                    pixels[x] = colors[index]
                }
                return true
            }
        }
        return true
    }
}
