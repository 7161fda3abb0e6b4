public import TexelPixels

/// What the header of an image file says; reading it decodes no pixels.
public struct ImageInfo: Sendable, Hashable, Codable {
    /// How the file stores colour.
    public enum ColorModel: String, Sendable, Hashable, Codable {
        /// Grey.
        case gray
        /// Grey and alpha.
        case grayAlpha = "gray+alpha"
        /// Red, green and blue.
        case rgb
        /// Red, green, blue and alpha.
        case rgba
        /// Indices into a palette.
        case palette
        /// Luma and two chroma components.
        case yCbCr = "ycbcr"
        /// Cyan, magenta, yellow and black.
        case cmyk
        /// CMYK with its first three components stored as YCbCr.
        case ycck
    }

    /// The file format.
    public var format: ImageFormat
    /// The width and height as stored.
    public var size: PixelSize
    /// The transform from the stored rows to the displayed image.
    public var orientation: Orientation
    /// How the file stores colour.
    public var colorModel: ColorModel
    /// The bits per sample in the file.
    public var bitDepth: Int
    /// Whether the file stores transparency.
    public var hasAlpha: Bool
    /// Whether the file is a progressive JPEG or an interlaced PNG.
    public var isProgressive: Bool
    /// The coding process in the words of the specification: baseline, progressive, arithmetic, Adam7 …
    public var coding: String
    /// The chroma subsampling of a JPEG in J:a:b notation, such as "4:2:0".
    public var chromaSubsampling: String?
    /// The number of frames of an animated PNG; 1 for a still image.
    public var frameCount: Int
    /// Whether the file holds more than one image: several frames, or a default image that is not part of the
    /// animation.
    public var isAnimation = false
    /// The colour space that the file declares; sRGB by default.
    public var colorSpace: ColorSpace
    /// EXIF, XMP, comments and density.
    public var metadata: ImageMetadata
    /// The layout of a JPEG's blocks; `nil` for other formats and invalid sampling factors.
    package var coefficientLayout: CoefficientLayout?
    /// The quantisation of a JPEG; `nil` for other formats and for a JPEG with a missing table.
    package var quantization: JPEGQuantization?

    /// Whether the file stores amounts of ink (CMYK or YCCK).
    package var isCMYK: Bool { colorModel == .cmyk || colorModel == .ycck }

    /// The width and height as displayed.
    public var displaySize: PixelSize { orientation.applied(to: size) }
}

extension ImageInfo {
    /// Describes pixels that come from no file.
    package init(pixelsOf size: PixelSize, hasAlpha: Bool) {
        self.init(
            format: .png, size: size, orientation: .identity, colorModel: hasAlpha ? .rgba : .rgb, bitDepth: 8,
            hasAlpha: hasAlpha, isProgressive: false, coding: "", chromaSubsampling: nil, frameCount: 1,
            colorSpace: .sRGB, metadata: ImageMetadata(), coefficientLayout: nil)
    }
}
