import CPixelKernels
public import TexelCore

/// Converts rows of BGRA to 8-bit YUV, any band of an image at a time. Alpha is ignored.
///
/// The memory is allocated once for a format and size; conversions allocate none. Bands may be converted in any order
/// and nothing is kept between them, so one converter can be used for many images. Use one converter per thread.
///
/// Chroma is halved by the cubic convolution of ``YUVToBGRA``, stretched to eight samples. Results are within 1 of
/// those of ffmpeg 5 with `-sws_flags bicubic+accurate_rnd+full_chroma_int+full_chroma_inp` if width and height are
/// even. (The difference may be larger where black is next to white in full range, because ffmpeg clips there.)
public final class BGRAToYUV {
    /// The format that is written: the requested one, in eight bits and without alpha.
    public let format: YUVFormat
    /// The matrix and range of the samples.
    public let color: YUVColor
    /// The size of the images, in pixels.
    public let size: PixelSize

    private let kernels: texel_kernels
    private let matrix: texel_rgb_matrix
    private let chromaSize: PixelSize
    /// The number of words in a row of halved chroma. `part` is that of one part of a full row, with room for a vector
    /// on both sides.
    private let half: Int
    private var part: Int { half + 2 * Self.margin }
    private let storage: PixelStorage

    // The layout of the storage, in words.
    private var full: UnsafeMutablePointer<Int16> {
        storage.base.assumingMemoryBound(to: Int16.self) + Self.margin
    }
    private var ring: UnsafeMutablePointer<Int16> { full + 4 * part }
    private var result: UnsafeMutablePointer<Int16> { ring + Self.ringRows * 2 * half }

    private static let ringRows = 8
    private static let margin = Int(texel_chroma_multiple)

    /// Allocates the memory for a conversion. A bit depth of 10 is replaced by 8, alpha is left out, and the code
    /// points of `color` are ignored.
    ///
    /// - Throws: `invalidSize`, `outOfMemory`.
    public init(_ format: YUVFormat, _ color: YUVColor, size: PixelSize) throws(TexelError) {
        // Below this width no number of words or bytes overflows: a row needs less than a hundred bytes per pixel.
        guard size.width <= Int.max / 128 else { throw .invalidSize(size) }
        var format = format
        format.bitDepth = 8
        format.hasAlpha = false
        _ = try format.byteCount(of: size)
        self.format = format
        self.color = color
        self.size = size
        self.kernels = texel_kernels_in_use().pointee
        let factors = RGBFactors(color)
        self.matrix = texel_rgb_matrix(
            luma: factors.luma.tuple, u: factors.u.tuple, v: factors.v.tuple, black: factors.black)
        self.chromaSize = format.sampling.chromaSize(of: size)
        self.half = ((size.width + 1) / 2 + Self.margin - 1) / Self.margin * Self.margin
        // The parts of a row with the room before them, the ring, and one more row.
        let words =
            format.sampling == .none
            ? 1 : Self.margin + 4 * (half + 2 * Self.margin) + (Self.ringRows + 1) * 2 * half
        // Zeroed: words after the samples of a row are read, though they do not affect the result.
        self.storage = try PixelStorage(byteCount: words * MemoryLayout<Int16>.stride, zeroed: true)
    }

    /// Returns the chroma rows that a band of rows writes: those whose first row of pixels is in it.
    public func chromaRows(writtenBy rows: Range<Int>) -> Range<Int> {
        switch format.sampling {
        case .none: 0..<0
        case .yuv444, .yuv422: rows
        case .yuv420: (rows.lowerBound + 1) / 2..<(rows.upperBound + 1) / 2
        }
    }

    /// Returns the rows of pixels that a band needs: its own, and those under the filter of its chroma rows.
    public func pixelRows(for rows: Range<Int>) -> Range<Int> {
        let chroma = chromaRows(writtenBy: rows)
        guard format.sampling == .yuv420, !chroma.isEmpty else { return rows }
        return min(
            rows.lowerBound, max(0, chroma.lowerBound * 2 - 3))..<max(
                rows.upperBound, min(size.height, chroma.upperBound * 2 + 3))
    }

    /// Converts a band of rows. Traps if `rows` is outside the image.
    ///
    /// - Parameters:
    ///   - rows: rows of the image.
    ///   - source: the first pixel of row `firstRow`.
    ///   - bytesPerRow: the distance between rows of the source, in bytes.
    ///   - firstRow: the first row of the source, which must contain all rows of ``pixelRows(for:)``.
    ///   - destination: receives these rows, and the chroma rows of ``chromaRows(writtenBy:)``.
    public func convert(
        _ rows: Range<Int>, from source: UnsafeRawPointer, bytesPerRow: Int, firstRow: Int = 0,
        to destination: MutableYUVRows
    ) {
        precondition(rows.lowerBound >= 0 && rows.upperBound <= size.height, "the rows are outside of the image")
        func pixels(_ row: Int) -> UnsafePointer<UInt8> {
            (source + (row - firstRow) * bytesPerRow).assumingMemoryBound(to: UInt8.self)
        }
        // A chroma row of half the height is computed from eight rows; edge rows are repeated.
        let chromaRows = chromaRows(writtenBy: rows)
        var ready = 2 * chromaRows.lowerBound - 3
        // Luma and chroma are computed together while the row is in a cache.
        for row in rows {
            writeLuma(row, pixels(row), to: destination)
            switch format.sampling {
            case .none: break
            case .yuv444:
                separate(pixels(row))
                writeFull(row, to: destination)
            case .yuv422:
                halve(pixels(row), to: result)
                writeHalf(row, to: destination)
            case .yuv420:
                guard row % 2 == 0 else { continue }
                while ready <= row + 4 {
                    halve(pixels(min(max(ready, 0), size.height - 1)), to: slot(ready))
                    ready += 1
                }
                reduce(row - 3)
                writeHalf(row / 2, to: destination)
            }
        }
    }

