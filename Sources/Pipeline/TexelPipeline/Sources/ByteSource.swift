public import TexelCodecs
import TexelCore

/// Provides the bytes of an encoded image: from a file, memory, a stream or an address.
public protocol ByteSource: Sendable {
    /// The name of the bytes for people, such as a path or an address.
    var name: String { get }
    /// Sources with equal identities are opened once for all requests at the same time.
    var identity: InputIdentity { get }
    /// Whether the bytes are on this machine, so that opening them is cheap. The default is `false`.
    var isLocal: Bool { get }
    /// Determines the version of the bytes, and prepares to read them.
    ///
    /// - Throws: any error. Requests throw errors that are not Texel's as `TexelError.source`.
    func open(limits: Limits) async throws -> OpenedBytes
}

extension ByteSource {
    public var isLocal: Bool { false }

    /// Calls ``open(limits:)`` and converts its error.
    func opened(limits: Limits) async throws(TexelError) -> OpenedBytes {
        do { return try await open(limits: limits) } catch { throw TexelError(thrownBySource: error) }
    }
}

/// A source whose bytes a batch reads once, and which may wait for a writer.
package protocol PatientSource: ByteSource {
    /// The source for one reading.
    ///
    /// - Parameter timeLimit: how long the bytes may take to arrive; `nil` for no limit.
    func waiting(atMost timeLimit: Duration?) -> any ByteSource
}

/// Distinguishes an input from all others. As ``OpenedBytes/version`` it is also used by disk caches, which outlive
/// the process.
public struct InputIdentity: Sendable, Hashable {
    /// The identity as text.
    public let text: String
    /// Makes an identity from a text that no other input has.
    public init(_ text: String) { self.text = text }
}

/// Bytes that exist but have not been read yet.
public struct OpenedBytes: Sendable {
    /// The version of the bytes, under which results are cached. `nil` if versions cannot be distinguished, so that
    /// only the bytes themselves identify the input.
    public let version: InputIdentity?
    /// The number of bytes; `nil` if unknown.
    public let count: Int?
    let content: Content

    /// Files of up to this many bytes are read on opening, because switching to another thread would take longer.
    static let smallCount = 64 * 1024

    enum Content: Sendable {
        /// A few bytes with their version.
        case small(InputBytes, version: InputIdentity?)
        /// A function that reads the bytes, and returns the version that it has read.
        case read(@Sendable () throws(TexelError) -> (bytes: InputBytes, version: InputIdentity?))
        /// A function that delivers the bytes in pieces.
        case arriving(@Sendable (ArrivingBytes) async throws(TexelError) -> Void)
    }

    /// Makes bytes that arrive in pieces.
    ///
    /// - Parameters:
    ///   - version: identifies the bytes in caches, if known.
    ///   - count: the number of bytes, if known.
    ///   - deliver: delivers all bytes in order; called at most once, and cancelled with its task. Requests throw its
    ///     errors as with ``ByteSource/open(limits:)``.
    public init(
        version: InputIdentity?, count: Int?, deliver: @escaping @Sendable (ArrivingBytes) async throws -> Void
    ) {
        self.version = version
        self.count = count
        content = .arriving { bytes async throws(TexelError) in
            do { try await deliver(bytes) } catch { throw TexelError(thrownBySource: error) }
        }
    }

    /// Makes bytes that are read in one call.
    ///
    /// - Parameters:
    ///   - version: identifies the bytes in caches, if known.
    ///   - count: the number of bytes, if known.
    ///   - read: reads all bytes; may block, and runs on a thread for blocking calls. Requests throw its errors as
    ///     with ``ByteSource/open(limits:)``.
    public init(version: InputIdentity?, count: Int?, read: @escaping @Sendable () throws -> InputBytes) {
        self.version = version
        self.count = count
        content = .read { () throws(TexelError) in
            do { return (try read(), version) } catch { throw TexelError(thrownBySource: error) }
        }
    }

    /// Makes bytes that may change before they are read.
    ///
    /// - Parameter read: reads all bytes, and returns their version, `nil` if unknown; may block.
    init(
        version: InputIdentity?, count: Int?,
        reading read: @escaping @Sendable () throws(TexelError) -> (bytes: InputBytes, version: InputIdentity?)
    ) {
        self.version = version
        self.count = count
        content = .read(read)
    }

    /// Makes at most ``smallCount`` bytes that are in memory.
    init(version: InputIdentity?, small bytes: InputBytes) {
        self.version = version
        count = bytes.count
        content = .small(bytes, version: version)
    }
}
