import CPixelKernels
import TexelCodecs
import TexelCore
import TexelPixels

/// Encodes images with binary samples of 8 bits.
struct PNMEncoder {
    private let options: PNMOptions
    private let context: EncodingContext

    /// The rows between two polls of the stop token.
    private static let bandHeight = 64

    init(_ options: PNMOptions, _ context: EncodingContext) {
        (self.options, self.context) = (options, context)
    }

    func encode(_ image: consuming PixelBuffer) throws(TexelError) -> [UInt8] {
        try context.stop?.check()
        let pixels = try Self.prepared(image)
        let header = header(of: pixels)
        let head = header.bytes(comments: context.metadata.comments)
        // The image has four bytes a pixel in memory, so its samples do not overflow.
        let total = head.count + header.bytesPerRow * pixels.height
        let bands = (pixels.height + Self.bandHeight - 1) / Self.bandHeight
        context.progress?.begin(partCount: bands)
        do {
            return try [UInt8](unsafeUninitializedCapacity: total) { file, count in
                _ = file.update(fromContentsOf: head)
                guard let raster = file.baseAddress.map({ $0 + head.count }) else { return }
                for band in 0..<bands {
                    try context.stop?.check()
                    let rows = (band * Self.bandHeight)..<min(pixels.height, (band + 1) * Self.bandHeight)
                    write(rows, of: pixels, header, to: raster)
                    context.progress?.advance()
                }
                count = total
            }
        } catch let error as TexelError {
            throw error
        } catch {
            throw .cannotEncode("\(error)")
        }
    }

    /// Returns straight pixels in sRGB, because the formats declare no colours.
    private static func prepared(_ image: consuming PixelBuffer) throws(TexelError) -> PixelBuffer {
        let straight = image.alphaMode == .premultiplied ? try image.unpremultiplied() : image
        return straight.colorSpace.isSRGB ? straight : try straight.convertedToSRGB()
    }

    /// Chooses the format by the pixels.
    private func header(of image: PixelBuffer) -> PNMHeader {
        let isOpaque = image.alphaMode == .opaque || options.reducesLosslessly && image.isOpaque
        if !isOpaque {
            return PNMHeader(
                kind: 7, size: image.size, maximum: 255, depth: 4, channels: .rgba, tupleType: Array("RGB_ALPHA".utf8))
        }
        return options.reducesLosslessly && image.isGray
            ? PNMHeader(kind: 5, size: image.size, maximum: 255, depth: 1, channels: .gray)
            : PNMHeader(kind: 6, size: image.size, maximum: 255, depth: 3, channels: .rgb)
    }

    /// Writes rows at their places in a raster of `header.bytesPerRow` bytes for each row of the image.
    private func write(
        _ rows: Range<Int>, of image: PixelBuffer, _ header: PNMHeader, to raster: UnsafeMutablePointer<UInt8>
    ) {
        let kernels = texel_kernels_in_use().pointee
        image.withUnsafeBytes { bytes in
            guard let pixels = bytes.bindMemory(to: UInt8.self).baseAddress else { return }
            for y in rows {
                // Row y of the image has `width` pixels from here on.
                let source = pixels + y * image.bytesPerRow
                let row = raster + y * header.bytesPerRow
                switch header.channels {
                case .rgb: kernels.pack_rgb_row(row, source, image.width)
                case .rgba: kernels.pack_rgba_row(row, source, image.width)
                case .gray, .grayAlpha: for x in 0..<image.width { row[x] = source[4 * x] }
                }
            }
        }
    }
}
