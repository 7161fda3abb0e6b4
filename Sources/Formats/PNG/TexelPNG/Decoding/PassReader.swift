import CPixelKernels
import TexelCodecs
import TexelCore
import TexelPixels

/// Reads the unfiltered rows of an image in the order of the file: those of the whole image, or of each of its passes.
struct PassReader: ~Copyable {
    private let passes: [InterlacePass]
    private let size: PixelSize
    private let source: any FilteredRows
    private let bitsPerPixel: Int
    private let stop: StopToken?
    private let kernels = texel_kernels_in_use().pointee
    private let memory: UnsafeMutablePointer<UInt8>
    private let rowSize: Int

    /// - Parameters:
    ///   - header: the header; its `inflatedBytes` have been checked against the limits.
    ///   - position: the position of the first IDAT chunk.
    init(_ file: PNGFile, _ header: PNGFile.Header, at position: Int, bitsPerPixel: Int, _ options: DecodeOptions) {
        self.bitsPerPixel = bitsPerPixel
        stop = options.stop
        let size = PixelSize(width: header.width, height: header.height)
        self.size = size
        passes = header.isInterlaced ? InterlacePass.adam7 : [InterlacePass.whole]
        let bytesPerRow = (size.width * bitsPerPixel + 7) / 8
        let data = PNGPixelData(file, at: position, waitsForChunks: false, options.stop)
        let inflater = Inflater(data)
        // The rows of the passes have different lengths.
        source =
            header.isInterlaced
            ? FilteredRowBuffer(inflater, piece: bytesPerRow + 1)
            : FilteredRowBuffer.rows(
                inflater, rowCount: size.height, bytesPerRow: bytesPerRow + 1, parallelism: options.parallelism)
        rowSize = bytesPerRow + PNGRowConverter.margin
        memory = .allocate(capacity: 2 * rowSize)
    }

    deinit { memory.deallocate() }

    /// Reads all rows.
    ///
    /// - Parameter take: called with the samples of a row (some more bytes are readable), the number of its pixels, its
    ///   pass, and its number in the image; returns false for invalid samples.
    /// - Returns: false if the data is damaged or has the wrong length, or if `take` returned false.
    /// - Throws: `stopped`.
    mutating func readRows(
        _ take: (UnsafePointer<UInt8>, _ width: Int, InterlacePass, _ y: Int) throws(TexelError) -> Bool
    ) throws(TexelError) -> Bool {
        for pass in passes {
            guard try readRows(of: pass, take) else {
                if let interruption = source.interruption { throw interruption }
                return false
            }
        }
        guard source.isAtEnd() else {
            if let interruption = source.interruption { throw interruption }
            return false
        }
        return true
    }

    private func readRows(
        of pass: InterlacePass,
        _ take: (UnsafePointer<UInt8>, _ width: Int, InterlacePass, _ y: Int) throws(TexelError) -> Bool
    ) throws(TexelError) -> Bool {
        let part = pass.size(of: size)
        guard part.width > 0, part.height > 0 else { return true }
        let rowBytes = (part.width * bitsPerPixel + 7) / 8
        memory.initialize(repeating: 0, count: 2 * rowSize)
        var (above, row) = (memory, memory + rowSize)
        for y in 0..<part.height {
            if y % 64 == 0 { try stop?.check() }
            guard let filtered = source.peek(rowBytes + 1), filtered[0] <= 4 else { return false }
            kernels.png_unfilter_row(
                row, filtered + 1, above, rowBytes, max(1, bitsPerPixel / 8), Int32(filtered[0]))
            source.take(rowBytes + 1)
            guard try take(row, part.width, pass, pass.y + y * pass.stepY) else { return false }
            swap(&above, &row)
        }
        return true
    }
}
