import CPixelKernels
import TexelCore
import TexelPixels

/// An image prepared for comparison: sRGB, straight, at least eight pixels wide and high.
struct ComparisonImage: Sendable {
    /// The size of the original image.
    let size: PixelSize
    let pixels: PixelBuffer
    let isOpaque: Bool

    static let smallestSide = 8

    /// The greys on which transparent pixels are composited, 0…1 of the sRGB scale; `nil` ignores alpha. `bestCounts`
    /// decides whether the best of the results counts, or the worst.
    struct Backgrounds {
        var values: [Float?]
        var bestCounts: Bool

        init(isOpaque first: Bool, _ second: Bool) {
            switch (first, second) {
            case (true, true): (values, bestCounts) = ([nil], true)
            case (false, false): (values, bestCounts) = ([0.1, 0.9], false)
            // One image was made from the other by one of the usual ways to remove alpha.
            default: (values, bestCounts) = ([nil, 1, 0], true)
            }
        }
    }

    /// Prepares an image.
    ///
    /// - Throws: `unusableColorProfile`, `outOfMemory`.
    init(_ image: PixelBuffer) throws(TexelError) {
        size = image.size
        isOpaque = image.isOpaque
        pixels = try image.unpremultiplied().convertedToSRGB().lengthened(to: Self.smallestSide)
    }

    /// Returns the backgrounds on which both images must be compared.
    func backgrounds(with other: ComparisonImage) -> Backgrounds {
        Backgrounds(isOpaque: isOpaque, other.isOpaque)
    }

    /// Writes the linear light of row `y`.
    func light(
        _ y: Int, on background: Float?, red: UnsafeMutablePointer<Float>, green: UnsafeMutablePointer<Float>,
        blue: UnsafeMutablePointer<Float>, _ kernels: texel_kernels
    ) {
        pixels.withUnsafeBytes { bytes in
            guard let base = bytes.assumingMemoryBound(to: UInt8.self).baseAddress else { return }
            let row = base + y * pixels.bytesPerRow
            guard let background, !isOpaque else {
                kernels.metric_light_row(red, green, blue, row, pixels.width, TransferCurve.floatLights)
                return
            }
            for x in 0..<pixels.width {
                let alpha = Float(row[4 * x + 3]) / 255
                let below = background * 255 * (1 - alpha)
                blue[x] = Self.light(of: Float(row[4 * x]) * alpha + below)
                green[x] = Self.light(of: Float(row[4 * x + 1]) * alpha + below)
                red[x] = Self.light(of: Float(row[4 * x + 2]) * alpha + below)
            }
        }
    }

    /// Returns the linear light of a sample 0…255, interpolated.
    private static func light(of value: Float) -> Float {
        let curve = TransferCurve.floatLights
        let below = min(max(Int(value), 0), 254)
        return curve[below] + (value - Float(below)) * (curve[below + 1] - curve[below])
    }
}

extension PixelBuffer {
    /// Returns the image with its last column and row repeated until no side is below `side`.
    fileprivate func lengthened(to side: Int) throws(TexelError) -> PixelBuffer {
        guard width < side || height < side else { return self }
        let longer = PixelSize(width: max(width, side), height: max(height, side))
        let pixels = pixels
        let repeated = (0..<longer.height).flatMap { y in
            (0..<longer.width).map { x in pixels[min(y, height - 1) * width + min(x, width - 1)] }
        }
        return try PixelBuffer(
            width: longer.width, height: longer.height, pixels: repeated, alphaMode: alphaMode, colorSpace: colorSpace)
    }
}
