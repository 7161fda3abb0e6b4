import CCodecShims
import CJXLShim
import TexelCodecs
import TexelCore
import TexelPixels

/// An encoder of libjxl.
///
/// Unchecked because of the pointer: its owner calls it from one thread at a time, and not any more after it has
/// abandoned a call.
final class JXLLibraryEncoder: @unchecked Sendable {
    private let encoder: OpaquePointer

    /// - Parameter animation: the ticks per second, and how often it is played; `nil` for a still image.
    /// - Throws: `cannotEncode`, `missingLibrary`, `outOfMemory`, errors of pixels.
    init(
        _ options: JXLOptions, _ context: EncodingContext, _ first: JXLPixels, hasAlpha: Bool? = nil,
        animation: (ticksPerSecond: Int, playCount: Int)? = nil
    ) throws(TexelError) {
        try LoadedLibrary.jxl.require()
        if context.parallelism > 1 { try LoadedLibrary.jxlThreads.require() }
        var config = texel_jxl_config()
        (config.width, config.height) = (UInt32(first.image.width), UInt32(first.image.height))
        config.has_alpha = hasAlpha ?? first.hasAlpha
        config.is_gray = first.isGray
        config.is_lossless = options.isLossless
        config.distance = JXLQuality.distance(options.quality, options.effort)
        config.effort = Int32(Self.effort(options))
        config.orientation = Int32(SeparateOrientation(context.metadata).orientation.rawValue)
        config.threads = max(1, context.parallelism)
        if let animation {
            config.ticks_per_second = UInt32(animation.ticksPerSecond)
            config.play_count = UInt32(clamping: animation.playCount)
        }
        let profile = try config.setColors(first.image.colorSpace)
        let (created, message) = LibraryMessage.result { message in
            guard let profile else { return texel_jxl_encoder_create(&config, message) }
            return profile.withUnsafeBufferPointer { bytes in
                (config.profile, config.profile_count) = (bytes.baseAddress, bytes.count)
                return texel_jxl_encoder_create(&config, message)
            }
        }
        guard let created else { throw .cannotEncode(message) }
        encoder = created
    }

    deinit { texel_jxl_encoder_destroy(encoder) }

    /// libjxl's efforts have numbers from 1 to 9.
    static func effort(_ options: JXLOptions) -> Int {
        switch options.effort {
        case .fast: 3
        case .balanced: 7
        case .best: 8
        }
    }

    /// Encodes a frame, or the image.
    ///
    /// - Parameters:
    ///   - part: the part of the canvas that changes; all of it for the first frame.
    ///   - ticks: how long the frame is displayed.
    func add(_ image: PixelBuffer, part: PixelRectangle, ticks: Int, isLast: Bool) throws(TexelError) {
        let (status, message) = LibraryMessage.result { message in
            image.withUnsafeBytes { bytes in
                guard let base = bytes.baseAddress else { return TEXEL_CODEC_FAILED }
                // The part is inside the image.
                let start = base + part.y * image.bytesPerRow + part.x * PixelBuffer.bytesPerPixel
                var frame = texel_jxl_frame(
                    pixels: start.assumingMemoryBound(to: UInt8.self), bytes_per_row: image.bytesPerRow,
                    x: UInt32(part.x), y: UInt32(part.y), width: UInt32(part.width), height: UInt32(part.height),
                    duration: UInt32(clamping: ticks), is_last: isLast)
                return texel_jxl_encoder_add(encoder, &frame, message)
            }
        }
        switch status {
        case TEXEL_CODEC_OK: return
        case TEXEL_CODEC_OUT_OF_MEMORY: throw .outOfMemory
        default: throw .cannotEncode(message)
        }
    }

    /// Moves the codestream out, after the last frame.
    func take() -> [UInt8] {
        var output = texel_jxl_output()
        texel_jxl_encoder_take(encoder, &output)
        defer { texel_jxl_free(&output) }
        return Array(UnsafeBufferPointer(start: output.bytes, count: output.count))
    }
}
