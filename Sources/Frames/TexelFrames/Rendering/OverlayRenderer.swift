import CPixelKernels
import TexelCore
import TexelPixels

/// Blends a second image into frames of one size, for a crossfade.
final class OverlayRenderer {
    let size: PixelSize
    private let renderer: FrameRenderer
    private let pool = FramePool(capacity: 1)
    private let kernels = texel_kernels_in_use().pointee

    /// Creates a renderer for one frame size.
    ///
    /// - Parameter renderer: Renders the second image at this size.
    init(_ renderer: FrameRenderer, size: PixelSize) {
        self.renderer = renderer
        self.size = size
    }

    /// Blends the overlay into a frame, by its weight. The frame must have one hold only.
    func mix(
        _ overlay: borrowing FrameOverlay, into frame: inout Frame, index: Int, arrival: Duration
    ) throws(TexelError) {
        guard let lease = try pool.leaseIfFree(byteCount: try Frame.byteCount(size)) else {
            throw .outOfMemory(byteCount: try Frame.byteCount(size))
        }
        var second = try renderer.render(overlay.content, overlay.fields, index: index, ownsResult: true, into: lease)
        // Blending needs premultiplied colours unless both images are opaque.
        let isOpaque = frame.alphaMode == .opaque && second.alphaMode == .opaque
        if !isOpaque {
            premultiply(&frame)
            premultiply(&second)
        }
        let weight = Int32(overlay.weight)
        let (width, height, bytesPerRow, otherBytesPerRow) = (
            frame.width, frame.height, frame.bytesPerRow, second.bytesPerRow
        )
        let kernels = kernels
        frame.withUnsafeMutableBytes { bytes in
            second.withUnsafeBytes { other in
                guard let to = bytes.assumingMemoryBound(to: UInt8.self).baseAddress,
                    let from = other.assumingMemoryBound(to: UInt8.self).baseAddress
                else { return }
                for y in 0..<height {
                    let row = to + y * bytesPerRow
                    kernels.mix_row(row, row, from + y * otherBytesPerRow, width, weight)
                    if !isOpaque { kernels.unpremultiply_row(row, row, width) }
                }
            }
        }
        if !isOpaque { frame.alphaMode = .straight }
    }

    private func premultiply(_ frame: inout Frame) {
        guard frame.alphaMode == .straight else { return }
        let (width, height, bytesPerRow) = (frame.width, frame.height, frame.bytesPerRow)
        let kernels = kernels
        frame.withUnsafeMutableBytes { bytes in
            guard let base = bytes.assumingMemoryBound(to: UInt8.self).baseAddress else { return }
            for y in 0..<height {
                kernels.premultiply_row(base + y * bytesPerRow, base + y * bytesPerRow, width)
            }
        }
    }
}
