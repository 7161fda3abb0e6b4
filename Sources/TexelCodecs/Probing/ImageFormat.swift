/// The file formats that Texel reads and writes.
public enum ImageFormat: String, Sendable, Hashable, Codable, CaseIterable {
    /// JPEG (ITU-T T.81), in JFIF or EXIF files.
    case jpeg
    /// PNG, with or without animation (APNG).
    case png

    /// The usual file extension, without a dot.
    public var fileExtension: String {
        switch self {
        case .jpeg: "jpg"
        case .png: "png"
        }
    }

    /// All extensions that denote this format, in lower case.
    public var fileExtensions: [String] {
        switch self {
        case .jpeg: ["jpg", "jpeg", "jpe", "jfif"]
        case .png: ["png", "apng"]
        }
    }

    /// The media type (MIME type), as in HTTP's `Content-Type`.
    public var mediaType: String {
        switch self {
        case .jpeg: "image/jpeg"
        case .png: "image/png"
        }
    }

    /// Whether the format stores transparency.
    public var hasAlpha: Bool { self == .png }

    /// Returns the format that an extension denotes, in any case; `nil` for other extensions.
    public init?(fileExtension: String) {
        let lowercased = fileExtension.lowercased()
        guard let format = Self.allCases.first(where: { $0.fileExtensions.contains(lowercased) }) else { return nil }
        self = format
    }

    /// Detects the format from a file's first bytes; the file name is ignored.
    ///
    /// - Parameter bytes: at least the first 16 bytes, or all if the file has fewer.
    /// - Throws: `empty`, `unknownFormat`, or `png(.invalidSignature)` for a damaged PNG signature.
    public init(sniffing bytes: some Collection<UInt8>) throws(CodecError) {
        let head = Array(bytes.prefix(16))
        if head.isEmpty { throw .empty }
        if head.starts(with: PNGFile.signature) {
            self = .png
        } else if head.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if PNGFile.isDamagedSignature(head) {
            throw .png(.invalidSignature(Array(head.prefix(8))))
        } else {
            throw .unknownFormat(firstBytes: Array(head.prefix(12)))
        }
    }
}
