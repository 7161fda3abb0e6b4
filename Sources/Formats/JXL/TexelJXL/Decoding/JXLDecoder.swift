import CPixelKernels
import TexelCodecs
import TexelCore
import TexelPixels

/// Decodes an image or a frame of a JPEG XL to BGRA32 rows.
///
/// libjxl returns pixels in groups, not in rows, so the decoder keeps the whole image.
final class JXLDecoder: RowDecoder {
    let size: PixelSize
    let alphaMode: AlphaMode
    let colorSpace: ColorSpace
    private let file: JXLFile
    private let frames: JXLFrames
    private let index: Int
    private let options: DecodeOptions
    private var frame: JXLFrames.Frame?
    private var rowsRead = 0

    /// - Parameters:
    ///   - index: the frame; 0 is a still image.
    ///   - frames: shared by the decoders of an animation.
    init(_ file: JXLFile, frame index: Int = 0, _ frames: JXLFrames, _ options: DecodeOptions) throws(TexelError) {
        let limits = options.policy.limits
        try limits.check(file.header.size)
        try limits.checkCodec(JXLMemory.decoding(file.header))
        (self.file, self.frames, self.index, self.options) = (file, frames, index, options)
        size = file.header.size
        alphaMode = file.header.hasAlpha ? .straight : .opaque
        colorSpace = file.colorSpace
    }

    private func decoded() throws(TexelError) -> JXLFrames.Frame {
        if let frame { return frame }
        let decoded = try frames.frame(index, options)
        frame = decoded
        return decoded
    }

    func readRows(_ count: Int, into rows: UnsafeMutableRawPointer, bytesPerRow: Int) throws(TexelError) {
        try options.stop?.check()
        let memory = try decoded().memory
        let own = size.width * PixelBuffer.bytesPerPixel
        for y in 0..<count {
            // The memory has `size.height` rows, and no more are read.
            swapChannels(of: memory.base + (rowsRead + y) * own, to: rows + y * bytesPerRow)
        }
        rowsRead += count
    }

    /// Converts a row of RGBA to BGRA.
    private func swapChannels(of row: UnsafeRawPointer, to target: UnsafeMutableRawPointer) {
        texel_kernels_in_use().pointee.pack_rgba_row(
            target.assumingMemoryBound(to: UInt8.self), row.assumingMemoryBound(to: UInt8.self), size.width)
    }

    func wholeImage() throws(TexelError) -> PixelBuffer? {
        let memory = try decoded().memory
        let bytesPerRow = size.width * PixelBuffer.bytesPerPixel
        // The memory becomes that of the image.
        withUnsafeTemporaryAllocation(byteCount: bytesPerRow, alignment: 64) { row in
            guard let base = row.baseAddress else { return }
            for y in 0..<size.height {
                let start = memory.base + y * bytesPerRow
                swapChannels(of: start, to: base)
                start.copyMemory(from: base, byteCount: bytesPerRow)
            }
        }
        let bytes = UnsafeMutableRawBufferPointer(start: memory.base, count: bytesPerRow * size.height)
        return try PixelBuffer(
            adopting: bytes, width: size.width, height: size.height, bytesPerRow: bytesPerRow,
            alphaMode: alphaMode, colorSpace: colorSpace, deallocator: { _ in extendLifetime(memory) })
    }

    func finish() throws(TexelError) -> DecoderResult {
        let boxes = try file.allBoxes(limits: options.policy.limits, stop: options.stop)
        let isDamaged = frame?.isDamaged ?? false
        return DecoderResult(
            metadata: boxes.metadata, warnings: isDamaged ? ["the image is damaged or truncated"] : [])
    }
}
