import CPixelKernels
import TexelPixels

/// Makes the pixels of frames into samples as a layout says, in memory that all frames use in turn.
final class SampleConverter {
    private let layout: SampleLayout
    private let background: PixelColor
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
        if case .yuv = layout.format { throw .unsupported("YUV output") }
        self.layout = layout
        self.background = background
        leadingCount = leading.count
        let sampleBytes: Int
        do { sampleBytes = try layout.byteCount } catch { throw .pixels(error) }
        byteCount = leading.count + sampleBytes
        guard let memory = LargeMemory(byteCount: byteCount) else { throw .outOfMemory(byteCount: byteCount) }
        self.memory = memory
        leading.withUnsafeBytes {
            UnsafeMutableRawBufferPointer(start: memory.base, count: $0.count).copyMemory(from: $0)
        }
    }

    /// Converts a frame, and keeps the result until the next.
    ///
    /// - Throws: `sizeChanged` unless it has the size of the layout.
    func convert(_ frame: borrowing Frame) throws(FrameError) {
        try check(frame)
        let samples = UnsafeMutableRawBufferPointer(start: memory.base + leadingCount, count: byteCount - leadingCount)
        let alphaMode = frame.alphaMode
        let bytesPerRow = frame.bytesPerRow
        frame.withUnsafeBytes { bytes in
            guard let pixels = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
                let to = samples.baseAddress?.assumingMemoryBound(to: UInt8.self)
            else { return }
            switch layout.format {
            case .bgra, .rgba: copyPixels(from: pixels, bytesPerRow: bytesPerRow, alphaMode, to: to)
            case .yuv: return
            }
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

    /// `pixels` has the layout's rows, each `bytesPerRow` after the one before; `samples` has room for as many without
    /// padding, and is aligned as the memory is, because nothing comes before it in these formats.
    private func copyPixels(
        from pixels: UnsafePointer<UInt8>, bytesPerRow: Int, _ alphaMode: AlphaMode,
        to samples: UnsafeMutablePointer<UInt8>
    ) {
        let width = layout.size.width
        for y in 0..<layout.size.height {
            let from = pixels + y * bytesPerRow
            let to = samples + y * width * PixelBuffer.bytesPerPixel
            if alphaMode == .premultiplied {
                kernels.unpremultiply_row(to, from, width)
            } else {
                to.update(from: from, count: width * PixelBuffer.bytesPerPixel)
            }
            if layout.format == .rgba { Self.exchangeRedAndBlue(in: to, width: width) }
        }
    }

    /// BGRA becomes RGBA, or the other way round; the compiler takes several pixels at a time.
    private static func exchangeRedAndBlue(in row: UnsafeMutablePointer<UInt8>, width: Int) {
        row.withMemoryRebound(to: UInt32.self, capacity: width) { pixels in
            for x in 0..<width {
                let pixel = pixels[x]
                pixels[x] = pixel & 0xFF00_FF00 | pixel >> 16 & 0xFF | (pixel & 0xFF) << 16
            }
        }
    }
}
