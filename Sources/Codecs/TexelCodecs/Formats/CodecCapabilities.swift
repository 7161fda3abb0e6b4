/// The capabilities of a format and its codec.
///
/// Callers ask for capabilities instead of comparing formats.
public struct CodecCapabilities: Sendable, Hashable {
    /// The metadata blocks that a format can store.
    public struct MetadataBlocks: OptionSet, Sendable, Hashable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// ICC colour profiles.
        public static let profile = MetadataBlocks(rawValue: 1 << 0)
        /// EXIF.
        public static let exif = MetadataBlocks(rawValue: 1 << 1)
        /// XMP packets.
        public static let xmp = MetadataBlocks(rawValue: 1 << 2)
        /// IPTC captions, in Photoshop's image resources.
        public static let iptc = MetadataBlocks(rawValue: 1 << 3)
        /// Comments.
        public static let comments = MetadataBlocks(rawValue: 1 << 4)
        /// The pixel density.
        public static let density = MetadataBlocks(rawValue: 1 << 5)
    }

    /// Whether the codec writes files. If not, it only reads them.
    public var writes = true
    /// Whether the format stores transparency.
    public var hasAlpha = false
    /// Whether the codec encodes with loss, at a quality of 1…100 on the scale of ``EncodingSettings/quality``.
    public var isLossy = false
    /// Whether the codec encodes without loss.
    public var isLossless = false
    /// Whether ``EncodingSettings/effort`` has an effect.
    public var hasEfforts = true
    /// Whether the codec reads files with several frames.
    public var readsAnimations = false
    /// Whether the codec writes files with several frames.
    public var writesAnimations = false
    /// Whether the codec reads files of several pages.
    public var readsPages = false
    /// Whether ``DecodeOptions/dithers`` has an effect.
    public var dithers = false
    /// Whether the codec can reduce the number of colours (``EncodingSettings/palette``).
    public var hasPalettes = false
    /// Whether ``EncodingSettings/isProgressive`` selects the coding process.
    public var hasProcesses = false
    /// Whether ``EncodingSettings/subsampling`` selects the resolution of chroma.
    public var subsamplesChroma = false
    /// Whether files declare colours by code points or by gamma and chromaticities, which not every profile can
    /// express.
    public var storesCICP = false
    /// Whether pixels can be encoded with the quantisation of an input file of the same format
    /// (`ImageInfo.quantization`).
    public var reusesQuantization = false
    /// Whether a program should decode the format in processes without privileges, because a large or young C library
    /// does it.
    public var prefersIsolation = false
    /// Whether the same library reads headers, so that a process without privileges must parse them too.
    public var prefersIsolatedHeaders = false
    /// The maximum width and height in pixels.
    public var maximumSide = Int(Int32.max)
    /// The metadata that the format stores.
    public var metadata: MetadataBlocks = []

    /// Creates the capabilities of a codec that writes opaque images of any size without metadata.
    public init() {}
}
