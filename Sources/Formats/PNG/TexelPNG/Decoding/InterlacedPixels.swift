import TexelCodecs
import TexelCore
import TexelPixels

/// The pixels of an interlaced PNG, which are only complete after the last pass: in memory as they are stored, or as
/// BGRA if that takes no more bytes.
enum InterlacedPixels {
    case stored(PNGSamples, PNGRowConverter)
    case image(PixelBuffer)

    /// Reads all passes into an image of the file's size; returns false if the pixels are damaged.
    ///
    /// - Throws: `stopped`.
    static func read(
        _ file: PNGFile, _ header: PNGFile.Header, at position: Int, _ converter: PNGRowConverter,
        options: DecodeOptions, into image: inout PixelBuffer
    ) throws(TexelError) -> Bool {
        var reader = PassReader(file, header, at: position, bitsPerPixel: converter.bitsPerPixel, options)
        let bytesPerRow = image.bytesPerRow
        let pixels = UnsafeMutablePointer<UInt8>.allocate(
            capacity: header.width * PixelBuffer.bytesPerPixel + PNGRowConverter.margin)
        defer { pixels.deallocate() }
        return try image.withUnsafeMutableBytes { bytes throws(TexelError) in
            guard let base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return false }
            return try reader.readRows { row, width, pass, y throws(TexelError) in
                // Inside the image: all rows of a pass are rows of it.
                let target = base + y * bytesPerRow
                let isWholeRow = pass.stepX == 1
                guard converter.convert(row, width: width, pass: pass, y: y, into: isWholeRow ? target : pixels) else {
                    return false
                }
                if isWholeRow { return true }
                pass.scatter(pixels, width, bitsPerPixel: 8 * PixelBuffer.bytesPerPixel, into: target)
                return true
            }
        }
    }

    /// Copies a row as BGRA; returns false for an index that is not in the palette.
    func copyRow(_ y: Int, to pixels: UnsafeMutableRawPointer) -> Bool {
        switch self {
        case .image(let image):
            image.withUnsafeBytes { bytes in
                guard let base = bytes.baseAddress else { return }
                pixels.copyMemory(
                    from: base + y * image.bytesPerRow, byteCount: image.width * PixelBuffer.bytesPerPixel)
            }
            return true
        case .stored(let samples, let converter):
            let pixels = pixels.assumingMemoryBound(to: UInt8.self)
            return samples.withRow(y) {
                converter.convert($0, width: samples.size.width, y: y, into: pixels)
            } ?? false
        }
    }
}
