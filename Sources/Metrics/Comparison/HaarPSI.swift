import CPixelKernels
import PlatformLibc
import TexelCore
import TexelPixels

/// Computes HaarPSI with rings of rows. For two opaque images of the same size.
struct HaarPSI {
    private let size: PixelSize
    private let half: PixelSize
    private let kernels = texel_kernels_in_use().pointee

    /// The sizes of the wavelets.
    private static let wavelets = [2, 4, 8]
    /// The first row of a wavelet's window, before the place.
    private static func rowsBefore(_ size: Int) -> Int { size / 2 - 1 }
    /// The number of rows after a place that the largest wavelet needs.
    private static let rowsBehind = 4
    private static let ringRows = 8

    /// The rows of one image.
    private final class Image {
        /// The last rows of luma's horizontal sums and differences for each wavelet, then of both chroma channels.
        let ring: FloatRows
        /// The row of colours, and the magnitudes of a row.
        let colors: FloatRows
        let magnitudes: FloatRows

        init(width: Int) throws(TexelError) {
            // The last row stays zero, for those outside of the image.
            ring = try FloatRows(rows: 8 * ringRows + 1, width: width)
            colors = try FloatRows(rows: 3, width: width)
            magnitudes = try FloatRows(rows: 8, width: width)
        }

        /// A row of a quantity: 0…2 for sums, 3…5 for differences, 6 and 7 for chroma.
        func row(_ quantity: Int, _ y: Int) -> UnsafeMutablePointer<Float> { ring[quantity * ringRows + y % ringRows] }

        var zeros: UnsafeMutablePointer<Float> { ring[8 * ringRows] }
    }

    init(_ size: PixelSize) {
        self.size = size
        half = PixelSize(width: (size.width + 1) / 2, height: (size.height + 1) / 2)
    }

    /// Returns the similarity, 0…1.
    func similarity(_ first: PixelBuffer, _ second: PixelBuffer) throws(TexelError) -> Double {
        let images = [try Image(width: half.width), try Image(width: half.width)]
        var sums = [0.0, 0]
        first.withUnsafeBytes { firstBytes in
            second.withUnsafeBytes { secondBytes in
                for y in 0..<(half.height + Self.rowsBehind) {
                    if y < half.height {
                        add(y, firstBytes, first.bytesPerRow, to: images[0])
                        add(y, secondBytes, second.bytesPerRow, to: images[1])
                    }
                    let place = y - Self.rowsBehind
                    guard place >= 0 else { continue }
                    for image in images { transform(place, image) }
                    let rows = images.map { image in (0..<8).map { UnsafePointer(image.magnitudes[$0]) } }
                    kernels.haar_similarities(&sums, rows[0], rows[1], half.width)
                }
            }
        }
        // Without any edge, the images are the same grey.
        guard sums[1] > 0 else { return 1 }
        let mean = sums[0] / sums[1]
        let logit = log(mean / (1 - mean)) / 4.2
        // The kernels round; equal images have exactly 1.
        return min((logit * logit * 1e5).rounded() / 1e5, 1)
    }

    /// Computes row `y` of the image of half the size.
    private func add(_ y: Int, _ bytes: UnsafeRawBufferPointer, _ bytesPerRow: Int, to image: Image) {
        guard let base = bytes.assumingMemoryBound(to: UInt8.self).baseAddress else { return }
        let upper = base + 2 * y * bytesPerRow
        let lower = 2 * y + 1 < size.height ? upper + bytesPerRow : nil
        kernels.haar_colors(image.colors[0], image.row(6, y), image.row(7, y), upper, lower, size.width)
        kernels.haar_row(
            (0..<3).map { image.row($0, y) }, (3..<6).map { image.row($0, y) }, UnsafePointer(image.colors[0]),
            half.width)
    }

    /// Computes the magnitudes of a row.
    private func transform(_ y: Int, _ image: Image) {
        func window(_ quantity: Int, _ size: Int) -> [UnsafePointer<Float>] {
            let first = y - Self.rowsBefore(size)
            return (first..<(first + size)).map { row in
                UnsafePointer((0..<half.height).contains(row) ? image.row(quantity, row) : image.zeros)
            }
        }
        for (index, size) in Self.wavelets.enumerated() {
            kernels.haar_column(image.magnitudes[index], window(index, size), half.width, Int32(size), true)
            kernels.haar_column(image.magnitudes[3 + index], window(3 + index, size), half.width, Int32(size), false)
        }
        for chroma in 6..<8 {
            let rows = window(chroma, 2)
            // The mean of two by two samples.
            for x in 0..<half.width {
                image.magnitudes[chroma][x] = abs((rows[0][x] + rows[0][x + 1]) + (rows[1][x] + rows[1][x + 1])) * 0.25
            }
        }
    }
}
