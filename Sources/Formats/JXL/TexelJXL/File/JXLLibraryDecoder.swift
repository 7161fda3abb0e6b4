import CCodecShims
import CJXLShim
import TexelCodecs
import TexelCore
import TexelPixels

/// Decodes a codestream through libjxl while its bytes arrive.
///
/// Unchecked because of the pointer: its owner calls it from one thread at a time.
final class JXLLibraryDecoder: @unchecked Sendable {
    private let bytes: InputBytes
    private var codestream: JXLCodestream
    private let decoder: OpaquePointer
    /// Changes with each use of a shared decoder.
    var stop: StopToken?

    /// The number of bytes between two looks at the stop token: some tens of milliseconds, and several groups of
    /// pixels, which threads decode at the same time.
    private static let step = 1 << 18

    /// - Parameter threads: the maximum number of threads, including the calling one.
    /// - Throws: `missingLibrary`, `outOfMemory`.
    init(
        _ bytes: InputBytes, _ codestream: JXLCodestream, _ purpose: texel_jxl_purpose, threads: Int = 1,
        _ stop: StopToken?
    ) throws(TexelError) {
        try LoadedLibrary.jxl.require()
        if threads > 1 { try LoadedLibrary.jxlThreads.require() }
        guard let decoder = texel_jxl_decoder_create(purpose, max(1, threads)) else { throw .outOfMemory }
        (self.bytes, self.codestream, self.decoder, self.stop) = (bytes, codestream, decoder, stop)
    }

    deinit { texel_jxl_decoder_destroy(decoder) }

    /// Decodes until the library reports something. Waits for bytes.
    ///
    /// - Returns: `TEXEL_JXL_NEEDS_BYTES` if the file ends too early.
    /// - Throws: `damaged`, `limitExceeded`, `outOfMemory`, `stopped`.
    func next() throws(TexelError) -> texel_jxl_event {
        while true {
            try stop?.check()
            let event = texel_jxl_decoder_next(decoder)
            switch event {
            case TEXEL_JXL_NEEDS_BYTES:
                guard let range = try codestream.next(Self.step) else { return event }
                let input = bytes.rawBytes(range)
                // The bytes are the file's, which this object keeps.
                let start = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
                guard texel_jxl_decoder_feed(decoder, start, input.count) else { throw .outOfMemory }
            case TEXEL_JXL_DAMAGED: throw .jxl(.corrupt("libjxl cannot decode the image"))
            case TEXEL_JXL_OUT_OF_MEMORY: throw .outOfMemory
            default: return event
            }
        }
    }

    /// Returns the profile of the file's colours; `nil` if libjxl has none.
    ///
    /// - Throws: `truncated`, `damaged`, `limitExceeded`, `outOfMemory`, `stopped`.
    func profile(limit: Int) throws(TexelError) -> [UInt8]? {
        guard try next() == TEXEL_JXL_HEADER else { throw .truncated(rowsRead: 0, rows: 0) }
        var output = texel_jxl_output()
        let status = texel_jxl_decoder_profile(decoder, true, limit, &output)
        defer { texel_jxl_free(&output) }
        switch status {
        case TEXEL_CODEC_OK: return Array(UnsafeBufferPointer(start: output.bytes, count: output.count))
        case TEXEL_CODEC_MEMORY_LIMIT: throw .limitExceeded(.metadataBytes, value: limit + 1, allowed: limit)
        case TEXEL_CODEC_OUT_OF_MEMORY: throw .outOfMemory
        default: return nil
        }
    }

    /// The size of the image as stored, once the header has been read.
    var size: PixelSize {
        var (width, height): (UInt32, UInt32) = (0, 0)
        texel_jxl_decoder_size(decoder, &width, &height)
        return PixelSize(width: Int(width), height: Int(height))
    }

    /// Chooses the colours of pixels made of XYB. Call it when the header has been read.
    func setColors(_ colors: texel_jxl_colors) -> Bool { texel_jxl_decoder_set_colors(decoder, colors) }

    /// The ticks of the frame that has begun.
    var duration: Int { Int(texel_jxl_decoder_duration(decoder)) }

    /// Skips the next displayed frames.
    func skip(_ count: Int) { texel_jxl_decoder_skip(decoder, count) }

    /// Sets the memory of the frame that is about to be decoded, for RGBA rows of ``size`` one after another. The
    /// caller keeps it until the frame is complete.
    func setRows(_ memory: LargeMemory) -> Bool {
        texel_jxl_decoder_set_rows(decoder, memory.base.assumingMemoryBound(to: UInt8.self), memory.byteCount)
    }

    /// Writes what can be shown of an incomplete frame.
    func flush() -> Bool { texel_jxl_decoder_flush(decoder) }
}
