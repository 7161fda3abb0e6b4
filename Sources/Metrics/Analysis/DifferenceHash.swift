public import TexelCore
public import TexelPixels

/// The difference hash of an image ("dHash", N. Krawetz, "Kind of Like That", 2013): 64 bits that tell where the image
/// becomes brighter from left to right. Images that look alike have hashes that differ in few bits.
///
/// The image is reduced to 9×8 pixels of luma with `ResamplingFilter.lanczos3`, in sRGB and on white. Bit `8 y + x`,
/// counted from the most significant one, is 1 if pixel (x + 1, y) is brighter than pixel (x, y). This is the
/// definition of the Python package imagehash, whose hexadecimal text equals ``description``.
public struct DifferenceHash: Sendable, Hashable, Codable {
    /// The 64 bits.
    public var bits: UInt64

    /// Creates a hash from its bits.
    public init(bits: UInt64) { self.bits = bits }

    /// Computes the hash of an image.
    ///
    /// - Throws: `resultTooLarge`, `outOfMemory`, `unusableColorProfile`.
    public init(of image: PixelBuffer) throws(TexelError) {
        let luma = try image.reducedLuma(width: 9, height: 8)
        bits = (0..<64).reduce(0) { bits, index in
            let (x, y) = (index % 8, index / 8)
            return bits << 1 | (luma[9 * y + x + 1] > luma[9 * y + x] ? 1 : 0)
        }
    }

    /// Returns the number of bits that differ, 0…64.
    public func distance(to other: DifferenceHash) -> Int { (bits ^ other.bits).nonzeroBitCount }
}

extension DifferenceHash: CustomStringConvertible {
    /// Sixteen hexadecimal digits.
    public var description: String { HashText.text(bits) }
}
