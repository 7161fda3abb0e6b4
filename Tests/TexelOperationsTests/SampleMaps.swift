import TexelPixels

/// Maps of images for tests.
enum SampleMaps {
    static let shear = AffineMatrix([0.9, 0.3, 1.5, -0.2, 1.1, -2]) ?? .identity

    /// A quadrilateral that is partly outside of an image.
    static func corners(of size: PixelSize) -> Quadrilateral {
        let (width, height) = (Double(size.width), Double(size.height))
        return Quadrilateral(
            topLeft: PixelPoint(x: 0.1 * width, y: -0.1 * height), topRight: PixelPoint(x: width, y: 0.2 * height),
            bottomRight: PixelPoint(x: 1.1 * width, y: 1.05 * height),
            bottomLeft: PixelPoint(x: -0.2 * width, y: 0.8 * height))
    }
}
