import CPixelKernels
import TexelCore
import TexelPixels

/// Converts the pixels of frames to samples of one layout, in memory that is reused for each frame.
final class SampleConverter {
    private let layout: SampleLayout
    private let planes: FramePlanes?
    /// The number of bytes before the samples of each frame.
    private let leadingCount: Int
    private let byteCount: Int
    private let memory: LargeMemory
    private let kernels = texel_kernels_in_use().pointee

    /// Allocates the memory for a layout.
    ///
    /// - Parameters:
    ///   - layout: The layout of the samples.
    ///   - leading: The bytes before the samples of each frame.
    ///   - background: The colour behind transparent pixels in layouts without alpha.
    /// - Throws: `invalidSize`, `outOfMemory`.
    init(_ layout: SampleLayout, leading: [UInt8] = [], background: PixelColor = .black) throws(TexelError) {
        self.layout = layout
        leadingCount = leading.count
        let sampleBytes = try layout.byteCount
        byteCount = leading.count + sampleBytes
        guard let memory = LargeMemory(byteCount: byteCount) else { throw .outOfMemory(byteCount: byteCount) }
        self.memory = memory
        if case .yuv(let format, let color) = layout.format {
            planes = try FramePlanes(format, color, size: layout.size, background: background)
        } else {
            planes = nil
        }
        for (index, byte) in leading.enumerated() {
            memory.base.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
        }
    }

    /// Converts a frame. The result is valid until the next call.
    ///
    /// - Throws: `sizeChanged` unless the frame has the layout's size; `outOfMemory`.
    func convert(_ frame: borrowing Frame) throws(TexelError) {
        try check(frame)
        // In bounds: the memory holds the leading bytes and the layout's.
        let samples = memory.base + leadingCount
        if let planes {
            try planes.convert(frame, to: samples)
        } else {
            copyPixels(of: frame, to: samples.assumingMemoryBound(to: UInt8.self))
        }
    }

    /// Whether the frame's bytes are already the samples, so that no conversion is needed.
    func isSame(_ frame: borrowing Frame) -> Bool {
        layout.format == .bgra && leadingCount == 0 && frame.alphaMode != .premultiplied
            && frame.bytesPerRow == frame.width * PixelBuffer.bytesPerPixel
    }

    /// Throws `sizeChanged` unless the frame has the layout's size.
    func check(_ frame: borrowing Frame) throws(TexelError) {
        guard frame.size == layout.size else {
            throw .sizeChanged(frame: frame.index, from: layout.size, to: frame.size)
        }
    }

    /// Calls `body` with the leading bytes and the converted frame.
    func withUnsafeBytes<Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        defer { extendLifetime(memory) }
        try body(UnsafeRawBufferPointer(start: memory.base, count: byteCount))
    }

    /// Copies rows of BGRA or RGBA. `samples` holds all rows of the layout without padding; the frame has the same
    /// size.
    private func copyPixels(of frame: borrowing Frame, to samples: UnsafeMutablePointer<UInt8>) {
        let (size, bytesPerRow, alphaMode) = (layout.size, frame.bytesPerRow, frame.alphaMode)
        frame.withUnsafeBytes { bytes in
            guard let pixels = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
            for y in 0..<size.height {
                let from = pixels + y * bytesPerRow
                let to = samples + y * size.width * PixelBuffer.bytesPerPixel
                if layout.format == .rgba {
                    kernels.pack_rgba_row(to, from, size.width)
                } else {
                    to.update(from: from, count: size.width * PixelBuffer.bytesPerPixel)
                }
                // Division by alpha does not depend on the order of the colour channels.
                if alphaMode == .premultiplied { kernels.unpremultiply_row(to, to, size.width) }
            }
        }
    }
}
