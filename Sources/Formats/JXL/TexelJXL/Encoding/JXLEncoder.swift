import CJXLShim
import TexelCodecs
import TexelCore
import TexelPixels

/// Encodes images through libjxl, which cannot be interrupted; if the work is stopped, the call is abandoned.
struct JXLEncoder {
    private let options: JXLOptions
    private let context: EncodingContext

    /// The longest side in level 5 of the format, which all decoders read.
    static let maximumSide = 1 << 18
    /// The most pixels in level 5.
    static let maximumPixels = 1 << 28

    init(_ options: JXLOptions, _ context: EncodingContext) {
        (self.options, self.context) = (options, context)
    }

    func encode(_ image: consuming PixelBuffer) throws(TexelError) -> [UInt8] {
        try Self.check(options, image.size)
        let pixels = try JXLPixels(image)
        try context.stop?.check()
        context.progress?.begin(partCount: 1)
        let encoder = try JXLLibraryEncoder(options, context, pixels)
        let stream = try UninterruptibleCall.run(stop: context.stop) { () throws(TexelError) in
            try encoder.add(pixels.image, part: PixelRectangle(covering: pixels.image.size), ticks: 0, isLast: true)
            return encoder.take()
        }
        context.progress?.advance()
        return JXLContainer.file(stream, context.metadata)
    }

    /// - Throws: `cannotEncode` if the format does not support the options or the size.
    static func check(_ options: JXLOptions, _ size: PixelSize) throws(TexelError) {
        guard (0...100).contains(options.quality) else {
            throw .cannotEncode("invalid quality \(options.quality); a JPEG XL has 0 to 100")
        }
        guard max(size.width, size.height) <= maximumSide else {
            throw .cannotEncode("a side of a JPEG XL has at most \(maximumSide) pixels; the image is \(size)")
        }
        guard size.pixelCount ?? .max <= maximumPixels else {
            throw .cannotEncode("a JPEG XL has at most \(maximumPixels) pixels; the image is \(size)")
        }
    }
}
