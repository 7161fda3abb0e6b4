import CPixelKernels
import TexelPixels

/// The rows of a picture in the form that a reduction stores.
struct PNGRows: Sendable {
    private let picture: PixelBuffer
    private let reduction: PNGReduction
    private let indices: ColorTable

    init(_ picture: PixelBuffer, _ reduction: PNGReduction) {
        self.picture = picture
        self.reduction = reduction
        indices = ColorTable(reduction.palette)
    }

    var count: Int { picture.height }
    var bytesPerRow: Int { (picture.width * reduction.bitsPerPixel + 7) / 8 }

    /// How far the filters look to the left.
    var bytesPerPixel: Int { max(1, reduction.bitsPerPixel / 8) }

    /// Writes row `y` as it is before filtering.
    func pack(_ y: Int, into row: UnsafeMutablePointer<UInt8>) {
        picture.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            let source = (base + y * picture.bytesPerRow).assumingMemoryBound(to: UInt8.self)
            let kernels = texel_kernels_in_use()
            switch reduction.colorType {
            case .rgb: kernels.pointee.pack_rgb_row(row, source, picture.width)
            case .rgba: kernels.pointee.pack_rgba_row(row, source, picture.width)
            case .grayAlpha:
                for x in 0..<picture.width {
                    row[2 * x] = source[4 * x]
                    row[2 * x + 1] = source[4 * x + 3]
                }
            case .gray where reduction.bitDepth == 8:
                for x in 0..<picture.width { row[x] = source[4 * x] }
            case .gray:
                // A grey of fewer bits is repeated to fill eight; its highest bits are it.
                let drop = UInt32(8 - reduction.bitDepth)
                pack(y, into: row) { UInt8(truncatingIfNeeded: ($0 & 255) >> drop) }
            case .palette:
                pack(y, into: row) { UInt8(indices.index(of: $0) ?? 0) }
            }
        }
    }

    /// Values of `bitDepth` bits, the leftmost in the highest bits.
    private func pack(_ y: Int, into row: UnsafeMutablePointer<UInt8>, _ value: (UInt32) -> UInt8) {
        row.update(repeating: 0, count: bytesPerRow)
        picture.withUnsafePixels { pixels in
            let first = y * picture.pixelsPerRow
            var previous = (pixel: pixels[first], value: value(pixels[first]))
            for x in 0..<picture.width {
                let pixel = pixels[first + x]
                if pixel != previous.pixel { previous = (pixel, value(pixel)) }
                let bit = x * reduction.bitDepth
                row[bit / 8] |= previous.value << UInt8(8 - reduction.bitDepth - bit % 8)
            }
        }
    }
}
