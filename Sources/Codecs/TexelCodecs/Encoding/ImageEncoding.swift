public import TexelCore
public import TexelPixels

/// The options of one format's encoder, which also encode.
public protocol FormatOptions: Sendable, Hashable {
    /// The format of the output.
    static var format: ImageFormat { get }

    /// Whether encoding changes pixels.
    var isLossy: Bool { get }

    /// About how many times as long as decoding a row encoding one takes. Only progress depends on it.
    var rowsOfWork: Int { get }

    /// Whether encoding with these options takes memory and time that are reasonable for the largest images. If not,
    /// these are encoded with ``Effort/fast`` instead of ``Effort/balanced``.
    var boundsMemory: Bool { get }

    /// These options without reductions that depend on the content of an image, so that all files of a sequence are
    /// stored in the same way.
    var withoutReductions: Self { get }

    /// Encodes an image. Frees the pixels as soon as they are converted if the caller holds no other reference.
    ///
    /// - Throws: `cannotEncode` if the format does not support the options or the size; `stopped`, `outOfMemory`.
    func encode(_ image: consuming PixelBuffer, _ context: EncodingContext) throws(TexelError) -> [UInt8]

    /// Returns the memory that encoding takes besides the pixels and the file, in bytes.
    ///
    /// - Parameters:
    ///   - pixels: the number of pixels.
    ///   - isSearched: whether a search encodes the image repeatedly.
    func workingBytes(pixels: Double, isSearched: Bool) -> Double
}

extension FormatOptions {
    public var rowsOfWork: Int { 1 }

    public var boundsMemory: Bool { false }

    public var withoutReductions: Self { self }

    public func workingBytes(pixels: Double, isSearched: Bool) -> Double { 0 }
}

/// The context of an encoder: everything besides the image and the options of its format.
public struct EncodingContext: Sendable {
    /// The metadata to write; the colour profile comes with the pixels.
    public var metadata: WrittenMetadata
    /// The colour under transparent pixels, for a format without alpha.
    public var background: PixelColor
    /// Polled during the work.
    public var stop: StopToken?
    /// The maximum number of threads, including the calling one; the result does not depend on it.
    public var parallelism: Int
    /// Receives the progress of the encoding.
    package var progress: EncodingProgress?
    /// Where an encoder that writes while it works may put many bytes; `nil` to keep all of them in memory.
    package var overflow: OutputOverflow?

    /// Creates a context; each parameter sets the property of its name.
    public init(
        metadata: WrittenMetadata = WrittenMetadata(), background: PixelColor = .white, stop: StopToken? = nil,
        parallelism: Int = 1
    ) {
        self.metadata = metadata
        self.background = background
        self.stop = stop
        self.parallelism = parallelism
    }
}

/// An output format with its options: `.jpeg(JPEGOptions(quality: 75))`.
///
/// The modules of the formats declare functions such as `jpeg(_:)`.
public struct ImageEncoding: Sendable {
    /// The options.
    public let options: any FormatOptions

    /// Creates an encoding with the options of a format.
    public init(_ options: any FormatOptions) { self.options = options }

    /// The format of the output.
    public var format: ImageFormat { type(of: options).format }

    /// This encoding with ``FormatOptions/withoutReductions``.
    package var withoutReductions: ImageEncoding { ImageEncoding(options.withoutReductions) }
}

extension ImageEncoding: Hashable {
    public static func == (a: ImageEncoding, b: ImageEncoding) -> Bool {
        func equals<Options: FormatOptions>(_ options: Options) -> Bool { options == b.options as? Options }
        return equals(a.options)
    }

    public func hash(into hasher: inout Hasher) { options.hash(into: &hasher) }
}

extension PixelBuffer {
    /// Encodes the image as the bytes of a file.
    ///
    /// - Parameters:
    ///   - encoding: the format and its options.
    ///   - metadata: the metadata to write; the colour profile comes with the pixels.
    ///   - background: the colour under transparent pixels, for a format without alpha.
    ///   - stop: polled during the work.
    ///   - parallelism: the maximum number of threads; the result does not depend on it.
    /// - Throws: `cannotEncode` if the format does not support the options or the size; `stopped`.
    public func encoded(
        as encoding: ImageEncoding, metadata: WrittenMetadata = WrittenMetadata(), background: PixelColor = .white,
        stop: StopToken? = nil, parallelism: Int = 1
    ) throws(TexelError) -> [UInt8] {
        let context = EncodingContext(
            metadata: metadata, background: background, stop: stop, parallelism: parallelism)
        return try encoding.options.encode(self, context)
    }
}
