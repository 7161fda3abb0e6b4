import CPixelKernels
import TexelCodecs
import TexelPixels

/// The rows of an image in the format of a reduction, before filtering.
struct PNGRows: Sendable {
    private let pixels: PNGPixels
    private let reduction: PNGPixelFormat
    private let indices: ColorTable

    init(_ pixels: PNGPixels, _ reduction: PNGPixelFormat) {
        self.pixels = pixels
        self.reduction = reduction
        indices = ColorTable(reduction.palette)
    }

    var count: Int { pixels.size.height }
    var width: Int { pixels.size.width }
    var bytesPerRow: Int { (pixels.size.width * reduction.bitsPerPixel + 7) / 8 }

    /// The distance in bytes to the left neighbour in filters.
    var bytesPerPixel: Int { max(1, reduction.bitsPerPixel / 8) }

    /// Writes row `y` in its unfiltered form.
    func pack(_ y: Int, into row: UnsafeMutablePointer<UInt8>) {
        switch pixels {
        case .buffer(let buffer): pack(y, of: buffer, into: row)
        case .window(let window): window.withBand(of: y) { pack($1, of: $0, into: row) }
        case .samples(let samples): samples.pack(y, as: reduction, into: row)
        }
    }

    private func pack(_ y: Int, of buffer: PixelBuffer, into row: UnsafeMutablePointer<UInt8>) {
        buffer.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            let source = (base + y * buffer.bytesPerRow).assumingMemoryBound(to: UInt8.self)
            let kernels = texel_kernels_in_use()
            switch reduction.colorType {
            case .rgb: kernels.pointee.pack_rgb_row(row, source, buffer.width)
            case .rgba: kernels.pointee.pack_rgba_row(row, source, buffer.width)
            case .grayAlpha:
                for x in 0..<buffer.width {
                    row[2 * x] = source[4 * x]
                    row[2 * x + 1] = source[4 * x + 3]
                }
            case .gray where reduction.bitDepth == 8:
                for x in 0..<buffer.width { row[x] = source[4 * x] }
            case .gray:
                // A grey value of fewer bits was expanded by repetition; its highest bits are the original.
                let drop = UInt32(8 - reduction.bitDepth)
                pack(y, of: buffer, into: row) { UInt8(truncatingIfNeeded: ($0 & 255) >> drop) }
            case .palette:
                pack(y, of: buffer, into: row) { UInt8(indices.index(of: $0) ?? 0) }
            }
        }
    }

    /// Packs values of `bitDepth` bits, the leftmost in the highest bits.
    private func pack(
        _ y: Int, of buffer: PixelBuffer, into row: UnsafeMutablePointer<UInt8>, _ value: (UInt32) -> UInt8
    ) {
        let (bitDepth, width) = (reduction.bitDepth, buffer.width)
        row.update(repeating: 0, count: bytesPerRow)
        buffer.withUnsafePixels { pixels in
            guard let base = pixels.baseAddress else { return }
            let source = base + y * buffer.pixelsPerRow
            var previous = (pixel: source[0], value: value(source[0]))
            for x in stride(from: 0, to: width, by: 8) {
                // Eight values fill whole bytes, and in drawings they are mostly equal.
                if x + 8 <= width, Self.isOneColor(source + x, previous.pixel) {
                    let byte = previous.value &* UInt8(255 / (1 << bitDepth - 1))
                    (row + x / 8 * bitDepth).update(repeating: byte, count: bitDepth)
                    continue
                }
                for x in x..<min(x + 8, width) {
                    if source[x] != previous.pixel { previous = (source[x], value(source[x])) }
                    let bit = x * bitDepth
                    row[bit / 8] |= previous.value << UInt8(8 - bitDepth - bit % 8)
                }
            }
        }
    }

    /// Whether eight pixels are all equal to `pixel`.
    private static func isOneColor(_ pixels: UnsafePointer<UInt32>, _ pixel: UInt32) -> Bool {
        let pair = UInt64(pixel) << 32 | UInt64(pixel)
        let bytes = UnsafeRawPointer(pixels)
        var differences: UInt64 = 0
        for offset in stride(from: 0, to: 32, by: 8) {
            differences |= bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self) ^ pair
        }
        return differences == 0
    }
}
