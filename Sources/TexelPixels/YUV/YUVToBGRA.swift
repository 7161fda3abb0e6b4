import CPixelKernels

/// Converts rows of YUV to opaque BGRA, any band of an image at a time.
///
/// The memory is allocated once for a format and size; conversions allocate none. Bands may be converted in any order
/// and nothing is kept between them, so one converter can be used for many images. Use one converter per thread.
///
/// Chroma samples are centred between the pixels that share them. They are doubled by cubic convolution (B = 0, C =
/// 0.6), first the columns, then the rows, with edge samples repeated. Results are rounded once, at the end, also from
/// 10 bits.
///
/// Results are within 1 of those of ffmpeg 5 with `-sws_flags bicubic+accurate_rnd+full_chroma_int+full_chroma_inp` if
/// width and height are even and at least 16. Exceptions: ffmpeg weights the edge differently in the third row and
/// column, overflows for colours far outside RGB, stretches the chroma of odd sides by part of a pixel, and reads all
/// grey images as full range.
public final class YUVToBGRA {
    /// The format of the source.
    public let format: YUVFormat
    /// The matrix and range of the samples.
    public let color: YUVColor
    /// The size of the images, in pixels.
    public let size: PixelSize

    private let kernels: texel_kernels
    private let matrix: texel_yuv_matrix
    private let sampleBytes: Int32
    /// The words in each of the four parts of a chroma row: U in even and odd columns, then V.
    private let part: Int
    private let chromaSize: PixelSize
    private let storage: PixelStorage

    // The layout of the storage, in words. There is room for one vector on both sides of the row to be doubled.
    private var ring: UnsafeMutablePointer<Int16> { storage.base.assumingMemoryBound(to: Int16.self) }
    private var upper: UnsafeMutablePointer<Int16> { ring + Self.ringRows * 4 * part }
    private var lower: UnsafeMutablePointer<Int16> { upper + 4 * part }
    private var plainU: UnsafeMutablePointer<Int16> { lower + 4 * part + Self.margin }
    private var plainV: UnsafeMutablePointer<Int16> { plainU + 2 * part + 2 * Self.margin }

    /// The argument of the current conversion.
    private var usesNonTemporalStores = false

    private static let ringRows = 4
    private static let margin = Int(texel_chroma_multiple)

    /// Allocates the memory for a conversion.
    ///
    /// - Parameters:
    ///   - format: the layout of the samples; samples of two bytes are read as 10 bits for any bit depth above 8.
    ///   - color: the matrix and range of the samples.
    ///   - size: the size of the image in pixels.
    /// - Throws: `invalidSize`, `outOfMemory`.
    public init(_ format: YUVFormat, _ color: YUVColor, size: PixelSize) throws(PixelBufferError) {
        // Below this width no number of words or bytes overflows: a row needs less than a hundred bytes per pixel.
        guard size.width <= Int.max / 128 else { throw .invalidSize(size) }
        _ = try format.byteCount(of: size)
        self.format = format
        self.color = color
        self.sampleBytes = Int32(format.bytesPerSample)
        self.size = size
        self.kernels = texel_kernels_in_use().pointee
        let factors = YUVFactors(format, color)
        self.matrix = texel_yuv_matrix(
            luma: factors.luma, black: factors.black, red_v: factors.redV, green_u: factors.greenU,
            green_v: factors.greenV, blue_u: factors.blueU)
        let half = (size.width + 1) / 2
        self.part = (half + Self.margin - 1) / Self.margin * Self.margin
        self.chromaSize = format.sampling.chromaSize(of: size)
        // The ring, two more rows, and rows of U and V before doubling.
        let words = format.sampling == .none ? 1 : (Self.ringRows + 2) * 4 * part + 4 * part + 4 * Self.margin
        // Zeroed: words after the samples of a row are read, though they do not affect the result.
        self.storage = try PixelStorage(byteCount: words * MemoryLayout<Int16>.stride, zeroed: true)
    }

    /// Returns the chroma rows that `source` must have for a band of luma rows.
    public func chromaRows(for rows: Range<Int>) -> Range<Int> { format.chromaRows(for: rows, of: size) }

