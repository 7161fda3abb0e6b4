import CWebPShim
import TexelCodecs
import TexelCore
import TexelPixels

/// Encodes images through libwebp.
struct WebPEncoder {
    private let options: WebPOptions
    private let context: EncodingContext

    /// VP8's headers have 14 bits for each side.
    static let maximumSide = 16_383

    init(_ options: WebPOptions, _ context: EncodingContext) {
        self.options = options
        self.context = context
    }

    func encode(_ image: consuming PixelBuffer) throws(TexelError) -> [UInt8] {
        let config = try texel_webp_config(options, parallelism: context.parallelism)
        var pixels = try Self.prepared(image)
        try LoadedLibrary.webP.require()
        let size = pixels.size
        let hasAlpha = pixels.alphaMode != .opaque
        let profile = try Self.profile(of: pixels.colorSpace)
        let run = WebPEncodingRun(context)
        var output = texel_webp_output()
        var error: Int32 = 0
        // libwebp writes to the pixels of a transparent image with loss.
        var status = TEXEL_CODEC_OK
        pixels.updateRaster(to: pixels.alphaMode) { raster in
            status = withUnsafePointer(to: config) { config in
                texel_webp_encode(
                    config, raster.pixels(0), raster.bytesPerRow, Int32(size.width), Int32(size.height),
                    WebPEncodingRun.goOn, run.pointer, &output, &error)
            }
        }
        extendLifetime(run)
        _ = consume pixels
        defer { texel_webp_free(&output) }
        try run.check(status) { "libwebp's error \(error)" }
        let file = InputBytes(UnsafeRawBufferPointer(start: output.bytes, count: output.count))
        let encoded = try WebPFile(file, limits: Limits(), stop: nil)
        guard let bitstream = encoded.bitstream else { throw .cannotEncode("libwebp has written no image") }
        var container = WebPContainer(size: size, hasAlpha: hasAlpha)
        container.profile = profile
        container.metadata = context.metadata
        return container.image(bitstream.chunks(of: file))
    }

    /// Returns the image with straight alpha, in colours that a profile of RGB describes.
    ///
    /// - Throws: `cannotEncode` if a side is too large.
    static func prepared(_ image: consuming PixelBuffer) throws(TexelError) -> PixelBuffer {
        guard max(image.width, image.height) <= maximumSide else {
            throw .cannotEncode("a side of a WebP has at most \(maximumSide) pixels; the image is \(image.size)")
        }
        var result = image.alphaMode == .premultiplied ? try image.unpremultiplied() : image
        if case .iccProfile(let profile) = result.colorSpace, profile.colorModel != .rgb {
            result = try result.convertedToSRGB()
        }
        return result
    }

    /// Returns the profile to embed; `nil` for sRGB.
    static func profile(of colorSpace: ColorSpace) throws(TexelError) -> [UInt8]? {
        return try colorSpace.embeddableProfile()?.bytes
    }
}

/// Reports the progress of an encoding, and stops it.
final class WebPEncodingRun {
    private let context: EncodingContext
    private var percent = 0

    init(_ context: EncodingContext) {
        self.context = context
        context.progress?.begin(partCount: 100)
    }

    /// For the C shim, while this object is kept alive.
    var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static let goOn: texel_webp_go_on = { context, percent in
        guard let context else { return true }
        let run = Unmanaged<WebPEncodingRun>.fromOpaque(context).takeUnretainedValue()
        while run.percent < percent {
            run.percent += 1
            run.context.progress?.advance()
        }
        return !(run.context.stop?.isStopped ?? false)
    }

    /// Throws the error that a status stands for.
    func check(_ status: texel_codec_status, _ message: () -> String) throws(TexelError) {
        switch status {
        case TEXEL_CODEC_OK: return
        case TEXEL_CODEC_STOPPED: throw .stopped(context.stop?.reason ?? .cancelled)
        case TEXEL_CODEC_OUT_OF_MEMORY: throw .outOfMemory
        default: throw .cannotEncode(message())
        }
    }
}
