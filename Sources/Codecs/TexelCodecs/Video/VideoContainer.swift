/// A kind of video file that is written, by FFmpeg's name.
public enum VideoContainer: String, Sendable, Hashable, Codable, CaseIterable {
    /// H.264 in MPEG-4.
    case mp4
    /// H.264 in QuickTime.
    case mov
    /// H.264 in Matroska.
    case matroska
    /// VP9 in WebM.
    case webm

    /// The container of a file with an extension; `nil` for extensions of other files.
    public init?(fileExtension: String) {
        switch fileExtension.lowercased() {
        case "mkv": self = .matroska
        case "m4v": self = .mp4
        case let name: self.init(rawValue: name)
        }
    }
}
