public import SystemPackage
public import TexelCodecs

/// A file on a disk.
public struct FileSource: ByteSource {
    public let path: FilePath
    /// Whether the path may name a symbolic link. A server that takes names from strangers says no: what is in its
    /// folder is not meant to lead out of it.
    public let followsLinks: Bool

    public init(_ path: FilePath, followsLinks: Bool = true) {
        self.path = path
        self.followsLinks = followsLinks
    }

    public var name: String { path.string }
    /// Who does not follow links never shares what was found through one.
    public var identity: InputIdentity { InputIdentity("\(followsLinks ? "file" : "file itself"):\(path)") }

    public var isLocal: Bool { true }

    /// The version is which file it is, how long, and when it was changed last.
    ///
    /// - Throws: `PipelineError`; a link that is not followed is a file that cannot be read.
    public func open(limits: Limits) async throws(PipelineError) -> OpenedBytes {
        try await WorkerPool.files.run(bytes: 0) { () throws(PipelineError) in
            guard let status = FileStatus(path, followsLinks: followsLinks) else {
                throw .unreadable(path, .current)
            }
            if status.isLink { throw .file(.cannotRead(path, .tooManySymbolicLinkLevels)) }
            if status.isDirectory { throw .file(.isDirectory(path)) }
            // What a pipe holds is gone once it was read, and may be long in coming.
            guard status.isRegular else { return OpenedBytes(version: nil, count: nil, deliver: deliver) }
            let version = version(status)
            let read = { @Sendable () throws(PipelineError) -> (bytes: InputBytes, version: InputIdentity?) in
                let bytes = try InputReader.read(path, limit: limits.inputBytes, followsLinks: followsLinks)
                // Somebody may have written to it meanwhile.
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

    /// On a thread of its own, because nobody knows how long it takes.
    private func deliver(_ bytes: ArrivingBytes) async throws(PipelineError) {
        let (stop, waiter) = (StopToken(), Waiter<Void>())
        let thread = WorkerThread {
            waiter.resume(
                Result { () throws(PipelineError) in
                    try InputReader.read(path, into: bytes, followsLinks: followsLinks, stop: stop)
                })
        }
        guard let thread else { throw .codec(.outOfMemory) }
        thread.detach()
        let outcome = await withTaskCancellationHandler {
            await waiter.result()
        } onCancel: {
            stop.cancel()
        }
        try outcome.get()
    }
}
