/// The file formats that Texel reads and writes.
public enum ImageFormat: String, Sendable, Hashable, Codable, CaseIterable {
    case jpeg
    case png

    /// The usual file extension, without a dot.
    public var fileExtension: String {
        switch self {
        case .jpeg: "jpg"
        case .png: "png"
        }
    }

    /// All extensions that promise this format, in lower case.
    public var fileExtensions: [String] {
        switch self {
        case .jpeg: ["jpg", "jpeg", "jpe", "jfif"]
        case .png: ["png", "apng"]
        }
    }

    /// What HTTP calls the format, as in `Content-Type`.
    public var mediaType: String {
        switch self {
        case .jpeg: "image/jpeg"
        case .png: "image/png"
        }
    }

    /// Whether the format stores transparency.
    public var hasAlpha: Bool { self == .png }

    /// The format that an extension (in any case) promises.
    public init?(fileExtension: String) {
        let lowercased = fileExtension.lowercased()
        guard let format = Self.allCases.first(where: { $0.fileExtensions.contains(lowercased) }) else { return nil }
        self = format
    }

    /// The format that the first bytes belong to; the file's name is not asked.
    ///
    /// - Throws: `empty`, `unknownFormat`, or `png(.invalidSignature)` for what was a PNG once.
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
