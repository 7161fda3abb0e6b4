import Foundation
public import TexelPixels

/// Sizes that expose errors at edges: a single pixel, odd sides, rows longer than a tile or a vector.
public let awkwardSizes = [
    PixelSize(width: 1, height: 1), PixelSize(width: 3, height: 7), PixelSize(width: 7, height: 1),
    PixelSize(width: 65, height: 33), PixelSize(width: 16, height: 48),
]

extension PixelBuffer {
    /// Returns an image whose pixel (x, y) is `pixel(x, y)`.
    public static func drawn(
        _ size: PixelSize, alphaMode: AlphaMode = .opaque, _ pixel: (_ x: Int, _ y: Int) -> UInt32
    ) throws -> PixelBuffer {
        var pixels: [UInt32] = []
        for y in 0..<size.height {
            for x in 0..<size.width { pixels.append(pixel(x, y)) }
        }
        return try PixelBuffer(width: size.width, height: size.height, pixels: pixels, alphaMode: alphaMode)
    }

    /// Returns an image of seeded noise.
    public static func noise(
        _ size: PixelSize, alphaMode: AlphaMode = .straight, seed: UInt64 = 1
    ) throws -> PixelBuffer {
        var generator = SeededGenerator(seed: seed)
        return try drawn(size, alphaMode: alphaMode) { _, _ in
            let pixel = UInt32.random(in: 0 ... .max, using: &generator)
            return alphaMode == .opaque ? pixel | 0xFF00_0000 : pixel
        }
    }

    /// Returns an opaque image of slopes with noise, as photographs have.
    public static func grainy(_ size: PixelSize, isGray: Bool = false) throws -> PixelBuffer {
        var generator = SeededGenerator(seed: 7)
        return try drawn(size) { x, y in
            let gray = UInt32(x * 199 / size.width) + UInt32(truncatingIfNeeded: generator.next() % 40)
            return 0xFF00_0000 | gray * 0x01_0101 ^ (isGray ? 0 : UInt32(y & 0xFF) << 16)
        }
    }

    /// Returns a smooth opaque image of sine waves without sharp edges; no value is near 0 or 255.
    public static func smooth(_ size: PixelSize) throws -> PixelBuffer {
        try drawn(size) { x, y in
            let (x, y) = (Double(x), Double(y))
            func channel(_ phase: Double) -> UInt32 {
                UInt32(128 + 50 * sin(x / 11 + phase) + 40 * cos(y / 9 - phase))
            }
            return 0xFF00_0000 | channel(0) << 16 | channel(1) << 8 | channel(2)
        }
    }

    /// Returns the bytes of pixel (x, y): blue, green, red, alpha.
    public func channels(_ x: Int, _ y: Int) -> [Int] {
        let pixel = self[x, y]
        return [0, 8, 16, 24].map { Int(pixel >> $0 & 255) }
    }

    /// Returns the largest difference of any byte from another image; 256 if the sizes differ.
    public func largestDifference(from other: PixelBuffer) -> Int {
        guard size == other.size else { return 256 }
        var largest = 0
        for (left, right) in zip(pixels, other.pixels) {
            for shift in [0, 8, 16, 24] {
                largest = max(largest, abs(Int(left >> shift & 255) - Int(right >> shift & 255)))
            }
        }
        return largest
    }

    /// Returns the mean difference of all bytes from another image; 256 if the sizes differ.
    public func meanDifference(from other: PixelBuffer) -> Double {
        guard size == other.size else { return 256 }
        var sum = 0
        for (left, right) in zip(pixels, other.pixels) {
            for shift in [0, 8, 16, 24] { sum += abs(Int(left >> shift & 255) - Int(right >> shift & 255)) }
        }
        return Double(sum) / Double(4 * width * height)
    }
}
