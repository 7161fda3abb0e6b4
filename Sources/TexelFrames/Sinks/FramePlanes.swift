import CPixelKernels
import TexelPixels

/// Makes the pixels of frames into planes of YUV; what is not opaque is laid on a background first, band by band.
final class FramePlanes {
    private let format: YUVFormat
    private let size: PixelSize
    private let background: PixelColor
    private let converter: BGRAToYUV
    /// Opaque rows of a band, once a frame has come that is not opaque.
    private var band: LargeMemory?

    /// An even number, so that every row of colours belongs to one band.
    private static let bandHeight = 64
    /// The rows of a band, and those that the filter of its colours reaches.
    private static let bandCapacity = bandHeight + 8

    /// - Throws: `pixels(.invalidSize)`, `pixels(.outOfMemory)`.
    init(_ format: YUVFormat, _ color: YUVColor, size: PixelSize, background: PixelColor) throws(FrameError) {
        self.format = format
        self.size = size
        self.background = background
        converter = try FrameError.wrapping { () throws(PixelBufferError) in
            try BGRAToYUV(format, color, size: size)
        }
    }

    /// - Parameters:
    ///   - frame: of this size.
    ///   - samples: has room for all planes.
    /// - Throws: `outOfMemory`.
    func convert(_ frame: borrowing Frame, to samples: UnsafeMutableRawPointer) throws(FrameError) {
        let planes = MutableYUVRows(base: samples, format, size: size)
        let (bytesPerRow, alphaMode) = (frame.bytesPerRow, frame.alphaMode)
        let band = alphaMode == .opaque ? nil : try bandMemory(byteCount: Self.bandCapacity * bytesPerRow)
        let kernels = texel_kernels_in_use().pointee
        frame.withUnsafeBytes { bytes in
            guard let pixels = bytes.baseAddress else { return }
            guard let band else {
                return converter.convert(0..<size.height, from: pixels, bytesPerRow: bytesPerRow, to: planes)
            }
            for y in stride(from: 0, to: size.height, by: Self.bandHeight) {
                let rows = y..<min(y + Self.bandHeight, size.height)
                let needed = converter.pixelRows(for: rows)
                // At most three rows above and three below.
                for row in needed {
                    kernels.flatten_row(
                        (band.base + (row - needed.lowerBound) * bytesPerRow).assumingMemoryBound(to: UInt8.self),
                        (pixels + row * bytesPerRow).assumingMemoryBound(to: UInt8.self), size.width,
                        background.pixel, alphaMode == .premultiplied)
                }
                converter.convert(
                    rows, from: band.base, bytesPerRow: bytesPerRow, firstRow: needed.lowerBound, to: planes)
            }
        }
    }

    private func bandMemory(byteCount: Int) throws(FrameError) -> LargeMemory {
        if let band { return band }
        guard let memory = LargeMemory(byteCount: byteCount) else { throw .outOfMemory(byteCount: byteCount) }
        band = memory
        return memory
    }
}
