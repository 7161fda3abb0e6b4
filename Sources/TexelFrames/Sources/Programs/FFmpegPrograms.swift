public import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Where ffmpeg's programs are; `nil` where one is not installed.
public struct FFmpegPrograms: Sendable, Hashable {
    /// Version 5.1 or later.
    public var ffmpeg: FilePath?
    public var ffprobe: FilePath?

    public init(ffmpeg: FilePath?, ffprobe: FilePath?) {
        self.ffmpeg = ffmpeg
        self.ffprobe = ffprobe
    }

    /// The first on PATH.
    public static var onPath: FFmpegPrograms { FFmpegPrograms(ffmpeg: find("ffmpeg"), ffprobe: find("ffprobe")) }

    private static func find(_ name: String) -> FilePath? {
        let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
        return folders.split(separator: ":").lazy.map { FilePath(String($0)).appending(name) }
            .first { access($0.string, X_OK) == 0 }
    }
}
