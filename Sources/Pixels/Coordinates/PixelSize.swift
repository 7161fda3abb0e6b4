/// The width and height of an image, in pixels.
public struct PixelSize: Sendable, Hashable, Codable {
    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int

    /// Creates a size. Any values are allowed; see ``isPositive``.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// The size with width and height exchanged.
    public var transposed: PixelSize { PixelSize(width: height, height: width) }

    /// Whether both sides are at least one pixel.
    public var isPositive: Bool { width > 0 && height > 0 }

    /// Width × height, or `nil` if the product overflows an `Int`.
    public var pixelCount: Int? {
        let (count, overflow) = width.multipliedReportingOverflow(by: height)
        return overflow ? nil : count
    }

    /// The size of an image that is decoded with both sides divided by a number, rounded up.
    package func reduced(by divisor: Int) -> PixelSize {
        PixelSize(width: (width + divisor - 1) / divisor, height: (height + divisor - 1) / divisor)
    }
}

extension PixelSize: CustomStringConvertible {
    public var description: String { "\(width)×\(height)" }
}
