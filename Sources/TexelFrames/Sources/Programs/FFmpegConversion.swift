import TexelPixels

/// Chooses the pixel format that ffmpeg outputs for a video, so that nothing is lost that Texel could display.
struct FFmpegConversion: Equatable {
    /// The pixel format by ffmpeg's name.
    var pixelFormat: String
    /// The scale filter that converts the colours; `nil` if the samples are passed unchanged.
    var filter: String?
    /// How Texel interprets the YUV samples; `nil` for BGRA.
    var color: YUVColor?

    private static let accurate = "flags=accurate_rnd+full_chroma_int+full_chroma_inp"

    /// Chooses the conversion for a video.
    ///
    /// - Parameters:
    ///   - video: ffprobe's description; `nil` if there is none.
    ///   - forced: The matrix and range that the caller insists on.
    init(for video: VideoDescription?, forced: YUVColor?) {
        guard let video, let name = video.pixelFormat else {
            self.init("yuv420p", "scale=out_range=limited:\(Self.accurate)", forced)
            return
        }
        let isFull = video.range.map { $0 == .full } ?? (name.hasPrefix("yuvj") || name.hasPrefix("gray"))
        let (matrix, matrixFilter) = Self.matrix(of: video)
        let color = forced ?? YUVColor(matrix, isFull ? .full : .limited)

        if Self.isRGBOrHasAlpha(name) {
            self.init("bgra", name.contains("bgr") || name.contains("rgb") ? nil : "scale=\(Self.accurate)", nil)
        } else if name.hasPrefix("mono") {
            self.init("gray", nil, YUVColor(matrix, .full))
        } else if Self.passing.contains(name) {
            self.init(name, matrixFilter.map { "scale=\($0):\(Self.accurate)" }, color)
        } else {
            let range = isFull ? "full" : "limited"
            let ranges = "in_range=\(range):out_range=\(range)"
            self.init(
                Self.nearest(name), "scale=\(matrixFilter.map { "\($0):" } ?? "")\(ranges):\(Self.accurate)", color)
        }
    }

    private init(_ pixelFormat: String, _ filter: String?, _ color: YUVColor?) {
        self.pixelFormat = pixelFormat
        self.filter = filter
        self.color = color
    }

    /// The formats that Texel reads unchanged; those with a j have full range.
    private static let passing: Set = [
        "yuv420p", "yuv422p", "yuv444p", "yuvj420p", "yuvj422p", "yuvj444p", "nv12", "gray",
    ]

    private static func isRGBOrHasAlpha(_ name: String) -> Bool {
        ["rgb", "bgr", "gbr", "pal8", "yuva", "ayuv", "vuya", "ya8", "ya16", "bayer", "xyz"].contains {
            name.contains($0)
        }
    }

    /// The 8-bit format with at least the chroma resolution of the source.
    private static func nearest(_ name: String) -> String {
        if name.hasPrefix("gray") { return "gray" }
        func has(_ parts: String...) -> Bool { parts.contains { name.contains($0) } }
        if has("444", "440", "nv24", "nv42", "p410", "p416", "xv30", "xv36", "vuyx") { return "yuv444p" }
        if has("422", "411", "nv16", "nv20", "p210", "p216", "y210", "y212") { return "yuv422p" }
        return "yuv420p"
    }

    /// The matrix that Texel applies, and the filter with which ffmpeg converts other matrices to it.
    private static func matrix(of video: VideoDescription) -> (YUVMatrix, filter: String?) {
        switch video.matrix {
        case "bt709": (.bt709, nil)
        case "smpte170m", "bt470bg", "fcc": (.bt601, nil)
        case "bt2020nc", "bt2020c": (.bt709, "in_color_matrix=bt2020:out_color_matrix=bt709")
        case "smpte240m": (.bt709, "in_color_matrix=smpte240m:out_color_matrix=bt709")
        default: ((video.size?.height ?? 0) < 720 ? .bt601 : .bt709, nil)
        }
    }
}