    private func writeLuma(_ row: Int, _ pixels: UnsafePointer<UInt8>, to destination: MutableYUVRows) {
        withUnsafePointer(to: matrix) { matrix in
            kernels.bgra_to_luma_row(
                destination.luma(row).assumingMemoryBound(to: UInt8.self), pixels, size.width, matrix)
        }
    }

    /// Returns the place of a row of half the width in the ring.
    private func slot(_ row: Int) -> UnsafeMutablePointer<Int16> { ring + (row & (Self.ringRows - 1)) * 2 * half }

    /// Computes `result` from eight rows.
    private func reduce(_ first: Int) {
        withUnsafeTemporaryAllocation(of: UnsafePointer<Int16>.self, capacity: Self.ringRows) { rows in
            for index in rows.indices { rows.initializeElement(at: index, to: UnsafePointer(slot(first + index))) }
            guard let base = rows.baseAddress else { return }
            kernels.halve_chroma_rows(result, base, 2 * half)
        }
    }

    /// Computes the chroma of a row in `full`.
    private func separate(_ pixels: UnsafePointer<UInt8>) {
        withUnsafePointer(to: matrix) { matrix in
            kernels.bgra_to_chroma_row(full, part, pixels, size.width, matrix)
        }
    }

    /// Computes U and V of a row at half its width.
    private func halve(_ pixels: UnsafePointer<UInt8>, to destination: UnsafeMutablePointer<Int16>) {
        separate(pixels)
        let count = chromaSize.width
        for plane in 0..<2 {
            let even = full + 2 * plane * part
            let odd = even + part
            // Edge columns are repeated.
            if size.width % 2 == 1 { odd[count - 1] = even[count - 1] }
            for index in 1...2 {
                (even[-index], odd[-index]) = (even[0], even[0])
                (even[count - 1 + index], odd[count - 1 + index]) = (odd[count - 1], odd[count - 1])
            }
            kernels.halve_chroma_row(destination + plane * half, even, odd, count)
        }
    }

    /// Writes `result` as a chroma row.
    private func writeHalf(_ row: Int, to destination: MutableYUVRows) {
        guard let u = destination.u else { return }
        let width = chromaSize.width
        if format.isInterleaved {
            kernels.zip_chroma_row(samples(u, row, of: destination), result, result + half, 2 * width)
        } else if let v = destination.v {
            kernels.narrow_chroma_row(samples(u, row, of: destination), result, width)
            kernels.narrow_chroma_row(samples(v, row, of: destination), result + half, width)
        }
    }

    /// Writes `full` as a chroma row.
    private func writeFull(_ row: Int, to destination: MutableYUVRows) {
        guard let u = destination.u else { return }
        let (even, odd) = (full, full + part)
        if format.isInterleaved {
            // The pairs of U and V of even columns, then those of odd columns, are each written to every other pair's
            // place.
            let pairs = UnsafeMutableRawPointer(result).assumingMemoryBound(to: UInt8.self)
            kernels.zip_chroma_row(pairs, even, even + 2 * part, 2 * ((size.width + 1) / 2))
            copyPairs(pairs, to: samples(u, row, of: destination), count: (size.width + 1) / 2)
            kernels.zip_chroma_row(pairs, odd, odd + 2 * part, size.width / 2 * 2)
            copyPairs(pairs, to: samples(u, row, of: destination) + 2, count: size.width / 2)
        } else if let v = destination.v {
            kernels.zip_chroma_row(samples(u, row, of: destination), even, odd, size.width)
            kernels.zip_chroma_row(samples(v, row, of: destination), even + 2 * part, odd + 2 * part, size.width)
        }
    }

    private func samples(
        _ plane: UnsafeMutableRawPointer, _ row: Int, of destination: MutableYUVRows
    ) -> UnsafeMutablePointer<UInt8> {
        destination.chroma(plane, row).assumingMemoryBound(to: UInt8.self)
    }

    private func copyPairs(_ pairs: UnsafePointer<UInt8>, to destination: UnsafeMutablePointer<UInt8>, count: Int) {
        for index in 0..<count {
            destination[4 * index] = pairs[2 * index]
            destination[4 * index + 1] = pairs[2 * index + 1]
        }
    }
}

extension RGBFactors.Channels {
    fileprivate var tuple: (Int16, Int16, Int16) { (blue, green, red) }
}
