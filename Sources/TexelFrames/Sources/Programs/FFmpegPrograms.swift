import PlatformLibc
public import SystemPackage

/// The paths of ffmpeg's programs.
public struct FFmpegPrograms: Sendable, Hashable {
    /// The path of ffmpeg, version 5.1 or later; `nil` if it is not installed.
    public var ffmpeg: FilePath?
    /// The path of ffprobe; `nil` if it is not installed.
    public var ffprobe: FilePath?

    /// Creates a value from the paths.
    public init(ffmpeg: FilePath?, ffprobe: FilePath?) {
        self.ffmpeg = ffmpeg
        self.ffprobe = ffprobe
    }

    /// The first ffmpeg and ffprobe on `PATH`.
    public static var onPath: FFmpegPrograms { FFmpegPrograms(ffmpeg: find("ffmpeg"), ffprobe: find("ffprobe")) }

    private static func find(_ name: String) -> FilePath? {
        let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
        return folders.split(separator: ":").lazy.map { FilePath(String($0)).appending(name) }
            .first { access($0.string, X_OK) == 0 }
    }
}
