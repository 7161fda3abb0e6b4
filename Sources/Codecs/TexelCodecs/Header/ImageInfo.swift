public import TexelPixels

/// The properties in the header of an image file; reading them decodes no pixels.
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
    /// Whether the file is stored in passes of increasing detail: progressive or interlaced.
    public var isProgressive: Bool
    /// The coding process in the words of the specification: baseline, progressive, arithmetic, Adam7 …
    public var coding: String
    /// The chroma subsampling in J:a:b notation, such as "4:2:0"; `nil` for a file without chroma.
    public var chromaSubsampling: String?
    /// Whether the pixels are stored without loss; `nil` if the header does not say it.
    public var isLossless: Bool?
    /// The number of images in a file of pages, such as a TIFF of a scanned document.
    public var pageCount: Int
    /// The number of frames of an animation; 1 for a still image.
    public var frameCount: Int
    /// Whether the file holds more than one image: several frames, or a default image that is not part of the
    /// animation.
    public var isAnimation: Bool
    /// The timing of an animation; `nil` for a still image, and if only the header was read.
    public var timing: AnimationTiming?
    /// The colour space that the file declares; sRGB by default. That of inks is not the one of the decoded pixels.
    public var colorSpace: ColorSpace
    /// EXIF, XMP, comments and density.
    public var metadata: ImageMetadata
    /// The properties of the video of which the image is a frame; `nil` for images.
    public var video: VideoInfo?
    /// The numbers by which the decoder can divide both sides, in rising order from 1.
    public var decodeScales: [Int]
    /// Whether luma and chroma can be decoded as planes.
    package var hasPlanes = false
    /// The layout of the blocks, if the coefficients in them can be moved without decoding.
    package var coefficientLayout: CoefficientLayout?
    /// How the coefficients were quantised, if an encoder can do the same with other pixels.
    package var quantization: DCTQuantization?

    /// The format of a file that this one stores, from which the same bytes can be restored.
    package var storedFormat: ImageFormat?

    /// Why the colours that the file declares are not used; `nil` if they are. They are not written either.
    package var colorFault: String?

    /// The faults of the header that do not prevent decoding, one sentence each.
    package var warnings: [String] { colorFault.map { [$0] } ?? [] }

    /// Whether the file stores amounts of ink (CMYK or YCCK).
    package var isCMYK: Bool { colorModel == .cmyk || colorModel == .ycck }

    /// The colour space of the decoded pixels: decoders convert inks to sRGB.
    package var pixelColorSpace: ColorSpace { isCMYK ? .sRGB : colorSpace }

    /// The alpha mode of the decoded pixels.
    package var alphaMode: AlphaMode { hasAlpha ? .straight : .opaque }

    /// The number of samples per pixel in planes of luma and chroma, without alpha.
    package var samplesPerPixel: Double {
        switch chromaSubsampling {
        case nil: 1
        case "4:2:0": 1.5
        case "4:2:2": 2
        default: 3
        }
    }

    /// The width and height as displayed.
    public var displaySize: PixelSize { orientation.applied(to: size) }

    /// Creates a description of a file; every parameter is the property of its name.
    public init(
        format: ImageFormat, size: PixelSize, orientation: Orientation = .identity, colorModel: ColorModel,
        bitDepth: Int, hasAlpha: Bool, isProgressive: Bool = false, coding: String, chromaSubsampling: String? = nil,
        isLossless: Bool? = nil, pageCount: Int = 1, frameCount: Int = 1, isAnimation: Bool = false,
        colorSpace: ColorSpace = .sRGB, metadata: ImageMetadata = ImageMetadata(), decodeScales: [Int] = [1]
    ) {
        self.format = format
        self.size = size
        self.orientation = orientation
        self.colorModel = colorModel
        self.bitDepth = bitDepth
        self.hasAlpha = hasAlpha
        self.isProgressive = isProgressive
        self.coding = coding
        self.chromaSubsampling = chromaSubsampling
        self.isLossless = isLossless
        self.pageCount = pageCount
        self.frameCount = frameCount
        self.isAnimation = isAnimation
        self.colorSpace = colorSpace
        self.metadata = metadata
        self.decodeScales = decodeScales
    }
}
