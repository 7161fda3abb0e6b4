public import TexelCore
public import TexelPixels

/// The distance of an image from its original by Butteraugli: 0 for equal images, larger for worse ones.
public struct ButteraugliDistance: Sendable, Hashable {
    /// The largest difference of a pixel. Below 1, most people see no difference; from 2 on it is obvious.
    public let maximum: Double
    /// The mean of the norms with the exponents 3, 6 and 12 of the differences of all pixels, which is what libjxl
    /// calls the 3-norm. It follows people's judgements of whole images better than ``maximum``.
    public let norm3: Double

    /// Makes a distance of its numbers.
    public init(maximum: Double, norm3: Double) {
        self.maximum = maximum
        self.norm3 = norm3
    }
}

/// The original with which other images are compared by Butteraugli (J. Alakuijala et al., "Guetzli: Perceptually
/// Guided JPEG Encoder", 2017), as libjxl 0.7 defines it for a display of 80 candela per square metre: by low, medium,
/// high and highest frequencies of three opponent colours, with the masking of the original, at two scales.
///
/// Distances are within 1 % of libjxl's, and the same on every processor and with any number of threads. Several
/// threads may use one reference at once.
///
/// - Colours are compared as sRGB; other profiles are converted.
/// - If both images have transparent pixels, they are composited on black and on white, and the larger difference of
///   each pixel counts. If only one has, they are compared with alpha ignored, on white and on black, and the smallest
///   distance counts.
/// - Sides below eight pixels are extended to eight by repeating the last pixels.
public struct ButteraugliReference: Sendable {
    private let image: ComparisonImage
    private let workspaces: ButteraugliWorkspaces

    /// Prepares the original.
    ///
    /// - Throws: `unusableColorProfile`, `outOfMemory`.
    public init(_ image: PixelBuffer) throws(TexelError) {
        self.image = try ComparisonImage(image)
        workspaces = ButteraugliWorkspaces(self.image.pixels.size)
    }

    /// The size of the original.
    public var size: PixelSize { image.size }

    /// Computes the distance of an image.
    ///
    /// - Parameters:
    ///   - candidate: an image of the same size.
    ///   - threads: the most threads that share the work; the distance does not depend on it.
    /// - Throws: `sizesDiffer`, `unusableColorProfile`, `outOfMemory`.
    public func distance(
        of candidate: PixelBuffer, threads: Int = 1
    ) throws(TexelError) -> ButteraugliDistance {
        try distance(of: candidate, threads: threads) { false } ?? ButteraugliDistance(maximum: 0, norm3: 0)
    }

    /// Computes the distance; returns `nil` if `isStopped`, which is called for each band of rows, returned true.
    package func distance(
        of candidate: PixelBuffer, threads: Int, isStopped: @Sendable () -> Bool
    ) throws(TexelError) -> ButteraugliDistance? {
        let candidate = try ComparisonImage(candidate)
        guard candidate.size == image.size else { throw .sizesDiffer(image.size, candidate.size) }
        var result: ButteraugliDistance?
        for backgrounds in Self.backgrounds(image, candidate) {
            let comparison = ButteraugliComparison(image, candidate, backgrounds: backgrounds, workspaces)
            guard let distance = try comparison.distance(threads: threads, isStopped: isStopped) else { return nil }
            if let known = result, known.norm3 <= distance.norm3 { continue }
            result = distance
        }
        return result
    }

    /// Returns the difference of each pixel.
    static func differences(
        _ first: ComparisonImage, _ second: ComparisonImage, threads: Int
    ) throws(TexelError) -> DifferenceLevels {
        let size = first.pixels.size
        let workspaces = ButteraugliWorkspaces(size)
        var result: DifferenceLevels?
        for backgrounds in Self.backgrounds(first, second) {
            let rows = try FloatRows(rows: size.height, width: size.width)
            let comparison = ButteraugliComparison(first, second, backgrounds: backgrounds, workspaces)
            _ = try comparison.distance(threads: threads, isStopped: { false }) { y, differences in
                rows[y].update(from: differences, count: size.width)
            }
            var levels = DifferenceLevels(size)
            for y in 0..<size.height {
                for x in 0..<size.width { levels.values[y * size.width + x] = rows[y][x] }
            }
            result = result?.combined(with: levels, min) ?? levels
        }
        return result ?? DifferenceLevels(size)
    }

    /// The backgrounds of the comparisons of which the best counts.
    private static func backgrounds(_ first: ComparisonImage, _ second: ComparisonImage) -> [[Float?]] {
        switch (first.isOpaque, second.isOpaque) {
        case (true, true): [[nil]]
        case (false, false): [[0, 1]]
        default: [[nil], [1], [0]]
        }
    }
}

extension PixelBuffer {
    /// Computes Butteraugli's distance of this image from its original. To compare several images with one original,
    /// ``ButteraugliReference`` is faster.
    ///
    /// - Parameters:
    ///   - original: an image of the same size.
    ///   - threads: the most threads that share the work; the distance does not depend on it.
    /// - Throws: `sizesDiffer`, `unusableColorProfile`, `outOfMemory`.
    public func butteraugli(
        against original: PixelBuffer, threads: Int = 1
    ) throws(TexelError) -> ButteraugliDistance {
        try ButteraugliReference(original).distance(of: self, threads: threads)
    }
}
