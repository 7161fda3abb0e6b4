public import TexelPixels

/// What a file's header says; no pixel is read for it.
public struct ImageInfo: Sendable, Hashable, Codable {
    /// How the file stores colour.
    public enum ColorModel: String, Sendable, Hashable, Codable {
        case gray
        case grayAlpha = "gray+alpha"
        case rgb
        case rgba
        case palette
        case yCbCr = "ycbcr"
        case cmyk
        case ycck
    }

    public var format: ImageFormat
    /// Width and height as stored.
    public var size: PixelSize
    /// How the stored rows lie in the displayed picture.
    public var orientation: Orientation
    public var colorModel: ColorModel
    /// Bits of one sample in the file.
    public var bitDepth: Int
    public var hasAlpha: Bool
    /// A progressive JPEG or an interlaced PNG.
    public var isProgressive: Bool
    /// The words of the specification for how it is coded: baseline, progressive, arithmetic, Adam7 …
    public var coding: String
    /// Brightness samples for each colour sample of a JPEG, such as "4:2:0".
    public var chromaSubsampling: String?
    /// Frames of an animated PNG; 1 for a still picture.
    public var frameCount: Int
    /// Whether the file holds more images than one: several frames, or a default image beside the animation.
    public var isAnimation = false
    /// What the file says of its colours.
    public var colorSpace: ColorSpace
    public var metadata: ImageMetadata
    /// How a JPEG's blocks lie; `nil` for other formats and impossible sampling factors.
    package var coefficientLayout: CoefficientLayout?
    /// How a JPEG is quantised; `nil` for other formats, and for a JPEG that an encoder cannot repeat.
    package var quantization: JPEGQuantization?

    /// Whether the file's colours are amounts of ink.
    package var hasInks: Bool { colorModel == .cmyk || colorModel == .ycck }

    /// Width and height as displayed.
    public var displaySize: PixelSize { orientation.applied(to: size) }
}

extension ImageInfo {
    /// Of pixels that come from no file.
    package init(pixelsOf size: PixelSize, hasAlpha: Bool) {
        self.init(
            format: .png, size: size, orientation: .identity, colorModel: hasAlpha ? .rgba : .rgb, bitDepth: 8,
            hasAlpha: hasAlpha, isProgressive: false, coding: "", chromaSubsampling: nil, frameCount: 1,
            colorSpace: .sRGB, metadata: ImageMetadata(), coefficientLayout: nil)
    }
}
