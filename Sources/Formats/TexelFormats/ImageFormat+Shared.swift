public import TexelCodecs
public import TexelCore

// The properties of formats, as the registered codecs declare them.

extension ImageFormat {
    /// All formats of ``CodecRegistry/shared``, in the order of registration.
    public static var all: [ImageFormat] { CodecRegistry.shared.formats }

    /// The registered codec; `nil` if there is none.
    package var codec: (any ImageCodec)? { CodecRegistry.shared[self] }

    /// The capabilities of the format and its codec; none without a codec.
    public var capabilities: CodecCapabilities {
        if let codec { return codec.capabilities }
        var none = CodecCapabilities()
        none.writes = false
        return none
    }

    /// The usual file extension, without a dot; the format's name without a codec.
    public var fileExtension: String { codec?.fileExtensions.first ?? rawValue }

    /// All extensions that denote this format, in lower case.
    public var fileExtensions: [String] { codec?.fileExtensions ?? [] }

    /// The media type (MIME type), as in HTTP's `Content-Type`.
    public var mediaType: String { codec?.mediaType ?? "application/octet-stream" }

    /// Returns this format with options made from settings that all formats share; `nil` if it cannot be written.
    public func encoding(_ settings: EncodingSettings = EncodingSettings()) -> ImageEncoding? {
        codec?.options(for: settings).map { ImageEncoding($0) }
    }

    /// The format of results for files of this format if none is chosen: this one, or, if it is only read, the first
    /// format that is written, with or without loss like this one.
    package var formatOfResults: ImageFormat {
        if capabilities.writes { return self }
        let isLossy = capabilities.isLossy
        return CodecRegistry.shared.codecs.first { $0.capabilities.writes && $0.capabilities.isLossy == isLossy }?
            .format
            ?? self
    }

    /// Why the format is not written, as a sentence for messages; `nil` if there is nothing to say but that.
    package var refusalToWrite: String? {
        codec?.adviceOnWriting.map { "Texel does not write \(displayName), because \($0)" }
    }

    /// Whether the format stores transparency.
    public var hasAlpha: Bool { capabilities.hasAlpha }

    /// Returns the format that an extension denotes, in any case; `nil` for other extensions.
    public init?(fileExtension: String) {
        guard let format = CodecRegistry.shared.format(fileExtension: fileExtension) else { return nil }
        self = format
    }

    /// Detects the format from a file's first bytes; the file name is ignored.
    ///
    /// - Parameter bytes: at least the first 64 bytes, or all if the file has fewer.
    /// - Throws: `empty`, `unknownFormat`, or the error of a damaged signature.
    public init(sniffing bytes: some Collection<UInt8>) throws(TexelError) {
        self = try CodecRegistry.shared.codec(sniffing: bytes).format
    }
}