    /// Converts a band of rows. Traps if `rows` is outside the image.
    ///
    /// - Parameters:
    ///   - rows: rows of the image.
    ///   - source: contains these rows, and the chroma rows of ``chromaRows(for:)``.
    ///   - destination: receives the first pixel of the band; every row is `width * 4` bytes long.
    ///   - bytesPerRow: the distance between rows of the destination, in bytes.
    ///   - usesNonTemporalStores: whether pixels are stored bypassing the cache, which is faster if they would be evicted before
    ///     they are read. Has no effect on rows that do not begin at multiples of 64 bytes.
    public func convert(
        _ rows: Range<Int>, from source: YUVRows, to destination: UnsafeMutableRawPointer, bytesPerRow: Int,
        usesNonTemporalStores: Bool = false
    ) {
        precondition(rows.lowerBound >= 0 && rows.upperBound <= size.height, "the rows are outside of the image")
        self.usesNonTemporalStores = usesNonTemporalStores
        switch format.sampling {
        case .none:
            for y in rows { write(y, nil, from: source, to: destination + (y - rows.lowerBound) * bytesPerRow) }
        case .yuv444, .yuv422:
            for y in rows {
                if format.sampling == .yuv444 { split(y, of: source) } else { double(y, of: source, to: upper) }
                write(y, upper, from: source, to: destination + (y - rows.lowerBound) * bytesPerRow)
            }
        case .yuv420:
            convertHalvedRows(rows, from: source, to: destination, bytesPerRow: bytesPerRow)
        }
    }

    /// Converts rows in pairs: the two rows between two chroma rows are computed from the same four chroma rows.
    private func convertHalvedRows(
        _ rows: Range<Int>, from source: YUVRows, to destination: UnsafeMutableRawPointer, bytesPerRow: Int
    ) {
        guard !rows.isEmpty else { return }
        // The first of the four, from −2 on; edge rows are repeated.
        let (first, last) = ((rows.lowerBound - 1) >> 1 - 1, (rows.upperBound - 2) >> 1 - 1)
        var ready = first
        for chroma in first...last {
            while ready <= chroma + 3 {
                double(min(max(ready, 0), chromaSize.height - 1), of: source, to: slot(ready))
                ready += 1
            }
            blend(chroma)
            let y = 2 * chroma + 3
            let place = destination + (y - rows.lowerBound) * bytesPerRow
            if rows.contains(y) { write(y, upper, from: source, to: place) }
            if rows.contains(y + 1) { write(y + 1, lower, from: source, to: place + bytesPerRow) }
        }
    }

    /// Returns the place of a doubled chroma row in the ring.
    private func slot(_ row: Int) -> UnsafeMutablePointer<Int16> { ring + (row & (Self.ringRows - 1)) * 4 * part }

    /// Computes `upper` and `lower` from four chroma rows.
    private func blend(_ first: Int) {
        withUnsafeTemporaryAllocation(of: UnsafePointer<Int16>.self, capacity: 4) { rows in
            for index in 0..<4 { rows.initializeElement(at: index, to: UnsafePointer(slot(first + index))) }
            guard let base = rows.baseAddress else { return }
            kernels.blend_chroma_rows(upper, lower, base, 4 * part)
        }
    }

    /// Splits a chroma row as wide as the image into `upper`.
    private func split(_ row: Int, of source: YUVRows) {
        guard let u = source.u else { return }
        if format.isInterleaved {
            kernels.split_chroma_row(plainU, plainV, source.chroma(u, row), sampleBytes, 2 * size.width)
            for x in 0..<size.width {
                upper[x % 2 * part + x / 2] = plainU[x]
                upper[(2 + x % 2) * part + x / 2] = plainV[x]
            }
        } else if let v = source.v {
            kernels.split_chroma_row(upper, upper + part, source.chroma(u, row), sampleBytes, size.width)
            kernels.split_chroma_row(upper + 2 * part, upper + 3 * part, source.chroma(v, row), sampleBytes, size.width)
        }
    }

    /// Doubles the columns of a chroma row of half the width, into four parts.
    private func double(_ row: Int, of source: YUVRows, to destination: UnsafeMutablePointer<Int16>) {
        guard let u = source.u else { return }
        let width = chromaSize.width
        if format.isInterleaved {
            kernels.split_chroma_row(plainU, plainV, source.chroma(u, row), sampleBytes, 2 * width)
        } else if let v = source.v {
            kernels.widen_chroma_row(plainU, source.chroma(u, row), sampleBytes, width)
            kernels.widen_chroma_row(plainV, source.chroma(v, row), sampleBytes, width)
        }
        double(plainU, to: destination)
        double(plainV, to: destination + 2 * part)
    }

    private func double(_ row: UnsafeMutablePointer<Int16>, to destination: UnsafeMutablePointer<Int16>) {
        let width = chromaSize.width
        for index in 1...2 {
            row[-index] = row[0]
            row[width - 1 + index] = row[width - 1]
        }
        kernels.double_chroma_row(destination, destination + part, row, width)
    }

    private func write(
        _ row: Int, _ chroma: UnsafePointer<Int16>?, from source: YUVRows, to destination: UnsafeMutableRawPointer
    ) {
        withUnsafePointer(to: matrix) { matrix in
            kernels.yuv_to_bgra_row(
                destination.assumingMemoryBound(to: UInt8.self), source.luma(row), sampleBytes,
                chroma, part, size.width, matrix, usesNonTemporalStores ? 1 : 0)
        }
    }
}
