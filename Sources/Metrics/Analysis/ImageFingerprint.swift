package import TexelCore
package import TexelPixels

/// The data for finding images that look alike: the perceptual hash, for the search, and a small copy, for
/// the check of what the search finds. It takes about 1.2 KB.
package struct ImageFingerprint: Sendable {
    /// The size of the image, in pixels.
    package let size: PixelSize
    /// The hash of ``luma``.
    package let hash: PerceptualHash
    /// The image at 32×32 pixels.
    let luma: [UInt8]
    /// The mean colour of each cell of a grid of 4×4.
    let colors: [SIMD4<Float>]

    /// The side of the small copy.
    package static let side = PerceptualHash.side

    /// Makes the fingerprint of an image.
    ///
    /// Transparent pixels are composited on white; on black if nothing is visible on white.
    ///
    /// - Parameters:
    ///   - image: the image at any size; best ``side`` × ``side`` pixels, to which it is reduced otherwise.
    ///   - size: the size of the original.
    /// - Throws: `resultTooLarge`, `outOfMemory`, `unusableColorProfile`.
    package init(_ image: PixelBuffer, size: PixelSize) throws(TexelError) {
        self.size = size
        let small = try image.resized(to: PixelSize(width: Self.side, height: Self.side))
        var shown = try small.flattened(on: .white).convertedToSRGB()
        if !small.isOpaque, Self.isFlat(Self.luma(of: shown)) {
            shown = try small.flattened(on: .black).convertedToSRGB()
        }
        luma = Self.luma(of: shown)
        colors = Self.colors(of: shown)
        hash = PerceptualHash(luma: luma)
    }

    private static func luma(of image: PixelBuffer) -> [UInt8] { image.pixels.map(Luma.of) }

    /// Whether the samples differ so little that their pattern is noise.
    private static func isFlat(_ luma: [UInt8]) -> Bool {
        let count = Float(luma.count)
        let mean = luma.reduce(0) { $0 + Float($1) } / count
        let squares = luma.reduce(0) { $0 + (Float($1) - mean) * (Float($1) - mean) }
        return squares / count < 2
    }

    private static func colors(of image: PixelBuffer) -> [SIMD4<Float>] {
        var sums = [SIMD4<Float>](repeating: .zero, count: 16)
        for (index, pixel) in image.pixels.enumerated() {
            let cell = index / side / 8 * 4 + index % side / 8
            sums[cell] += SIMD4(Float(pixel >> 16 & 255), Float(pixel >> 8 & 255), Float(pixel & 255), 0)
        }
        return sums.map { $0 / 64 }
    }
}

extension ImageFingerprint {
    /// The limits of what counts as a near-duplicate. Measured on photographs that were recompressed, resized, cropped,
    /// converted and brightened, against unrelated ones.
    private enum Limit {
        /// How much the ratio of width and height may differ: a crop of 5 % of one side, and a rounded pixel.
        static let proportions = 1.07
        /// The correlation of the small copies after their alignment.
        static let correlation: Float = 0.94
        /// The mean difference of the colours, without that of their brightness, in samples 0…255.
        static let color: Float = 16
        /// The mean difference of two images without a pattern.
        static let flatColor: Float = 3
    }

    /// Checks whether two images whose hashes are similar look alike: similar proportions and colours, and the same
    /// pattern after one of them is moved, scaled and brightened a little.
    package func resembles(_ other: ImageFingerprint) -> Bool {
        guard hasProportions(of: other) else { return false }
        let areFlat = (Self.isFlat(luma), Self.isFlat(other.luma))
        if areFlat.0 || areFlat.1 {
            guard areFlat == (true, true) else { return false }
            return colorDifference(from: other) { $0 } <= Limit.flatColor
        }
        // Brightness is left out, so that a brightened image is one that looks alike.
        let difference = colorDifference(from: other) { color in
            color - (color.x + color.y + color.z) / 3
        }
        guard difference <= Limit.color else { return false }
        return ImageAlignment.correlation(luma, other.luma, atLeast: Limit.correlation) >= Limit.correlation
    }

    private func hasProportions(of other: ImageFingerprint) -> Bool {
        let first = Double(size.width) * Double(other.size.height)
        let second = Double(size.height) * Double(other.size.width)
        // Small images have coarse proportions: one pixel more or less on their shorter side.
        let shortest = Double(min(size.width, size.height, other.size.width, other.size.height))
        return max(first, second) <= min(first, second) * (Limit.proportions + 1 / max(1, shortest))
    }

    /// Returns the mean of the absolute differences of the samples of the 4×4 colours.
    private func colorDifference(
        from other: ImageFingerprint, of part: (SIMD4<Float>) -> SIMD4<Float>
    ) -> Float {
        var sum: Float = 0
        for index in colors.indices {
            let difference = part(colors[index]) - part(other.colors[index])
            sum += abs(difference.x) + abs(difference.y) + abs(difference.z)
        }
        return sum / Float(3 * colors.count)
    }
}
