import CPixelKernels
import TexelCore
import TexelPixels

/// Converts the pixels of frames to YUV planes. Frames with alpha are flattened onto a background first, in bands.
final class FramePlanes {
    private let format: YUVFormat
    private let size: PixelSize
    private let background: PixelColor
    private let converter: BGRAToYUV
    /// The flattened rows of a band; allocated for the first frame with alpha.
    private var band: LargeMemory?

    /// Even, so that each chroma row belongs to one band.
    private static let bandHeight = 64
    /// The rows of a band, plus those that the chroma filter reads around it.
    private static let bandCapacity = bandHeight + 8

    /// Prepares a conversion.
    ///
    /// - Throws: `invalidSize`, `outOfMemory`.
    init(_ format: YUVFormat, _ color: YUVColor, size: PixelSize, background: PixelColor) throws(TexelError) {
        self.format = format
        self.size = size
        self.background = background
        converter = try BGRAToYUV(format, color, size: size)
    }

    /// Converts a frame.
    ///
    /// - Parameters:
    ///   - frame: A frame of the size given at initialisation.
    ///   - samples: Receives all planes of the format, without padding.
    /// - Throws: `outOfMemory`.
    func convert(_ frame: borrowing Frame, to samples: UnsafeMutableRawPointer) throws(TexelError) {
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
                // The chroma filter reads at most three rows above and three below.
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

    private func bandMemory(byteCount: Int) throws(TexelError) -> LargeMemory {
        if let band { return band }
        guard let memory = LargeMemory(byteCount: byteCount) else { throw .outOfMemory(byteCount: byteCount) }
        band = memory
        return memory
    }
}
