import CAVIFShim
import CCodecShims
import Synchronization
import TexelCodecs
import TexelCore
import TexelPixels

/// Decodes the image or the frames of a file through libavif, and keeps the planes of one of them.
///
/// May be used from several threads; then frames may be decoded again.
final class AVIFFrames: Sendable {
    private let file: AVIFFile
    private let options: DecodeOptions
    private let decoder = Mutex<Handle?>(nil)

    /// The library's decoder with the frame that it holds.
    ///
    /// Unchecked because of the pointer: only the holder of the lock uses it.
    private final class Handle: @unchecked Sendable {
        let input: DecoderInput
        let pointer: OpaquePointer
        var current: (index: Int, frame: texel_avif_frame)?

        init(_ file: AVIFFile, _ options: DecodeOptions) throws(TexelError) {
            try LoadedLibrary.avif.require()
            input = DecoderInput(file.bytes, options.stop)
            var library = input.forLibrary(count: nil)
            var settings = AVIFFrames.settings(file, options)
            guard let pointer = texel_avif_decoder_create(&library, &settings) else { throw .outOfMemory }
            self.pointer = pointer
        }

        deinit { texel_avif_decoder_destroy(pointer) }
    }

    init(_ file: AVIFFile, _ options: DecodeOptions) {
        self.file = file
        self.options = options
    }

    /// The limits of the library are those that the header has been checked against: no coded frame may be larger than
    /// what the file declares.
    private static func settings(_ file: AVIFFile, _ options: DecodeOptions) -> texel_avif_decoder_settings {
        let (limits, strictness) = (options.policy.limits, options.policy.strictness)
        let pixels = min(limits.pixels, file.declaredPixels)
        return texel_avif_decoder_settings(
            threads: Int32(clamping: options.parallelism), pixel_limit: UInt32(min(max(1, pixels), 1 << 28)),
            side_limit: UInt32(clamping: max(1, limits.side)), frame_limit: UInt32(clamping: max(1, limits.frames)),
            byte_limit: UInt64(file.bytes.wholeCount ?? limits.inputBytes),
            is_strict: strictness == .error || strictness == .warning, uses_tracks: file.track != nil,
            accepts_missing: strictness == .none)
    }

    /// Calls `body` with the decoder and the decoded frame. Blocks while the frame is decoded.
    ///
    /// - Parameter index: the frame; 0 is a still image.
    /// - Throws: `truncated`, `damaged`, `unsupported`, `outOfMemory`, `stopped`.
    func withFrame<Value>(
        _ index: Int, _ body: (OpaquePointer, texel_avif_frame) throws(TexelError) -> Value
    ) throws(TexelError) -> Value {
        try decoder.withLock { handle throws(TexelError) in
            if handle == nil { handle = try Handle(file, options) }
            guard let decoder = handle else { throw .outOfMemory }
            defer { extendLifetime(decoder) }
            if let current = decoder.current, current.index == index {
                return try body(decoder.pointer, current.frame)
            }
            decoder.current = nil
            try options.stop?.check()
            let frame = try decode(index, decoder)
            decoder.current = (index, frame)
            return try body(decoder.pointer, frame)
        }
    }

    private func decode(_ index: Int, _ decoder: Handle) throws(TexelError) -> texel_avif_frame {
        var frame = texel_avif_frame()
        try check(decoder) { texel_avif_decoder_decode(decoder.pointer, UInt32(clamping: index), &frame, $0) }
        extendLifetime(file.bytes)
        let size = file.image.size
        guard Int(frame.width) == size.width, Int(frame.height) == size.height else {
            throw .avif(.corrupt("the AV1 image has \(frame.width)×\(frame.height) pixels instead of \(size)"))
        }
        return frame
    }

    /// Throws the error that a status stands for.
    private func check(
        _ decoder: Handle, _ work: (UnsafeMutablePointer<CChar>) -> texel_avif_status
    ) throws(TexelError) {
        let (status, message) = LibraryMessage.result(of: work)
        switch status {
        case TEXEL_AVIF_OK: return
        case TEXEL_AVIF_NEEDS_BYTES: throw .truncated(rowsRead: 0, rows: file.image.area.height)
        case TEXEL_AVIF_STOPPED: throw decoder.input.stopError
        case TEXEL_AVIF_OUT_OF_MEMORY: throw .outOfMemory
        case TEXEL_AVIF_UNSUPPORTED: throw .unsupported("this AVIF (\(message))")
        default: throw .avif(.corrupt(message.isEmpty ? "libavif cannot decode it" : message))
        }
    }

    /// Writes rows of the frame that `withFrame` gives, as BGRA; alpha is premultiplied if the frame's is.
    func convert(
        _ decoder: OpaquePointer, _ rows: Range<Int>, into memory: UnsafeMutableRawPointer, bytesPerRow: Int
    ) throws(TexelError) {
        let (status, _) = LibraryMessage.result {
            texel_avif_decoder_convert(
                decoder, Int32(clamping: rows.lowerBound), Int32(clamping: rows.count),
                memory.assumingMemoryBound(to: UInt8.self), bytesPerRow, $0)
        }
        guard status == TEXEL_AVIF_OK else {
            // The rows are those of a decoded frame, so libavif refuses only what it cannot convert.
            throw status == TEXEL_AVIF_OUT_OF_MEMORY
                ? .outOfMemory
                : .unsupported("the colour matrix \(file.image.colors.coded.matrix) of this AVIF")
        }
    }
}
