import TexelCore

/// The arrangement of uncompressed samples in memory or in a file.
public struct SampleLayout: Sendable, Hashable {
    /// The order and meaning of the samples.
    public enum Format: Sendable, Hashable {
        /// Planar or semi-planar YUV, or grey, with or without a plane of straight alpha.
        case yuv(YUVFormat, YUVColor)
        /// Bytes B, G, R, A with straight alpha.
        case bgra
        /// Bytes R, G, B, A with straight alpha.
        case rgba
    }

    /// The order and meaning of the samples.
    public var format: Format
    /// The size in pixels.
    public var size: PixelSize
    /// The shape of the pixels. Others than square ones are shown wider or narrower.
    public var aspect: PixelAspect

    /// Creates a layout, with square pixels by default.
    public init(_ format: Format, _ size: PixelSize, aspect: PixelAspect = .square) {
        self.format = format
        self.size = size
        self.aspect = aspect
    }

    /// The number of bytes of one image.
    ///
    /// - Throws: `invalidSize` if a side is not positive or the number of bytes overflows.
    public var byteCount: Int {
        get throws(TexelError) {
            switch format {
            case .yuv(let format, _): return try format.byteCount(of: size)
            case .bgra, .rgba:
                guard size.isPositive, let pixels = size.pixelCount, pixels < Int.max / 16 else {
                    throw .invalidSize(size)
                }
                return pixels * PixelBuffer.bytesPerPixel
            }
        }
    }
}

extension SampleLayout {
    /// A plane of an image, in bytes.
    package struct Plane {
        package var offset: Int
        package var bytesPerRow: Int
        package var rowCount: Int
    }

    /// The planes, one after another without padding. The size must be one that ``byteCount`` accepts.
    package var planes: [Plane] {
        switch format {
        case .yuv(let format, _):
            (0..<format.planeCount).map { plane in
                Plane(
                    offset: format.planeOffset(plane, of: size), bytesPerRow: format.bytesPerRow(plane, of: size),
                    rowCount: format.planeSize(plane, of: size).height)
            }
        case .bgra, .rgba:
            [Plane(offset: 0, bytesPerRow: size.width * PixelBuffer.bytesPerPixel, rowCount: size.height)]
        }
    }
}

extension SampleLayout {
    /// The alpha mode of the pixels after conversion.
    package var alphaMode: AlphaMode {
        switch format {
        case .yuv(let format, _): format.hasAlpha ? .straight : .opaque
        case .bgra, .rgba: .straight
        }
    }
}
