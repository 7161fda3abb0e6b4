import CWebPShim
import TexelCodecs
import TexelCore
import TexelPixels

/// Decodes one image of a WebP file through libwebp, which writes rows to the caller's memory as bytes arrive.
///
/// Unchecked because of the pointer: its owner calls it from one thread at a time.
final class WebPBitstreamDecoder: @unchecked Sendable {
    private let bytes: InputBytes
    private let bitstream: WebPFile.Bitstream
    private let options: DecodeOptions
    private let decoder: OpaquePointer
    /// The memory that libwebp writes to.
    private let memory: LargeMemory
    private let height: Int
    /// The number of bytes of the image that libwebp has seen.
    private var fed = 0
    private(set) var rowsDone = 0
    /// Whether rows are missing for ever; only the strictness `none` accepts that.
    private var hasFailed = false

    /// A decoder of BGRA rows of `size`, one after another in `memory`.
    init(
        pixelsOf bitstream: WebPFile.Bitstream, in bytes: InputBytes, size: PixelSize, into memory: LargeMemory,
        _ options: DecodeOptions
    ) throws(TexelError) {
        try LoadedLibrary.webP.require()
        let decoder = texel_webp_decoder_create(
            memory.base.assumingMemoryBound(to: UInt8.self), size.width * PixelBuffer.bytesPerPixel,
            Int32(size.width), Int32(size.height), size != bitstream.size, options.parallelism > 1)
        guard let decoder else { throw .outOfMemory }
        (self.decoder, self.memory, self.options) = (decoder, memory, options)
        (self.bytes, self.bitstream, height) = (bytes, bitstream, size.height)
    }

    /// A decoder of the planes of an image with loss.
    init(
        planesOf bitstream: WebPFile.Bitstream, in bytes: InputBytes, into planes: WebPPlanes, _ options: DecodeOptions
    ) throws(TexelError) {
        try LoadedLibrary.webP.require()
        var starts: [UnsafeMutablePointer<UInt8>?] = planes.starts.map { $0.assumingMemoryBound(to: UInt8.self) }
        let decoder = texel_webp_decoder_create_planes(
            &starts, [planes.lumaBytesPerRow, planes.chromaBytesPerRow], Int32(bitstream.size.height),
            options.parallelism > 1)
        guard let decoder else { throw .outOfMemory }
        (self.decoder, self.memory, self.options) = (decoder, planes.memory, options)
        (self.bytes, self.bitstream, height) = (bytes, bitstream, bitstream.size.height)
    }

    deinit { texel_webp_decoder_destroy(decoder) }

    /// Decodes until `count` rows are done, waiting for bytes.
    ///
    /// - Throws: `truncated`, `damaged`, `outOfMemory`, `stopped`.
    func decode(rows count: Int) throws(TexelError) {
        while rowsDone < count, !hasFailed {
            try options.stop?.check()
            let wanted = min(bitstream.range.count, fed + Self.step)
            let there = try bytes.wait(for: bitstream.range.lowerBound + wanted, options.stop)
            let available = min(bitstream.range.count, max(0, there - bitstream.range.lowerBound))
            let isAtEnd = available < wanted || available == bitstream.range.count
            if available < wanted, fed == available { return try fail(nil) }
            fed = available
            try update(isAtEnd: isAtEnd)
        }
    }

    /// The number of bytes between two looks at the stop token.
    private static let step = 1 << 16

    private func update(isAtEnd: Bool) throws(TexelError) {
        let input = bytes.rawBytes(bitstream.range.lowerBound..<(bitstream.range.lowerBound + fed))
        var done: Int32 = 0
        let progress = texel_webp_decoder_update(
            decoder, input.baseAddress?.assumingMemoryBound(to: UInt8.self), fed, &done)
        extendLifetime(bytes)
        rowsDone = max(rowsDone, min(Int(done), height))
        switch progress {
        case TEXEL_WEBP_COMPLETE: rowsDone = height
        case TEXEL_WEBP_OUT_OF_MEMORY: throw .outOfMemory
        case TEXEL_WEBP_DAMAGED: try fail(.webP(.corrupt("libwebp cannot decode the image")))
        default: if isAtEnd { try fail(nil) }
        }
    }

    /// - Parameter error: `nil` if the bytes end.
    private func fail(_ error: TexelError?) throws(TexelError) {
        guard options.policy.strictness == .none, rowsDone > 0 else {
            throw error ?? .truncated(rowsRead: rowsDone * bitstream.size.height / height, rows: bitstream.size.height)
        }
        hasFailed = true
    }

    /// Returns the metadata with a warning if decoding failed.
    func result(_ metadata: ImageMetadata) -> DecoderResult {
        DecoderResult(metadata: metadata, warnings: hasFailed ? ["the image is damaged or truncated"] : [])
    }
}
