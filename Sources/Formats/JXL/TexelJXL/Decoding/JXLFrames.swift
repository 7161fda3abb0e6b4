import CJXLShim
import Synchronization
import TexelCodecs
import TexelCore
import TexelPixels

/// Decodes the image, or the displayed frames of an animation, through libjxl.
///
/// libjxl composes the frames of an animation itself, so that each covers the canvas. Frames that are requested in
/// their order are decoded once. May be used from several threads.
final class JXLFrames: Sendable {
    /// A decoded frame.
    struct Frame: Sendable {
        /// RGBA rows, one after another.
        var memory: LargeMemory
        /// Whether pixels are missing, which only the strictness `none` accepts.
        var isDamaged: Bool
    }

    private let file: JXLFile
    private let position = Mutex<Position?>(nil)

    /// The library's decoder, and the frame that it decodes next.
    private struct Position: Sendable {
        var decoder: JXLLibraryDecoder
        var index: Int
    }

    init(_ file: JXLFile) { self.file = file }

    /// Decodes a frame. Blocks while bytes arrive.
    ///
    /// - Parameter index: the frame; 0 is a still image.
    /// - Throws: `truncated`, `damaged`, `limitExceeded`, `outOfMemory`, `stopped`.
    func frame(_ index: Int, _ options: DecodeOptions) throws(TexelError) -> Frame {
        try position.withLock { position throws(TexelError) in
            var current: Position
            if let known = position, known.index <= index {
                current = known
                current.decoder.skip(index - current.index)
            } else {
                current = Position(decoder: try decoder(options), index: index)
                current.decoder.skip(index)
            }
            // After an error the library's decoder is not used again.
            position = nil
            current.decoder.stop = options.stop
            let frame = try decode(current.decoder, options)
            if !frame.isDamaged { position = Position(decoder: current.decoder, index: index + 1) }
            return frame
        }
    }

    /// A decoder that has read the header.
    private func decoder(_ options: DecodeOptions) throws(TexelError) -> JXLLibraryDecoder {
        let codestream = file.codestream(limits: options.policy.limits, stop: options.stop)
        let decoder = try JXLLibraryDecoder(
            file.bytes, codestream, TEXEL_JXL_READ_PIXELS, threads: options.parallelism, options.stop)
        guard try decoder.next() == TEXEL_JXL_HEADER else { throw missing }
        guard decoder.size == file.header.size else {
            throw .jxl(.corrupt("libjxl reads a size of \(decoder.size) instead of \(file.header.size)"))
        }
        if file.header.isXYB, !decoder.setColors(file.outputColors) {
            throw .unsupported("the colours of this JPEG XL")
        }
        return decoder
    }

    private var missing: TexelError { .truncated(rowsRead: 0, rows: file.header.size.height) }

    private func decode(_ decoder: JXLLibraryDecoder, _ options: DecodeOptions) throws(TexelError) -> Frame {
        let acceptsMissing = options.policy.strictness == .none
        let memory = try frameMemory(isCleared: acceptsMissing)
        defer { extendLifetime(memory) }
        var hasBegun = false
        do throws(TexelError) {
            while true {
                switch try decoder.next() {
                case TEXEL_JXL_NEEDS_OUTPUT:
                    guard decoder.setRows(memory) else { throw .jxl(.corrupt("libjxl has no pixels")) }
                    hasBegun = true
                case TEXEL_JXL_IMAGE: return Frame(memory: memory, isDamaged: false)
                case TEXEL_JXL_END: throw .jxl(.missing("image"))
                case TEXEL_JXL_NEEDS_BYTES:
                    let isShown = hasBegun && acceptsMissing && decoder.flush()
                    guard isShown else { throw missing }
                    return incomplete(memory)
                default: break
                }
            }
        } catch {
            guard acceptsMissing, error.kind == .damaged, hasSamples(memory) else { throw error }
            return incomplete(memory)
        }
    }

    private var pixelCount: Int { file.header.size.width * file.header.size.height }

    private func frameMemory(isCleared: Bool) throws(TexelError) -> LargeMemory {
        // The limits have been checked, so this does not overflow.
        guard let memory = LargeMemory(byteCount: pixelCount * PixelBuffer.bytesPerPixel) else { throw .outOfMemory }
        if isCleared { memory.base.initializeMemory(as: UInt32.self, repeating: 0, count: pixelCount) }
        return memory
    }

    /// Whether libjxl has written anything to cleared memory.
    private func hasSamples(_ memory: LargeMemory) -> Bool {
        let pixels = UnsafeBufferPointer(start: memory.base.assumingMemoryBound(to: UInt32.self), count: pixelCount)
        return pixels.contains { $0 != 0 }
    }

    /// A frame of which libjxl has not written all pixels. Those of an opaque image become black.
    private func incomplete(_ memory: LargeMemory) -> Frame {
        if !file.header.hasAlpha {
            let pixels = memory.base.assumingMemoryBound(to: UInt32.self)
            for index in 0..<pixelCount { pixels[index] |= 0xFF00_0000 }
        }
        return Frame(memory: memory, isDamaged: true)
    }
}
