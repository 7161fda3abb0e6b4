import CWebPShim
import TexelCodecs
import TexelCore
import TexelPixels

/// Frames that libwebpmux encodes with one set of options; it finds the part of each frame that changed.
///
/// Unchecked because of the library's object: the encoder of the animation lets one thread at a time use it.
final class WebPFrames: @unchecked Sendable {
    private let context: EncodingContext
    private let config: texel_webp_config
    private let animation: OpaquePointer
    /// The run of the last frame. libwebpmux encodes the frame again if it turns out to be the only one.
    private var run: WebPEncodingRun?

    /// Begins an animation. The libraries must be loaded.
    init(_ options: WebPOptions, _ properties: AnimationProperties, _ context: EncodingContext) throws(TexelError) {
        var config = try texel_webp_config(options, parallelism: context.parallelism)
        // Two encodings are tried for most frames; the search of `cwebp -z 9` would take 40 times the time of `-z 6`
        // for 2 % fewer bytes.
        if options.isLossless, options.effort == .best { config.quality = 75 }
        self.config = config
        let animation = texel_webp_animation_create(
            Int32(properties.size.width), Int32(properties.size.height),
            Int32(clamping: min(properties.playCount, 0xFFFF)), options.effort == .best, !options.isLossless)
        guard let animation else { throw .outOfMemory }
        self.animation = animation
        self.context = context
    }

    deinit { texel_webp_animation_destroy(animation) }

    /// Encodes a frame of the animation's size.
    ///
    /// - Parameter time: its start in milliseconds.
    func append(_ frame: PixelBuffer, at time: Int) throws(TexelError) {
        var pixels = frame
        let run = WebPEncodingRun(context)
        self.run = run
        var status = TEXEL_CODEC_OK
        // libwebp writes to the pixels of a transparent image with loss.
        pixels.updateRaster(to: pixels.alphaMode) { raster in
            status = withUnsafePointer(to: config) { config in
                texel_webp_animation_add(
                    animation, config, raster.pixels(0), raster.bytesPerRow, Int32(clamping: time),
                    WebPEncodingRun.goOn, run.pointer)
            }
        }
        try run.check(status) { message }
    }

    /// Ends the animation.
    ///
    /// - Parameter time: the end of the last frame in milliseconds.
    func finish(at time: Int) throws(TexelError) -> InputBytes {
        try context.stop?.check()
        var output = texel_webp_output()
        defer { extendLifetime(run) }
        guard texel_webp_animation_finish(animation, Int32(clamping: time), &output) == TEXEL_CODEC_OK else {
            try context.stop?.check()
            throw .cannotEncode(message)
        }
        defer { texel_webp_free(&output) }
        return InputBytes(UnsafeRawBufferPointer(start: output.bytes, count: output.count))
    }

    private var message: String { String(cString: texel_webp_animation_error(animation)) }
}
