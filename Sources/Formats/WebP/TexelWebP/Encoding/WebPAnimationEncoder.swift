import CWebPShim
import TexelCodecs
import TexelCore
import TexelPixels

/// Writes an animated WebP through libwebpmux, which finds the part of each frame that changed.
final class WebPAnimationEncoder: AnimationEncoder {
    private let options: WebPOptions
    private let properties: AnimationProperties
    private let context: EncodingContext
    private let config: texel_webp_config
    private let animation: OpaquePointer
    private var clock = FrameTicks(ticksPerSecond: 1000)
    /// The start of the next frame in milliseconds.
    private var time = 0
    /// The run of the last frame. libwebpmux encodes the frame again if it turns out to be the only one.
    private var run: WebPEncodingRun?

    init(
        _ options: WebPOptions, _ properties: AnimationProperties, _ context: EncodingContext
    ) throws(TexelError) {
        guard max(properties.size.width, properties.size.height) <= WebPEncoder.maximumSide else {
            throw .cannotEncode(
                "a side of a WebP has at most \(WebPEncoder.maximumSide) pixels; the image is \(properties.size)")
        }
        config = try texel_webp_config(options, parallelism: context.parallelism)
        try LoadedLibrary.webP.require()
        try LoadedLibrary.webPMux.require()
        let animation = texel_webp_animation_create(
            Int32(properties.size.width), Int32(properties.size.height),
            Int32(clamping: min(properties.playCount, 0xFFFF)),
            options.effort == .best, false)
        guard let animation else { throw .outOfMemory }
        self.animation = animation
        (self.options, self.properties, self.context) = (options, properties, context)
    }

    deinit { texel_webp_animation_destroy(animation) }

    func append(_ frame: consuming PixelBuffer, delay: FrameDelay) throws(TexelError) {
        var pixels = try WebPEncoder.prepared(frame)
        guard pixels.size == properties.size else {
            throw .cannotEncode("a frame of \(pixels.size) pixels in an animation of \(properties.size)")
        }
        let run = WebPEncodingRun(context)
        self.run = run
        var status = TEXEL_CODEC_OK
        pixels.updateRaster(to: pixels.alphaMode) { raster in
            status = withUnsafePointer(to: config) { config in
                texel_webp_animation_add(
                    animation, config, raster.pixels(0), raster.bytesPerRow, Int32(clamping: time),
                    WebPEncodingRun.goOn, run.pointer)
            }
        }
        try run.check(status) { message }
        // libwebpmux refuses frames that take no time.
        time += max(1, clock.ticks(for: delay))
    }

    func finish() throws(TexelError) -> [UInt8] {
        try context.stop?.check()
        var output = texel_webp_output()
        defer { extendLifetime(run) }
        guard texel_webp_animation_finish(animation, Int32(clamping: time), &output) == TEXEL_CODEC_OK else {
            try context.stop?.check()
            throw .cannotEncode(message)
        }
        defer { texel_webp_free(&output) }
        let bytes = InputBytes(UnsafeRawBufferPointer(start: output.bytes, count: output.count))
        return try WebPFile(bytes, limits: Limits(), stop: nil).rewritten(
            metadata: context.metadata, profile: try WebPEncoder.profile(of: properties.colorSpace), nil)
    }

    private var message: String { String(cString: texel_webp_animation_error(animation)) }
}
