import TexelPixels

/// The pixels that are stored together: the whole image, or one of the seven passes of Adam7 (PNG specification, third
/// edition, 8.2).
struct InterlacePass: Equatable {
    /// The first pixel, and the distances to the next ones.
    var x: Int
    var y: Int
    var stepX: Int
    var stepY: Int

    static let whole = InterlacePass(x: 0, y: 0, stepX: 1, stepY: 1)
    static let adam7 = [
        InterlacePass(x: 0, y: 0, stepX: 8, stepY: 8), InterlacePass(x: 4, y: 0, stepX: 8, stepY: 8),
        InterlacePass(x: 0, y: 4, stepX: 4, stepY: 8), InterlacePass(x: 2, y: 0, stepX: 4, stepY: 4),
        InterlacePass(x: 0, y: 2, stepX: 2, stepY: 4), InterlacePass(x: 1, y: 0, stepX: 2, stepY: 2),
        InterlacePass(x: 0, y: 1, stepX: 1, stepY: 2),
    ]

    func size(of image: PixelSize) -> PixelSize {
        PixelSize(
            width: max(0, (image.width - x + stepX - 1) / stepX),
            height: max(0, (image.height - y + stepY - 1) / stepY))
    }

    /// Copies the pixels of a row of this pass to their places in a row of the image. Bits of pixels that are smaller
    /// than a byte must be zero there.
    ///
    /// - Parameters:
    ///   - row: `width` pixels.
    ///   - target: the row of the image.
    func scatter(
        _ row: UnsafePointer<UInt8>, _ width: Int, bitsPerPixel: Int, into target: UnsafeMutablePointer<UInt8>
    ) {
        guard stepX > 1 else { return target.update(from: row, count: (width * bitsPerPixel + 7) / 8) }
        switch bitsPerPixel {
        case 8: scatter(row, width, into: target, as: UInt8.self)
        case 16: scatter(row, width, into: target, as: UInt16.self)
        case 32: scatter(row, width, into: target, as: UInt32.self)
        case 64: scatter(row, width, into: target, as: UInt64.self)
        case 24:
            for index in 0..<width {
                let (from, to) = (row + 3 * index, target + 3 * (x + index * stepX))
                (to[0], to[1], to[2]) = (from[0], from[1], from[2])
            }
        case 48:
            for index in 0..<width { (target + 6 * (x + index * stepX)).update(from: row + 6 * index, count: 6) }
        default:
            let mask = UInt8(1 << bitsPerPixel - 1)
            for index in 0..<width {
                let (from, to) = (index * bitsPerPixel, (x + index * stepX) * bitsPerPixel)
                let value = row[from / 8] >> UInt8(8 - bitsPerPixel - from % 8) & mask
                target[to / 8] |= value << UInt8(8 - bitsPerPixel - to % 8)
            }
        }
    }

    private func scatter<Pixel: BitwiseCopyable>(
        _ row: UnsafePointer<UInt8>, _ width: Int, into target: UnsafeMutablePointer<UInt8>, as _: Pixel.Type
    ) {
        let size = MemoryLayout<Pixel>.size
        let (from, to) = (UnsafeRawPointer(row), UnsafeMutableRawPointer(target))
        for index in 0..<width {
            let pixel = from.loadUnaligned(fromByteOffset: index * size, as: Pixel.self)
            to.storeBytes(of: pixel, toByteOffset: (x + index * stepX) * size, as: Pixel.self)
        }
    }
}
