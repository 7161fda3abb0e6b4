public import SystemPackage
public import TexelCodecs
public import TexelCore
import TexelPixels

/// A file.
public struct FileSource: ByteSource, PatientSource {
    /// The path of the file.
    public let path: FilePath
    /// Whether symbolic links are followed. A server that takes names from its clients sets this to `false`, so that
    /// a link in its folder cannot lead out of it.
    public let followsLinks: Bool
    /// Whether a large file is mapped instead of read: without a copy in memory, but the bytes must not change until
    /// the work with them has ended.
    private let isMapped: Bool
    private let timeLimit: Duration?

    /// Makes a source for the file at `path`.
    public init(_ path: FilePath, followsLinks: Bool = true) {
        self.init(path, followsLinks: followsLinks, isMapped: false)
    }

    /// - Parameter timeLimit: how long the bytes of a pipe or a device may take to arrive; `nil` for no limit.
    package init(_ path: FilePath, followsLinks: Bool = true, isMapped: Bool, timeLimit: Duration? = nil) {
        self.path = path
        self.followsLinks = followsLinks
        self.isMapped = isMapped
        self.timeLimit = timeLimit
    }

    package func waiting(atMost timeLimit: Duration?) -> any ByteSource {
        FileSource(path, followsLinks: followsLinks, isMapped: true, timeLimit: timeLimit)
    }

    public var name: String { path.string }
    /// Includes ``followsLinks``, so that a request that does not follow links never shares a file reached through
    /// one.
    public var identity: InputIdentity { InputIdentity("\(followsLinks ? "file" : "file itself"):\(path)") }

    public var isLocal: Bool { true }

    /// Reads the file's status; its version is the file's identity, size and modification time. Small files are read
    /// at once.
    ///
    /// - Throws: `TexelError`; a link that is not followed is `cannotRead`.
    public func open(limits: Limits) async throws(TexelError) -> OpenedBytes {
        try await WorkerPool.files.run(bytes: 0) { () throws(TexelError) in
            guard let status = FileStatus(path, followsLinks: followsLinks) else {
                throw .unreadable(path, .current)
            }
            if status.isLink { throw .cannotRead(path, .tooManySymbolicLinkLevels) }
            if status.isDirectory { throw .isDirectory(path) }
            // A pipe can be read only once, and its bytes may take any time to arrive.
            guard status.isRegular else {
                let delivery = StreamDelivery(timeLimit: timeLimit) { bytes, stop throws(TexelError) in
                    try InputReader.read(path, into: bytes, followsLinks: followsLinks, stop: stop)
                }
                return OpenedBytes(version: nil, count: nil, deliver: delivery.deliver)
            }
            let version = version(status)
            let read = { @Sendable () throws(TexelError) -> (bytes: InputBytes, version: InputIdentity?) in
                let bytes =
                    try isMapped && status.byteCount > OpenedBytes.smallCount
                    ? InputReader.mapped(path, limit: limits.inputBytes, followsLinks: followsLinks)
                    : InputReader.read(path, limit: limits.inputBytes, followsLinks: followsLinks)
                // The file may have been written to meanwhile.
                let isSame = FileStatus(path, followsLinks: followsLinks).map { self.version($0) == version } ?? false
                return (bytes, isSame ? version : nil)
            }
            guard status.byteCount > OpenedBytes.smallCount else {
                let (bytes, version) = try read()
                return OpenedBytes(version: version, small: bytes)
            }
            return OpenedBytes(version: version, count: status.byteCount, reading: read)
        }
    }

    private func version(_ status: FileStatus) -> InputIdentity {
        InputIdentity("file:\(path):\(status.version)")
    }
}
