public import TexelCore
public import TexelPixels

/// Reads and writes one file format.
///
/// A codec is a value without state. Register it in a ``CodecRegistry``; nothing else in Texel names its format.
/// Further abilities are protocols of the files that it opens, such as `AnimatedImageFile`, and of its options.
public protocol ImageCodec: Sendable {
    /// The format.
    var format: ImageFormat { get }

    /// The name of the format in messages, such as "WebP".
    var displayName: String { get }

    /// All file extensions of the format in lower case and without a dot; new files have the first. With none, files of
    /// the format in a folder are passed over; those that are named are recognised by their bytes.
    var fileExtensions: [String] { get }

    /// The media type (MIME type), as in HTTP's `Content-Type`.
    var mediaType: String { get }

    /// The capabilities of the format and the codec.
    var capabilities: CodecCapabilities { get }

    /// The parameters of encoding that the codec has besides the properties of ``EncodingSettings``, which passes their
    /// values (``EncodingSettings/parameters``). The program makes its flags of them. A parameter that several formats
    /// have is declared once and listed by each.
    var parameters: [Parameter] { get }

    /// Returns whether a file belongs to this format.
    ///
    /// - Parameter head: the first 64 bytes, or all if the file has fewer.
    func recognizes(_ head: [UInt8]) -> Bool

    /// Returns the error of a file that no codec recognises, but whose beginning is a damaged signature of this format.
    ///
    /// - Parameter head: the first 64 bytes, or all if the file has fewer.
    func damage(of head: [UInt8]) -> TexelError?

    /// Reads the header of a file.
    ///
    /// - Parameters:
    ///   - bytes: the file; it may still be arriving, so wait for the bytes that the header needs.
    ///   - limits: checked before memory is allocated for what the header declares.
    ///   - stop: polled while waiting for bytes.
    /// - Throws: an error for an invalid header, `limitExceeded`, `stopped`.
    func open(_ bytes: InputBytes, limits: Limits, stop: StopToken?) throws(TexelError) -> any ImageFile

    /// Returns the options for encoding with general settings; settings that the format does not have are ignored.
    /// `nil` if the codec only reads.
    func options(for settings: EncodingSettings) -> (any FormatOptions)?

    /// Why the codec only reads, and what to write instead, for messages: "HEVC is patented; write AVIF instead". `nil`
    /// without such a reason.
    var adviceOnWriting: String? { get }

    /// Returns the memory in bytes that decoding takes besides the file and the decoded pixels.
    ///
    /// - Parameters:
    ///   - info: the header.
    ///   - shrink: the factor by which the decoder divides both sides.
    func workingBytes(decoding info: ImageInfo, shrink: Int) -> Double

    /// Loads the libraries that are loaded when they are first used. Called before a process drops the right to open
    /// files; otherwise the codec loads them itself.
    ///
    /// - Throws: `missingLibrary`.
    func loadLibraries() throws(TexelError)

    /// The libraries that the codec uses, for bug reports. Loads them.
    var libraries: [LinkedLibrary] { get }
}

extension ImageCodec {
    public var displayName: String { format.rawValue.uppercased() }

    public var parameters: [Parameter] { [] }

    public func damage(of head: [UInt8]) -> TexelError? { nil }

    public func options(for settings: EncodingSettings) -> (any FormatOptions)? { nil }

    public var adviceOnWriting: String? { nil }

    public func workingBytes(decoding info: ImageInfo, shrink: Int) -> Double { 0 }

    public func loadLibraries() throws(TexelError) {}

    public var libraries: [LinkedLibrary] { [] }
}

/// A codec that can encode an image at many sizes and qualities, to search for a file size or a score.
///
/// For other codecs, a search has one step: their encoding with the recipe's settings.
package protocol SearchableCodec: ImageCodec {
    /// Returns the ways to encode an image with the settings, in order of rising size and quality.
    func ladder(_ settings: EncodingSettings) -> EncodingLadder

    /// Returns an encoder for repeated encodings of one image, which does shared work once.
    func attempts(at image: PixelBuffer, _ context: EncodingContext) -> any AttemptEncoder
}

/// A codec whose files can store those of another format exactly (``StoringImageFile``): a JPEG XL holds a JPEG.
package protocol StoringCodec: ImageCodec {
    /// Returns whether files with this header can be stored. It may still turn out that one cannot.
    func stores(_ info: ImageInfo) -> Bool

    /// Stores a file, and checks that it is restored byte for byte.
    ///
    /// - Parameters:
    ///   - file: the whole file.
    ///   - settings: the effort.
    ///   - parallelism: the maximum number of threads.
    /// - Returns: `nil` if the file cannot be stored, or not be restored exactly.
    /// - Throws: `limitExceeded`, `missingLibrary`, `outOfMemory`, `stopped`.
    func stored(
        _ file: InputBytes, settings: EncodingSettings, limits: Limits, stop: StopToken?, parallelism: Int,
        progress: EncodingProgress?
    ) throws(TexelError) -> [UInt8]?

    /// Returns the memory in bytes that storing takes besides the files.
    func workingBytes(storing info: ImageInfo) -> Double
}

/// A codec that writes a file's samples or coefficients again in fewer bytes (``RecompressibleImageFile``).
package protocol RecompressingCodec: ImageCodec {
    /// Whether this is the smallest exact form of a file whose pixels do not change: it keeps more than 8-bit pixels
    /// would, or avoids a loss.
    ///
    /// - Parameters:
    ///   - info: the header.
    ///   - compresses: whether the pixels are to be encoded again.
    ///   - isLossless: whether a loss is forbidden.
    ///   - asksForLoss: whether a quality or a subsampling of chroma is requested.
    func prefersRecompression(
        of info: ImageInfo, compresses: Bool, isLossless: Bool, asksForLoss: Bool
    ) -> Bool

    /// Returns the memory in bytes that recompression takes besides the file.
    func workingBytes(recompressing info: ImageInfo) -> Double

    /// The data that are read and kept, for a plan's description: "all coefficients".
    var recompressedData: String { get }
    /// Why recompression is chosen, for a plan's description.
    var recompressionReason: String { get }
}
