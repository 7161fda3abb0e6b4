import TexelCodecs
import TestSupport
import TexelCore
import TexelPixels

@testable import TexelFrames

extension Frame {
    /// Makes a frame from an image, in its own pool.
    static func make(_ image: PixelBuffer, index: Int = 0) throws -> Frame {
        let pool = FramePool(capacity: 1)
        guard var lease = try pool.leaseIfFree(byteCount: try byteCount(image.size)) else {
            throw TexelError.stopped(.cancelled)
        }
        let bytesPerRow = bytesPerRow(width: image.width)
        lease.withUnsafeMutableBytes { bytes in
            // Fill the padding between rows too, which must be ignored.
            for index in bytes.indices { bytes[index] = 0xAB }
            for y in 0..<image.height {
                for x in 0..<image.width {
                    bytes.storeBytes(of: image[x, y], toByteOffset: y * bytesPerRow + 4 * x, as: UInt32.self)
                }
            }
        }
        return Frame(lease, size: image.size, alphaMode: image.alphaMode, time: .zero, index: index)
    }
}

extension FrameSink {
    /// Writes images as the frames of a stream, alternating between two writers.
    func take(
        _ images: [PixelBuffer], rate: FrameRate? = nil, color: YUVColor? = nil, finishing: Bool = true
    ) throws(TexelError) {
        guard let first = images.first else { return }
        let stream = FrameStream(size: first.size, rate: rate, color: color)
        let writers = [try makeWriter(for: stream), try makeWriter(for: stream)]
        for (index, image) in images.enumerated() {
            guard let frame = try? Frame.make(image, index: index) else { throw .stopped(.cancelled) }
            try writers[index % 2].prepare(frame)
            try writers[index % 2].write(frame)
        }
        if finishing { try finish() }
    }
}
