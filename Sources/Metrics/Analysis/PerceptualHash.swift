import PlatformLibc
public import TexelCore
public import TexelPixels

/// The perceptual hash of an image ("pHash", N. Krawetz, "Looks Like It", 2011): 64 bits from its lowest frequencies.
/// Images that look alike have hashes that differ in few bits.
///
/// The image is reduced to 32×32 pixels of luma with `ResamplingFilter.lanczos3`, in sRGB and on white. Bit
/// `8 v + u`, counted from the most significant one, is 1 if the coefficient of the two-dimensional discrete cosine
/// transform (type II) with horizontal frequency u and vertical frequency v is above the median of the 64 coefficients
/// with u, v < 8. This is the definition of the Python package imagehash, whose hexadecimal text equals
/// ``description``.
public struct PerceptualHash: Sendable, Hashable, Codable {
    /// The 64 bits.
    public var bits: UInt64

    /// Creates a hash from its bits.
    public init(bits: UInt64) { self.bits = bits }

    /// Computes the hash of an image.
    ///
    /// - Throws: `resultTooLarge`, `outOfMemory`, `unusableColorProfile`.
    public init(of image: PixelBuffer) throws(TexelError) {
        self.init(luma: try image.reducedLuma(width: Self.side, height: Self.side))
    }

    /// Computes the hash of 32×32 samples of luma.
    init(luma: [UInt8]) {
        precondition(luma.count == Self.side * Self.side, "\(luma.count) samples are not 32×32")
        let coefficients = Self.lowestCoefficients(of: luma)
        let sorted = coefficients.sorted()
        // Twice the median: the sum of the two values in the middle.
        let median = sorted[31] + sorted[32]
        bits = coefficients.reduce(0) { $0 << 1 | (2 * $1 > median ? 1 : 0) }
    }

    /// Returns the number of bits that differ, 0…64.
    public func distance(to other: PerceptualHash) -> Int { (bits ^ other.bits).nonzeroBitCount }

    static let side = 32

    /// cos(π u (2 x + 1) / 64) × 2²⁰ at index 32 u + x.
    ///
    /// Integers give the same hash on every processor. In each row of a frequency above 0 they cancel exactly, so an
    /// image of one colour has no coefficient but the first.
    private static let cosines: [Int64] = (0..<8 * side).map { index in
        let (u, x) = (index / side, index % side)
        // Only the angles of the first quarter are computed; the others repeat them with a sign.
        let step = u * (2 * x + 1) % 128
        let half = step > 64 ? 128 - step : step
        let quarter = half > 32 ? 64 - half : half
        let value = quarter == 32 ? 0 : Int64((cos(.pi * Double(quarter) / 64) * 1_048_576).rounded())
        return half > 32 ? -value : value
    }

    /// Returns the coefficients with both frequencies below 8, in units of 2⁻⁴⁰: row by row, vertical frequencies
    /// first.
    ///
    /// A coefficient is at most 255 × 32² × 2⁴⁰ < 2⁵⁸, so twice the sum of two of them fits 64 bits.
    private static func lowestCoefficients(of luma: [UInt8]) -> [Int64] {
        let columns = (0..<side).flatMap { y in
            (0..<8).map { u in
                (0..<side).reduce(Int64(0)) { $0 + Int64(luma[side * y + $1]) * cosines[side * u + $1] }
            }
        }
        return (0..<8).flatMap { v in
            (0..<8).map { u in
                (0..<side).reduce(Int64(0)) { $0 + columns[8 * $1 + u] * cosines[side * v + $1] }
            }
        }
    }
}

extension PerceptualHash: CustomStringConvertible {
    /// Sixteen hexadecimal digits.
    public var description: String { HashText.text(bits) }
}
