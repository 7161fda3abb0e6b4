import CPixelKernels
public import TexelCore

/// Converts rows of YUV to BGRA, any band of an image at a time: with straight alpha if the format has alpha, else
/// opaque.
///
/// The memory is allocated once for a format and size; conversions allocate none. Bands may be converted in any order
/// and nothing is kept between them, so one converter can be used for many images. Use one converter per thread.
///
/// If the colour has code points, the pixels are converted to sRGB (see ``YUVColor/codePoints``): high dynamic range is
/// compressed as in `PixelBuffer.convertedToSRGB()`, from the precision of the samples, and colours outside of sRGB are
/// clipped. Pixels are within 1 of the formulas in double precision, after the filters of chroma.
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
    /// `nil` if samples are shown as they are.
    private let map: YUVColorMap?
    private let sampleBytes: Int32
    /// The words of U in a chroma row as wide as the image; those of V follow.
    private let part: Int
    private let chromaSize: PixelSize
    private let storage: PixelStorage

    // The layout of the storage, in words: the ring, and rows of U and V before doubling, with room on both sides.
    private var ring: UnsafeMutablePointer<Int16> { storage.base.assumingMemoryBound(to: Int16.self) }
    private var plainU: UnsafeMutablePointer<Int16> { ring + Self.ringRows * 2 * part + Self.margin }
    private var plainV: UnsafeMutablePointer<Int16> { plainU + part + 2 * Self.margin }

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
    ///   - chromaRowCount: the number of chroma rows if there are fewer than the format says, at least one: the last
    ///     row is repeated. A field of an interlaced image may have one less.
    /// - Throws: `invalidSize`, `outOfMemory`, `unusableColorProfile`.
    public init(
        _ format: YUVFormat, _ color: YUVColor, size: PixelSize, chromaRowCount: Int = .max
    ) throws(TexelError) {
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
        self.map = try YUVColorMap(format, color)
        self.part = (size.width + Self.margin - 1) / Self.margin * Self.margin
        var chromaSize = format.sampling.chromaSize(of: size)
        chromaSize.height = min(chromaSize.height, max(1, chromaRowCount))
        self.chromaSize = chromaSize
        let words = format.sampling == .none ? 1 : Self.ringRows * 2 * part + 2 * (part + 2 * Self.margin)
        // Zeroed: words after the samples of a row are read, though they do not affect the result.
        self.storage = try PixelStorage(byteCount: words * MemoryLayout<Int16>.stride, zeroed: true)
    }

    /// Returns the chroma rows that `source` must have for a band of luma rows.
    public func chromaRows(for rows: Range<Int>) -> Range<Int> {
        let found = format.chromaRows(for: rows, of: size)
        return found.lowerBound..<min(found.upperBound, max(found.lowerBound, chromaSize.height))
    }

    /// Converts a band of rows. Traps if `rows` is outside the image.
    ///
    /// - Parameters:
    ///   - rows: rows of the image.
    ///   - source: contains these rows, and the chroma rows of ``chromaRows(for:)``.
    ///   - destination: receives the first pixel of the band; every row is `width * 4` bytes long.
    ///   - bytesPerRow: the distance between rows of the destination, in bytes.
    ///   - usesNonTemporalStores: whether pixels are stored bypassing the cache, which is faster if they would be
    ///     evicted before they are read. Has no effect on rows that do not begin at multiples of 64 bytes.
    public func convert(
        _ rows: Range<Int>, from source: YUVRows, to destination: UnsafeMutableRawPointer, bytesPerRow: Int,
        usesNonTemporalStores: Bool = false
    ) {
        precondition(rows.lowerBound >= 0 && rows.upperBound <= size.height, "the rows are outside of the image")
        // Alpha is written after colour, while the pixels are in a cache.
        self.usesNonTemporalStores = usesNonTemporalStores && !format.hasAlpha
        switch format.sampling {
        case .none:
            for y in rows { write(y, nil, from: source, to: destination + (y - rows.lowerBound) * bytesPerRow) }
        case .yuv444, .yuv422:
            for y in rows {
                if format.sampling == .yuv444 {
                    widen(y, of: source, to: ring, ring + part)
                } else {
                    double(y, of: source, to: ring)
                }
                write(y, ring, from: source, to: destination + (y - rows.lowerBound) * bytesPerRow)
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
            func place(_ y: Int) -> UnsafeMutablePointer<UInt8>? {
                guard rows.contains(y) else { return nil }
                return (destination + (y - rows.lowerBound) * bytesPerRow).assumingMemoryBound(to: UInt8.self)
            }
            func luma(_ y: Int) -> UnsafePointer<UInt8>? {
                rows.contains(y) ? source.luma(y).assumingMemoryBound(to: UInt8.self) : nil
            }
            let y = 2 * chroma + 3
            write(
                texel_yuv_pair(destinations: (place(y), place(y + 1)), luma: (luma(y), luma(y + 1))),
                chromaFrom: chroma)
            for row in [y, y + 1] {
                if let pixels = place(row) { writeAlpha(row, from: source, to: pixels) }
            }
        }
    }

    /// Returns the place of a doubled chroma row in the ring.
    private func slot(_ row: Int) -> UnsafeMutablePointer<Int16> { ring + (row & (Self.ringRows - 1)) * 2 * part }

    /// Converts two rows with the four chroma rows from `first` on.
    private func write(_ pair: texel_yuv_pair, chromaFrom first: Int) {
        withUnsafeTemporaryAllocation(of: UnsafePointer<Int16>.self, capacity: 4) { rows in
            for index in 0..<4 { rows.initializeElement(at: index, to: UnsafePointer(slot(first + index))) }
            guard let base = rows.baseAddress else { return }
            withUnsafePointer(to: matrix) { matrix in
                withUnsafePointer(to: pair) { pair in
                    withKernelMap { map in
                        kernels.yuv420_to_bgra_rows(
                            pair, sampleBytes, base, part, size.width, matrix, map, usesNonTemporalStores ? 1 : 0)
                    }
                }
            }
        }
    }

    /// Converts a chroma row to words of U and V.
    private func widen(
        _ row: Int, of source: YUVRows, to u: UnsafeMutablePointer<Int16>, _ v: UnsafeMutablePointer<Int16>
    ) {
        guard let first = source.u else { return }
        let width = chromaSize.width
        if format.isInterleaved {
            kernels.split_chroma_row(
                u, v, source.chroma(first, row).assumingMemoryBound(to: UInt8.self), sampleBytes, 2 * width)
        } else if let second = source.v {
            kernels.widen_chroma_row(
                u, source.chroma(first, row).assumingMemoryBound(to: UInt8.self), sampleBytes, width)
            kernels.widen_chroma_row(
                v, source.chroma(second, row).assumingMemoryBound(to: UInt8.self), sampleBytes, width)
        }
        if color.matrix == .ycgco { kernels.turn_chroma_rows(u, v, width) }
    }

    /// Doubles the columns of a chroma row of half the width.
    private func double(_ row: Int, of source: YUVRows, to destination: UnsafeMutablePointer<Int16>) {
        widen(row, of: source, to: plainU, plainV)
        double(plainU, to: destination)
        double(plainV, to: destination + part)
    }

    private func double(_ row: UnsafeMutablePointer<Int16>, to destination: UnsafeMutablePointer<Int16>) {
        let width = chromaSize.width
        for index in 1...2 {
            row[-index] = row[0]
            row[width - 1 + index] = row[width - 1]
        }
        kernels.double_chroma_row(destination, row, width)
    }

    private func write(
        _ row: Int, _ chroma: UnsafePointer<Int16>?, from source: YUVRows, to destination: UnsafeMutableRawPointer
    ) {
        let pixels = destination.assumingMemoryBound(to: UInt8.self)
        withUnsafePointer(to: matrix) { matrix in
            withKernelMap { map in
                kernels.yuv_to_bgra_row(
                    pixels, source.luma(row).assumingMemoryBound(to: UInt8.self), sampleBytes, chroma, part, size.width,
                    matrix, map,
                    usesNonTemporalStores ? 1 : 0)
            }
        }
        writeAlpha(row, from: source, to: pixels)
    }

    private func withKernelMap(_ body: (UnsafePointer<texel_color_map>?) -> Void) {
        if let map { map.withKernelMap(body) } else { body(nil) }
    }

    /// Replaces the alpha of a row of opaque pixels if the format has alpha.
    private func writeAlpha(_ row: Int, from source: YUVRows, to pixels: UnsafeMutablePointer<UInt8>) {
        guard format.hasAlpha, let alpha = source.alpha(row)?.assumingMemoryBound(to: UInt8.self) else { return }
        kernels.set_alpha_row(pixels, alpha, sampleBytes, size.width)
    }
}
