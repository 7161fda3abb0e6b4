import CAVIFShim
import TexelCodecs
import TexelCore
import TexelPixels

/// Encodes images through libavif and libaom.
///
/// libaom encodes an image in one call, which cannot be interrupted; if the work is stopped, the call is abandoned.
struct AVIFEncoder {
    private let options: AVIFOptions
    private let context: EncodingContext

    /// AV1's headers have 16 bits for each side.
    static let maximumSide = 65_535

    init(_ options: AVIFOptions, _ context: EncodingContext) {
        self.options = options
        self.context = context
    }

    func encode(_ image: consuming PixelBuffer) throws(TexelError) -> [UInt8] {
        try Self.check(options, image.size)
        try LoadedLibrary.avif.require()
        let pixels = try AVIFColorChoice.prepared(image)
        let rows = BlockRows(parallelism: context.parallelism, stop: context.stop)
        context.progress?.begin(partCount: 1, upTo: 0.05)
        let library = try AVIFLibraryEncoder(options, context, first: pixels, animation: nil, rows)
        try library.fill(pixels, rows)
        context.progress?.advance()
        _ = consume pixels
        context.progress?.begin(partCount: 1)
        let bytes = try UninterruptibleCall.run(stop: context.stop) { () throws(TexelError) in
            try library.add(ticks: 0)
            return try library.finish()
        }
        context.progress?.advance()
        return bytes
    }

    /// - Throws: `cannotEncode` for numbers that the format does not define, and for sides that are too large.
    static func check(_ options: AVIFOptions, _ size: PixelSize) throws(TexelError) {
        try options.check()
        guard max(size.width, size.height) <= maximumSide else {
            throw .cannotEncode("a side of an AVIF has at most \(maximumSide) pixels; the image is \(size)")
        }
    }
}
