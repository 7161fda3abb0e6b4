import Synchronization

/// The codecs of a process.
///
/// Formats are tried in the order of registration. Codecs can be added at any time, from any thread; a codec replaces
/// another one of the same format.
public final class CodecRegistry: Sendable {
    /// The codecs that the registry was created with.
    private let initial: [any ImageCodec]
    private let state: Mutex<[any ImageCodec]>
    /// Whether `state` differs from `initial`. While it does not, readers take no lock: every image of a batch asks
    /// several times.
    private let isChanged = Atomic(false)

    /// Creates a registry.
    public init(_ codecs: [any ImageCodec]) {
        initial = codecs
        state = Mutex(codecs)
        for codec in codecs { codec.format.note(displayName: codec.displayName) }
    }

    /// All codecs, in the order of registration.
    public var codecs: [any ImageCodec] {
        isChanged.load(ordering: .acquiring) ? state.withLock { $0 } : initial
    }

    /// The formats of all codecs.
    public var formats: [ImageFormat] { codecs.map(\.format) }

    /// The formats that can be written.
    public var writableFormats: [ImageFormat] { codecs.filter(\.capabilities.writes).map(\.format) }

    /// Adds a codec; replaces the one of the same format.
    public func register(_ codec: any ImageCodec) {
        codec.format.note(displayName: codec.displayName)
        state.withLock { codecs in
            if let index = codecs.firstIndex(where: { $0.format == codec.format }) {
                codecs[index] = codec
            } else {
                codecs.append(codec)
            }
        }
        isChanged.store(true, ordering: .releasing)
    }

    /// The codec of a format; `nil` if none is registered.
    public subscript(format: ImageFormat) -> (any ImageCodec)? { codecs.first { $0.format == format } }

    /// Returns the format that a file extension denotes, in any case; `nil` for other extensions.
    public func format(fileExtension: String) -> ImageFormat? {
        let lowercased = fileExtension.lowercased()
        return codecs.first { $0.fileExtensions.contains(lowercased) }?.format
    }

    /// The number of bytes that codecs recognise a file by: with the list of brands that HEIF's files begin with.
    package static let headSize = 64

    /// Returns the codec for a file.
    ///
    /// - Parameter bytes: at least the first 64 bytes of the file, or all if it has fewer. The file name is ignored.
    /// - Throws: `empty`, `unknownFormat`, or the error of a damaged signature.
    public func codec(sniffing bytes: some Collection<UInt8>) throws(CodecError) -> any ImageCodec {
        let head = Array(bytes.prefix(Self.headSize))
        if head.isEmpty { throw .empty }
        let codecs = codecs
        if let codec = codecs.first(where: { $0.recognizes(head) }) { return codec }
        for codec in codecs {
            if let damage = codec.damage(of: head) { throw damage }
        }
        throw .unknownFormat(firstBytes: Array(head.prefix(12)), readable: codecs.map(\.format))
    }
}
