import CLibAVShim
package import SystemPackage
package import TexelCodecs
package import TexelCore
package import TexelPixels

/// A video that FFmpeg's libraries encode and write: one stream of images. Used by one thread at a time.
///
/// Unchecked because of the pointer: its object belongs to this one alone.
package final class VideoWriter: @unchecked Sendable {
    private let writer: OpaquePointer
    private let size: PixelSize

    /// The number of bytes of a frame's planes.
    private var byteCount: Int {
        let chroma = ((size.width + 1) / 2) * ((size.height + 1) / 2)
        return size.width * size.height + 2 * chroma
    }

    /// Begins a video. Loads the libraries.
    ///
    /// - Parameters:
    ///   - file: A file that can be written at any offset. It must outlive the writer.
    ///   - size: The size of all frames. The encoder repeats the last column or row of odd sizes.
    ///   - rate: Frames per second, for the encoder's choice of sizes; `nil` if unknown.
    ///   - color: The matrix and range of the planes.
    ///   - quality: 1…100.
    /// - Throws: `unsupported` if this FFmpeg does not have the encoder; `streamFailed` if the file cannot be written.
    package init(
        to file: FileDescriptor, _ container: VideoContainer, size: PixelSize, rate: FrameRate?, color: YUVColor,
        quality: Int
    ) throws(TexelError) {
        try LoadedLibrary.libAV.require()
        var output = texel_video_output()
        output.descriptor = file.rawValue
        (output.width, output.height) = (CInt(clamping: size.width), CInt(clamping: size.height))
        if let rate {
            output.rate.numerator = CInt(clamping: rate.frames)
            output.rate.denominator = CInt(clamping: rate.seconds)
        }
        output.sums_durations = container == .mp4 || container == .mov
        // Numbers of ITU-T H.273: the pixels are sRGB, which players show for the transfer of BT.709.
        output.colors = texel_video_colors(
            matrix: color.matrix == .bt709 ? 1 : 6, transfer: 1, primaries: 1, range: color.range == .full ? 1 : 0)
        var opened: OpaquePointer?
        var failure = texel_video_failure()
        let encoder = container.encoder
        let status = encoder.name.withCString { name in
            container.rawValue.withCString { container in
                encoder.options(quality).withCString { options in
                    (output.encoder, output.container, output.options) = (name, container, options)
                    return texel_video_writer_open(&output, &opened, &failure)
                }
            }
        }
        guard let opened else { throw TexelError(status, &failure) }
        writer = opened
        self.size = size
    }

    deinit { texel_video_writer_close(writer) }

    /// Encodes a frame.
    ///
    /// - Parameters:
    ///   - planes: I420 of the size of the video, without padding.
    ///   - time: later than that of the frame before.
    package func append(_ planes: UnsafeRawBufferPointer, at time: Duration) throws(TexelError) {
        guard planes.count == byteCount, let base = planes.baseAddress else {
            throw .cannotEncode("\(planes.count) bytes of samples in a video of \(size) pixels")
        }
        var failure = texel_video_failure()
        let status = texel_video_writer_add(
            writer, base.assumingMemoryBound(to: UInt8.self), Self.ticks(time), &failure)
        guard status == TEXEL_VIDEO_OK else { throw TexelError(status, &failure) }
    }

    /// Ends the video.
    ///
    /// - Parameter duration: how long the last frame is shown.
    package func finish(showingLastFor duration: Duration) throws(TexelError) {
        var failure = texel_video_failure()
        let status = texel_video_writer_finish(writer, max(1, Self.ticks(duration)), &failure)
        guard status == TEXEL_VIDEO_OK else { throw TexelError(status, &failure) }
    }

    private static func ticks(_ time: Duration) -> Int64 {
        Int64(min((time / .seconds(1) * 90_000).rounded(), 1e15))
    }
}

extension VideoContainer {
    /// FFmpeg's encoder.
    fileprivate var encoder: VideoEncoder { self == .webm ? .vp9 : .h264 }
}

/// An encoder of FFmpeg with its options.
private enum VideoEncoder {
    case h264
    case vp9

    var name: String {
        switch self {
        case .h264: "libx264"
        case .vp9: "libvpx-vp9"
        }
    }

    /// Constant quality: libx264's factors go from 0, the best, to 51, and those of libvpx to 63.
    func options(_ quality: Int) -> String {
        let below = Double(80 - quality)
        func factor(_ value: Double, atMost limit: Double) -> Int { Int(min(limit, max(1, value)).rounded()) }
        return switch self {
        case .h264: "crf=\(factor(20 + below * 0.4, atMost: 51))"
        case .vp9: "crf=\(factor(30 + below * 0.45, atMost: 63)):b=0:row-mt=1:cpu-used=3"
        }
    }
}

extension TexelError {
    fileprivate init(_ status: texel_video_status, _ failure: inout texel_video_failure) {
        let message = failure.text
        self =
            switch status {
            case TEXEL_VIDEO_UNSUPPORTED: .unsupported("\(message), which this FFmpeg does not have,")
            case TEXEL_VIDEO_OUT_OF_MEMORY: .outOfMemory
            case TEXEL_VIDEO_SYSTEM: .streamFailed(failure.system_error)
            default: .cannotEncode("the video: \(message)")
            }
    }
}
