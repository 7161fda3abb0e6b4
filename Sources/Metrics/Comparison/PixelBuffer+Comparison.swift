import CPixelKernels
import PlatformLibc
public import TexelCore
public import TexelPixels

// PSNR, SSIM and HaarPSI. Colours are compared as sRGB, and transparent pixels on the backgrounds of
// SSIMULACRA2Reference.

extension PixelBuffer {
    /// Computes the peak signal-to-noise ratio in decibels: 10 log₁₀ (255² / mean squared difference of red, green and
    /// blue); infinite for equal images.
    ///
    /// - Throws: `sizesDiffer`, `unusableColorProfile`, `outOfMemory`.
    public func psnr(against original: PixelBuffer) throws(TexelError) -> Double {
        let kernels = texel_kernels_in_use().pointee
        return try original.compared(with: self) { first, second in
            var total: UInt64 = 0
            first.withRows(beside: second) { total += kernels.metric_squared_differences($0, $1, width) }
            let mean = Double(total) / (3 * Double(width) * Double(height))
            return total == 0 ? .infinity : 10 * log10(255 * 255 / mean)
        }
    }

    /// Computes the mean structural similarity (SSIM) of luma (Wang, Bovik, Sheikh and Simoncelli 2004): 1 for equal
    /// images.
    ///
    /// Luma is that of BT.601, not rounded. The window is a Gaussian of 11 × 11 samples with a standard deviation of
    /// 1.5, at every position where it fits; K₁ = 0.01, K₂ = 0.03. If a side of the image is below 11, the window has
    /// the largest odd size that fits.
    ///
    /// - Throws: `sizesDiffer`, `unusableColorProfile`, `outOfMemory`.
    public func structuralSimilarity(to original: PixelBuffer) throws(TexelError) -> Double {
        try original.compared(with: self) { first, second throws(TexelError) in
            try StructuralSimilarity(size).mean(first, second)
        }
    }

    /// Computes HaarPSI (Reisenhofer, Bosse, Kutyniok and Wiegand 2018), the similarity of edges at three sizes and of
    /// chroma, at half the size: 1 for equal images, from about 0.98 on hard to see, below 0.5 very bad.
    ///
    /// Within 0.001 of the authors' implementation for colour images; greys are compared as colours too.
    ///
    /// - Throws: `sizesDiffer`, `unusableColorProfile`, `outOfMemory`.
    public func haarPSI(against original: PixelBuffer) throws(TexelError) -> Double {
        try original.compared(with: self) { first, second throws(TexelError) in
            try HaarPSI(size).similarity(first, second)
        }
    }

    /// Returns the result of `measure` for both images as opaque sRGB; with several backgrounds, the one that counts.
    private func compared(
        with other: PixelBuffer,
        _ measure: (PixelBuffer, PixelBuffer) throws(TexelError) -> Double
    ) throws(TexelError) -> Double {
        guard size == other.size else { throw .sizesDiffer(size, other.size) }
        let (first, second) = (try convertedToSRGB(), try other.convertedToSRGB())
        let backgrounds = ComparisonImage.Backgrounds(isOpaque: first.isOpaque, second.isOpaque)
        var result: Double?
        for background in backgrounds.values {
            let value = try measure(try first.laid(on: background), try second.laid(on: background))
            result = backgrounds.bestCounts ? max(result ?? value, value) : min(result ?? value, value)
        }
        return result ?? .infinity
    }

    /// Returns an opaque image: composited on a grey, 0…1 of the sRGB scale, or with alpha ignored.
    private func laid(on background: Float?) throws(TexelError) -> PixelBuffer {
        if isOpaque { return self }
        if let background {
            let gray = UInt8((background * 255).rounded())
            return try flattened(on: PixelColor(red: gray, green: gray, blue: gray))
        }
        return try PixelBuffer(
            width: width, height: height, pixels: unpremultiplied().pixels.map { $0 | 0xFF00_0000 },
            alphaMode: .opaque, colorSpace: colorSpace)
    }

    /// Calls `body` with the bytes of each row of this image and of one of the same size.
    fileprivate func withRows(
        beside other: PixelBuffer, _ body: (UnsafePointer<UInt8>, UnsafePointer<UInt8>) -> Void
    ) {
        withUnsafeBytes { first in
            other.withUnsafeBytes { second in
                guard let first = first.assumingMemoryBound(to: UInt8.self).baseAddress,
                    let second = second.assumingMemoryBound(to: UInt8.self).baseAddress
                else { return }
                for y in 0..<height { body(first + y * bytesPerRow, second + y * other.bytesPerRow) }
            }
        }
    }
}

/// Computes structural similarity with a ring of as many rows as the window has.
private struct StructuralSimilarity {
    private let size: PixelSize
    private let across: [Float]
    private let down: [Float]

    private static let windowSide = 11
    /// Both lumas, their squares and their products.
    private static let quantityCount = 5

    init(_ size: PixelSize) {
        self.size = size
        across = Self.weights(size.width)
        down = Self.weights(size.height)
    }

    /// Returns the weights of one side of the window, the centre first.
    private static func weights(_ side: Int) -> [Float] {
        let half = (0...((min(side, windowSide) - 1) / 2)).map { exp(-Double($0 * $0) / (2 * 1.5 * 1.5)) }
        let sum = 2 * half.reduce(0, +) - half[0]
        return half.map { Float($0 / sum) }
    }

    func mean(_ first: PixelBuffer, _ second: PixelBuffer) throws(TexelError) -> Double {
        let kernels = texel_kernels_in_use().pointee
        let (left, above) = (across.count - 1, down.count - 1)
        let (columns, rows) = (size.width - 2 * left, size.height - 2 * above)
        let windowRows = 2 * above + 1
        let values = try FloatRows(rows: Self.quantityCount, width: size.width)
        let ring = try FloatRows(rows: Self.quantityCount * windowRows, width: size.width)
        let means = try FloatRows(rows: Self.quantityCount, width: size.width)
        var sum = 0.0
        var y = 0
        first.withRows(beside: second) { first, second in
            kernels.metric_luma_row(values[0], first, size.width)
            kernels.metric_luma_row(values[1], second, size.width)
            kernels.metric_multiply_rows(values[4], values[2], values[3], values[0], values[1], size.width)
            for quantity in 0..<Self.quantityCount {
                kernels.metric_window_row(
                    ring[quantity * windowRows + y % windowRows], values[quantity], size.width, across, Int32(left))
            }
            y += 1
            guard y >= windowRows else { return }
            for quantity in 0..<Self.quantityCount {
                let window = ((y - windowRows)..<y).map {
                    UnsafePointer(ring[quantity * windowRows + $0 % windowRows])
                }
                kernels.metric_window_rows(means[quantity], window, size.width, down, Int32(above))
            }
            kernels.metric_similarity_sum(
                &sum, means[0] + left, means[1] + left, means[2] + left, means[3] + left, means[4] + left, columns)
        }
        return sum / (Double(columns) * Double(rows))
    }
}
