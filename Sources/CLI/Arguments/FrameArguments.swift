import Texel
import TexelFrames

/// Frames per second: 30, 29.97 or 30000/1001.
struct RateArgument: ArgumentValue {
    static let expectation = "a rate such as 30, 29.97 or \"30000/1001\""

    let rate: FrameRate

    init?(argument: String) {
        let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
        let rate: FrameRate?
        if parts.count == 2 {
            guard let frames = Int(parts[0]), let seconds = Int(parts[1]) else { return nil }
            rate = FrameRate(frames, per: seconds)
        } else {
            // A decimal of at most nine digits, like a scale.
            guard let decimal = ScaleArgument(argument: argument), !argument.hasSuffix("%") else { return nil }
            rate = FrameRate(decimal.numerator, per: decimal.denominator)
        }
        guard let rate else { return nil }
        self.rate = rate
    }
}

/// The format of a stream of frames.
enum FrameStreamFormat: String, CaseIterable {
    case y4m, bgra, rgba, i420, nv12, mjpeg
}

/// The format in which frames are written: as one stream, a video, or as images.
enum FrameFormatArgument: Equatable, ArgumentValue, CustomStringConvertible {
    case stream(FrameStreamFormat)
    case video(VideoContainer)
    case image(ImageFormat)

    init?(argument: String) {
        let name = argument.lowercased()
        if let format = FrameStreamFormat(rawValue: name) {
            self = .stream(format)
        } else if let container = VideoContainer(fileExtension: name) {
            self = .video(container)
        } else if let format = FormatArgument<FormatByExtension>(argument: name)?.format {
            self = .image(format)
        } else {
            return nil
        }
    }

    /// The format of a file's extension.
    init?(fileExtension: String) {
        switch fileExtension.lowercased() {
        case "mjpg": self = .stream(.mjpeg)
        case "yuv": self = .stream(.i420)
        case let name: self.init(argument: name)
        }
    }

    static var names: [String] {
        FrameStreamFormat.allCases.map(\.rawValue) + VideoContainer.allCases.map(\.rawValue)
            + CodecRegistry.shared.writableFormats.map(\.rawValue)
    }

    var description: String {
        switch self {
        case .stream(let format): format.rawValue
        case .video(let container): container.rawValue
        case .image(let format): format.rawValue
        }
    }
}

/// The chroma subsampling of Y4M and of images.
enum FrameSubsampling: String, NamedArgument {
    case auto
    case yuv444 = "444"
    case yuv422 = "422"
    case yuv420 = "420"
    case mono

    var ofY4M: ChromaSampling {
        switch self {
        case .auto, .yuv420: .yuv420
        case .yuv422: .yuv422
        case .yuv444: .yuv444
        case .mono: .none
        }
    }

    /// `nil` if images do not have this subsampling.
    var ofImages: ChromaSubsampling? { ChromaSubsampling(rawValue: rawValue) }
}

/// The form in which statistics are printed.
enum StatisticsMode: String, NamedArgument {
    case auto, text, json, none
}

extension QueuePolicy: NamedArgument {}
extension RawFrameFormat: NamedArgument {}
extension YUVMatrix: NamedArgument {}
extension YUVRange: NamedArgument {}
