public import SystemPackage
public import TexelCodecs

/// A file on a disk.
public struct FileSource: ByteSource {
    public let path: FilePath

    public init(_ path: FilePath) { self.path = path }

    public var name: String { path.string }
    public var identity: InputIdentity { InputIdentity("file:\(path)") }

    public var isLocal: Bool { true }

    /// The version is which file it is, how long, and when it was changed last.
    public func open(limits: Limits) async throws(PipelineError) -> OpenedBytes {
        try await WorkerPool.files.run(bytes: 0) { () throws(PipelineError) in
            guard let status = FileStatus(path) else { throw .file(.missing(path)) }
            if status.isDirectory { throw .file(.isDirectory(path)) }
            // What a pipe holds is gone once it was read.
            let version = status.isRegular ? InputIdentity("file:\(path):\(status.version)") : nil
            let count = status.isRegular ? status.byteCount : nil
            return OpenedBytes(version: version, count: count) { () throws(PipelineError) in
                try InputReader.read(path, limit: limits.inputBytes)
            }
        }
    }
}
