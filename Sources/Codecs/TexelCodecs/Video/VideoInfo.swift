public import TexelPixels

/// The declared properties of a video, and the assumed ones where it declares nothing.
public struct VideoInfo: Sendable, Hashable, Codable {
    /// The names of the container format, as FFmpeg calls it: "mov,mp4,m4a,3gp,3g2,mj2".
    public var container: String
    /// The codec, as FFmpeg calls it: "h264".
    public var codec: String
    /// The codec's profile: "High"; `nil` if unknown.
    public var profile: String?
    /// The form of decoded samples, as FFmpeg calls it: "yuv420p".
    public var pixelFormat: String?
    /// The bits per sample.
    public var bitDepth: Int
    /// Whether samples are red, green and blue, or indices of them.
    public var isRGB: Bool
    /// Whether frames have transparency that is decoded.
    public var hasAlpha: Bool
    /// Whether frames have transparency that no installed decoder reads.
    public var losesAlpha: Bool
    /// The size of decoded frames in pixels, as stored.
    public var size: PixelSize
    /// The shape of the pixels.
    public var pixelAspect: PixelAspect
    /// The transform from stored rows to shown ones; `nil` if frames are turned by another angle.
    public var orientation: Orientation?
    /// The mean number of frames per second; `nil` if unknown.
    public var rate: FrameRate?
    /// The lowest rate at which every frame starts at a multiple of the interval; `nil` if unknown.
    public var baseRate: FrameRate?
    /// The length in seconds; `nil` if unknown.
    public var duration: Double?
    /// The number of frames as the container says; `nil` if it does not.
    public var frameCount: Int?
    /// How samples become colours.
    public var colors: VideoColors
    /// The order of fields; `nil` for progressive frames, and if unknown.
    public var fields: FieldOrder?
    /// The tracks of the file, in its order.
    public var streams: [Stream]
    /// The index of the described stream in ``streams``.
    public var index: Int
    /// Whether the stream is a cover image, because the file has no other.
    public var isCover: Bool

    /// A track of a file.
    public struct Stream: Sendable, Hashable, Codable {
        /// "video", "audio", "subtitle" or "data".
        public var kind: String
        /// The codec, as FFmpeg calls it.
        public var codec: String
        /// The language as in ISO 639; `nil` if unknown.
        public var language: String?
        /// Whether players choose it by default.
        public var isDefault: Bool
        /// Whether it is an attached picture.
        public var isCover: Bool

        /// Creates a description from its properties.
        public init(kind: String, codec: String, language: String?, isDefault: Bool, isCover: Bool) {
            (self.kind, self.codec, self.language) = (kind, codec, language)
            (self.isDefault, self.isCover) = (isDefault, isCover)
        }
    }

    /// The size at which frames are shown, with square pixels and turned.
    public var displaySize: PixelSize { (orientation ?? .identity).applied(to: pixelAspect.applied(to: size)) }

    /// Creates a description of a video of one stream; more is set by the properties.
    public init(container: String, codec: String, size: PixelSize) {
        (self.container, self.codec, self.size) = (container, codec, size)
        bitDepth = 8
        isRGB = false
        hasAlpha = false
        losesAlpha = false
        pixelAspect = .square
        orientation = .identity
        colors = VideoColors()
        streams = []
        index = 0
        isCover = false
    }
}
