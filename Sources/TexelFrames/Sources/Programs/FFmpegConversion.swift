import TexelPixels

/// Chooses the pixel format that FFmpeg outputs for a video, so that nothing is lost that Texel could display.
struct FFmpegConversion: Equatable {
    /// The pixel format by FFmpeg's name.
    var pixelFormat: String
    /// How samples are converted; `nil` if those of this pixel format are passed unchanged.
    var colors: Colors?
    /// How Texel interprets the YUV samples; `nil` for BGRA.
    var color: YUVColor?

    /// A conversion of samples. What is `nil` is that of the input, or follows from the pixel format.
    struct Colors: Equatable {
        /// The matrices by FFmpeg's names.
        var matrices: Matrices?
        var inputRange: YUVRange?
        var outputRange: YUVRange?

        struct Matrices: Equatable {
            var input: String
            var output: String
        }

        /// FFmpeg's scale filter that does this, with exact rounding and interpolated chroma.
        var filter: String {
            func name(_ range: YUVRange) -> String { range == .full ? "full" : "limited" }
            var options: [String] = []
            if let matrices {
                options += ["in_color_matrix=\(matrices.input)", "out_color_matrix=\(matrices.output)"]
            }
            if let inputRange { options.append("in_range=\(name(inputRange))") }
            if let outputRange { options.append("out_range=\(name(outputRange))") }
            options.append("flags=accurate_rnd+full_chroma_int+full_chroma_inp")
            return "scale=" + options.joined(separator: ":")
        }
    }

    /// Chooses the conversion for a video.
    ///
    /// - Parameters:
    ///   - video: ffprobe's description; `nil` if there is none.
    ///   - forced: The matrix and range that the caller insists on.
    init(for video: VideoDescription?, forced: YUVColor?) {
        guard let video, let name = video.pixelFormat else {
            self.init("yuv420p", Colors(outputRange: .limited), forced)
            return
        }
        let isFull = video.range.map { $0 == .full } ?? (name.hasPrefix("yuvj") || name.hasPrefix("gray"))
        let (matrix, matrices) = Self.matrix(of: video)
        let color = forced ?? YUVColor(matrix, isFull ? .full : .limited)

        if Self.isRGBOrHasAlpha(name) {
            self.init("bgra", name.contains("bgr") || name.contains("rgb") ? nil : Colors(), nil)
        } else if name.hasPrefix("mono") {
            self.init("gray", nil, YUVColor(matrix, .full))
        } else if Self.passing.contains(name) {
            self.init(name, matrices.map { Colors(matrices: $0) }, color)
        } else {
            let range: YUVRange = isFull ? .full : .limited
            self.init(
                Self.nearest(name), Colors(matrices: matrices, inputRange: range, outputRange: range), color)
        }
    }

    /// How Texel interprets the samples, with the matrix and range that the caller insists on.
    func color(overriddenBy options: StreamOptions) -> YUVColor? {
        color.map { color in
            options.color ?? YUVColor(options.matrix ?? color.matrix, options.range ?? color.range)
        }
    }

    private init(_ pixelFormat: String, _ colors: Colors?, _ color: YUVColor?) {
        self.pixelFormat = pixelFormat
        self.colors = colors
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

    /// The matrix that Texel applies, and the conversion of other matrices to it.
    private static func matrix(of video: VideoDescription) -> (YUVMatrix, Colors.Matrices?) {
        switch video.matrix {
        case "bt709": (.bt709, nil)
        case "smpte170m", "bt470bg", "fcc": (.bt601, nil)
        case "bt2020nc", "bt2020c": (.bt709, Colors.Matrices(input: "bt2020", output: "bt709"))
        case "smpte240m": (.bt709, Colors.Matrices(input: "smpte240m", output: "bt709"))
        default: ((video.size?.height ?? 0) < 720 ? .bt601 : .bt709, nil)
        }
    }
}
