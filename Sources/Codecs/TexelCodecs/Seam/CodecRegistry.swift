import Synchronization
public import TexelCore
package import TexelPixels

/// The codecs of a process.
///
/// Formats are tried in the order of registration. Codecs can be added at any time, from any thread; a codec replaces
/// another one of the same format.
public final class CodecRegistry: Sendable {
    /// The codecs that the registry was created with.
    private let initial: [any ImageCodec]
    private let state: Mutex<[any ImageCodec]>
    /// Whether `state` differs from `initial`. While it does not, readers take no lock: every image of a batch reads
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

    /// The parameters of all codecs, each once.
    package var parameters: [Parameter] {
        var names: Set<String> = []
        return codecs.flatMap(\.parameters).filter { names.insert($0.name).inserted }
    }

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
    public func codec(sniffing bytes: some Collection<UInt8>) throws(TexelError) -> any ImageCodec {
        let head = Array(bytes.prefix(Self.headSize))
        if head.isEmpty { throw .empty }
        let codecs = codecs
        if let codec = codecs.first(where: { $0.recognizes(head) }) { return codec }
        for codec in codecs {
            if let damage = codec.damage(of: head) { throw damage }
        }
        throw .unknownFormat(firstBytes: Array(head.prefix(12)), readable: codecs.map(\.format))
    }

    // MARK: Files

    /// Opens a file and reads its header. The format is detected from the content.
    ///
    /// - Parameters:
    ///   - bytes: the file.
    ///   - limits: checked before memory is allocated for what the header declares.
    /// - Throws: an error for an invalid header, or `limitExceeded`.
    public func open(_ bytes: InputBytes, limits: Limits = Limits()) throws(TexelError) -> any ImageFile {
        try open(bytes, limits, stop: nil)
    }

    /// Opens a file that is still arriving; returns as soon as the header has arrived.
    ///
    /// Decoding it gives the same result as decoding the whole file. Rows are returned as early as the bytes allow;
    /// both the decoder and this call block their thread while they wait. The limit on the size of the input is that of
    /// `bytes`.
    ///
    /// - Parameter stop: polled while this call waits; decoders poll that of their options.
    /// - Throws: an error for an invalid header; `limitExceeded`; `stopped`.
    package func open(
        arriving bytes: ArrivingBytes, limits: Limits = Limits(), stop: StopToken?
    ) throws(TexelError) -> any ImageFile {
        try open(InputBytes(bytes), limits, stop: stop)
    }

    private func open(
        _ bytes: InputBytes, _ limits: Limits, stop: StopToken?
    ) throws(TexelError) -> any ImageFile {
        if let count = bytes.wholeCount, count > limits.inputBytes {
            throw .limitExceeded(.inputBytes, value: count, allowed: limits.inputBytes)
        }
        // Other files may have arrived to the end of their header, which is shorter.
        var head = min(16, try bytes.wait(for: 16, stop))
        if let size = ISOBrands.boxSize(of: bytes[0..<head]) {
            head = min(Self.headSize, size, try bytes.wait(for: min(Self.headSize, size), stop))
        }
        let file = try codec(sniffing: bytes[0..<head]).open(bytes, limits: limits, stop: stop)
        try limits.check(file.info.size)
        return file
    }
}
