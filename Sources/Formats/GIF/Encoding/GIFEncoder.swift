import TexelCodecs
import TexelCore
import TexelPixels

/// Encodes one image as a GIF.
struct GIFEncoder {
    private let options: GIFOptions
    private let context: EncodingContext

    init(_ options: GIFOptions, _ context: EncodingContext) {
        self.options = options
        self.context = context
    }

    func encode(_ image: consuming PixelBuffer) throws(TexelError) -> [UInt8] {
        let size = image.size
        let pixels = try GIFPixels(options, size, stop: context.stop)
        try context.stop?.check()
        context.progress?.begin(partCount: 1, upTo: 0.8)
        let (input, colors, hasTransparency) = Self.indices(
            of: try pixels.quantized(try pixels.withHardEdges(image).pixels, count: pixels.colorCount))
        context.progress?.advance()
        context.progress?.begin(partCount: 1)
        let data = try LZWCompression(options.effort, stop: context.stop).smallest(input)
        context.progress?.advance()
        var file = GIFBlockWriter()
        file.appendHeader(size, colors: colors)
        file.append(context.metadata)
        if hasTransparency { file.appendControl(delay: 0, disposal: 0, transparentIndex: 0) }
        file.appendDescriptor(PixelRectangle(covering: size), colors: nil)
        file.bytes += data
        file.appendTrailer()
        return file.bytes
    }

    /// Returns the indices of an image of at most 256 colours, and the colours in the order of their appearance. If it
    /// has transparent pixels, their index is 0.
    private static func indices(of image: PixelBuffer) -> (LZWInput, colors: [UInt32], hasTransparency: Bool) {
        let hasTransparency = image.hasTransparentPixel
        let start: UInt8 = hasTransparency ? 1 : 0
        return image.withUnsafePixels { pixels in
            var table = GIFColorTable()
            var indices: [UInt8] = []
            indices.reserveCapacity(image.width * image.height)
            var last: (color: UInt32, index: UInt8) = (0, 0)
            for y in 0..<image.height {
                for color in pixels[(y * image.pixelsPerRow)..<(y * image.pixelsPerRow + image.width)] {
                    if color != last.color {
                        if color != 0 { table.insert(color) }
                        last = (color, color == 0 ? 0 : (table.index(of: color) ?? 0) &+ start)
                    }
                    indices.append(last.index)
                }
            }
            let colors = (hasTransparency ? [0xFF00_0000] : []) + table.colors
            return (LZWInput(indices: indices, colorCount: colors.count), colors, hasTransparency)
        }
    }
}
