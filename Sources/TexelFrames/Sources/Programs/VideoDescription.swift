import TexelPixels

/// The description of a video stream by ffprobe.
struct VideoDescription: Equatable {
    /// The pixel format of the decoded frames, by ffmpeg's name.
    var pixelFormat: String?
    var size: PixelSize?
    var rate: FrameRate?
    /// The tick of the stream's clock in seconds, such as `1/90000`.
    var timeBase: String?
    var matrix: String?
    var range: YUVRange?

    /// The fields that ffprobe is asked for; each is output on one line.
    static let entries = "stream=pix_fmt,width,height,avg_frame_rate,r_frame_rate,time_base,color_space,color_range"

    /// Parses ffprobe's output.
    ///
    /// - Parameter lines: Lines of the form `key=value`; a missing key or the value `unknown` means not known.
    init(_ lines: some Sequence<String>) {
        var values: [Substring: String] = [:]
        for line in lines {
            guard let separator = line.firstIndex(of: "=") else { continue }
            values[line[..<separator]] = String(line[line.index(after: separator)...])
        }
        pixelFormat = values["pix_fmt"].flatMap { $0 == "unknown" ? nil : $0 }
        if let width = values["width"].flatMap({ Int($0) }), let height = values["height"].flatMap({ Int($0) }) {
            size = PixelSize(width: width, height: height)
        }
        rate =
            values["avg_frame_rate"].flatMap { FrameRate(fraction: $0) }
            ?? values["r_frame_rate"].flatMap { FrameRate(fraction: $0) }
        // Validated as a fraction, like a rate.
        timeBase = values["time_base"].flatMap { FrameRate(fraction: $0) == nil ? nil : $0 }
        matrix = values["color_space"]
        range = values["color_range"] == "pc" ? .full : values["color_range"] == "tv" ? .limited : nil
    }
}
