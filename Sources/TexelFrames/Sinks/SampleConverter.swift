import CPixelKernels
import TexelPixels

/// Makes the pixels of frames into samples as a layout says, in memory that all frames use in turn.
final class SampleConverter {
    private let layout: SampleLayout
    private let planes: FramePlanes?
    /// What comes before the samples of each frame.
    private let leadingCount: Int
    private let byteCount: Int
    private let memory: LargeMemory
    private let kernels = texel_kernels_in_use().pointee

    /// - Parameters:
    ///   - leading: the bytes before the samples of each frame.
    ///   - background: what lies behind transparent pixels where the layout has no alpha.
    /// - Throws: `pixels(.invalidSize)`, `outOfMemory`.
    init(_ layout: SampleLayout, leading: [UInt8] = [], background: PixelColor = .black) throws(FrameError) {
        self.layout = layout
        leadingCount = leading.count
        let sampleBytes = try FrameError.wrapping { () throws(PixelBufferError) in try layout.byteCount }
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

    /// Converts a frame, and keeps the result until the next.
    ///
    /// - Throws: `sizeChanged` unless it has the size of the layout; `outOfMemory`.
    func convert(_ frame: borrowing Frame) throws(FrameError) {
        try check(frame)
        // The layout's bytes follow what leads.
        let samples = memory.base + leadingCount
        if let planes {
            try planes.convert(frame, to: samples)
        } else {
            copyPixels(of: frame, to: samples.assumingMemoryBound(to: UInt8.self))
        }
    }

    /// Whether the frame's own bytes are the samples already.
    func isSame(_ frame: borrowing Frame) -> Bool {
        layout.format == .bgra && leadingCount == 0 && frame.alphaMode != .premultiplied
            && frame.bytesPerRow == frame.width * PixelBuffer.bytesPerPixel
    }

    func check(_ frame: borrowing Frame) throws(FrameError) {
        guard frame.size == layout.size else {
            throw .sizeChanged(frame: frame.index, from: layout.size, to: frame.size)
        }
    }

    /// The converted frame, with what comes before it.
    func withUnsafeBytes<Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        defer { extendLifetime(memory) }
        try body(UnsafeRawBufferPointer(start: memory.base, count: byteCount))
    }

    /// `samples` has room for the rows of the layout, without padding; the frame has as many.
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
                // The colours' order does not matter to it.
                if alphaMode == .premultiplied { kernels.unpremultiply_row(to, to, size.width) }
            }
        }
    }
}
