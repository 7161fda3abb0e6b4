import TexelPixels

@testable import TexelFrames

/// Frames that show by every pixel which they are.
enum NumberedFrames {
    static let size = PixelSize(width: 67, height: 5)

    /// A frame whose pixels all have its number; a failure of the test where the pool has no buffer left.
    static func make(_ number: Int, in pool: FramePool) throws -> Frame {
        try makeIfFree(number, in: pool).orFail()
    }

    /// The same; `nil` where the pool has no buffer left.
    static func makeIfFree(_ number: Int, in pool: FramePool, size: PixelSize = size) throws -> Frame? {
        try pool.makeFrameIfFree(size: size, time: .milliseconds(number), index: number) { bytes, _ in
            bytes.bindMemory(to: UInt32.self).update(repeating: UInt32(number))
        }
    }

    /// The number that all pixels and the times of a frame agree on; `nil` where it is torn.
    static func number(of frame: borrowing Frame) -> Int? {
        let number = UInt32(frame.index)
        let isWhole = frame.withUnsafeBytes { $0.bindMemory(to: UInt32.self).allSatisfy { $0 == number } }
        return isWhole && frame.time == .milliseconds(frame.index) ? frame.index : nil
    }
}
