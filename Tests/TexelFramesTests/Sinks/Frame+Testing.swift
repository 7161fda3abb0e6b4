import TestSupport
import TexelPixels

@testable import TexelFrames

extension Frame {
    /// Makes a frame from an image, in its own pool.
    static func make(_ picture: PixelBuffer, index: Int = 0) throws -> Frame {
        let pool = FramePool(capacity: 1)
        guard var lease = try pool.leaseIfFree(byteCount: try byteCount(picture.size)) else { throw FrameError.stopped }
        let bytesPerRow = bytesPerRow(width: picture.width)
        lease.withUnsafeMutableBytes { bytes in
            // Fill the padding between rows too, which must be ignored.
            for index in bytes.indices { bytes[index] = 0xAB }
            for y in 0..<picture.height {
                for x in 0..<picture.width {
                    bytes.storeBytes(of: picture[x, y], toByteOffset: y * bytesPerRow + 4 * x, as: UInt32.self)
                }
            }
        }
        return Frame(lease, size: picture.size, alphaMode: picture.alphaMode, time: .zero, index: index)
    }
}

extension FrameSink {
    /// Writes images as the frames of a stream, alternating between two writers.
    func take(
        _ pictures: [PixelBuffer], rate: FrameRate? = nil, color: YUVColor? = nil, finishing: Bool = true
    ) throws(FrameError) {
        guard let first = pictures.first else { return }
        let stream = FrameStream(size: first.size, rate: rate, color: color)
        let writers = [try makeWriter(for: stream), try makeWriter(for: stream)]
        for (index, picture) in pictures.enumerated() {
            guard let frame = try? Frame.make(picture, index: index) else { throw .stopped }
            try writers[index % 2].prepare(frame)
            try writers[index % 2].write(frame)
        }
        if finishing { try finish() }
    }
}
