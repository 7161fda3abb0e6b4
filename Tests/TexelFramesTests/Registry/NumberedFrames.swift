import TexelPixels

@testable import TexelFrames

/// Frames whose pixels all contain the frame number.
enum NumberedFrames {
    static let size = PixelSize(width: 67, height: 5)

    /// Makes a numbered frame; fails the test if the pool has no free buffer.
    static func make(_ number: Int, in pool: FramePool) throws -> Frame {
        try makeIfFree(number, in: pool).orFail()
    }

    /// Makes a numbered frame; `nil` if the pool has no free buffer.
    static func makeIfFree(_ number: Int, in pool: FramePool, size: PixelSize = size) throws -> Frame? {
        try pool.makeFrameIfFree(size: size, time: .milliseconds(number), index: number) { bytes, _ in
            bytes.bindMemory(to: UInt32.self).update(repeating: UInt32(number))
        }
    }

    /// The number that all pixels and the time of a frame agree on; `nil` if the frame is torn.
    static func number(of frame: borrowing Frame) -> Int? {
        let number = UInt32(frame.index)
        let isWhole = frame.withUnsafeBytes { $0.bindMemory(to: UInt32.self).allSatisfy { $0 == number } }
        return isWhole && frame.time == .milliseconds(frame.index) ? frame.index : nil
    }
}
