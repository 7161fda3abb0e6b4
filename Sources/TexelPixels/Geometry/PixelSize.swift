/// The width and height of a picture, in pixels.
public struct PixelSize: Sendable, Hashable, Codable {
    public var width: Int
    public var height: Int

    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// The same picture lying on its side.
    public var transposed: PixelSize { PixelSize(width: height, height: width) }

    /// Whether both sides hold at least one pixel.
    public var isPositive: Bool { width > 0 && height > 0 }

    /// Width × height, or `nil` where the product does not fit an `Int`.
    public var pixelCount: Int? {
        let (count, overflow) = width.multipliedReportingOverflow(by: height)
        return overflow ? nil : count
    }
}

extension PixelSize: CustomStringConvertible {
    public var description: String { "\(width)×\(height)" }
}
