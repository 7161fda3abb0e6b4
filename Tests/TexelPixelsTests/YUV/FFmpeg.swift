import TestSupport

/// The `ffmpeg` program, with which conversions are compared.
enum FFmpeg {
    /// A raw image to be converted to another pixel format.
    struct Conversion {
        var bytes: [UInt8]
        var format: String
        /// As `320x180`.
        var size: String
        var result: String
        /// `in` if the input is YUV, `out` if the output is.
        var side: String
        var matrix: String
        var range: String
    }

    /// Converts images as accurately as ffmpeg can, all in one run, because starting it takes most of the time.
    static func convert(_ conversions: [Conversion]) throws -> [[UInt8]] {
        // Files instead of pipes, so that nothing has to be written while output is read.
        let folder = try TemporaryDirectory()
        var inputs: [String] = []
        var outputs: [String] = []
        for (index, conversion) in conversions.enumerated() {
            let file = try folder.add("\(index).in", conversion.bytes)
            inputs += ["-f", "rawvideo", "-pix_fmt", conversion.format, "-s", conversion.size, "-i", file]
            let colors =
                "\(conversion.side)_color_matrix=\(conversion.matrix):\(conversion.side)_range=\(conversion.range)"
            let scale = "scale=\(colors):flags=bicubic+accurate_rnd+full_chroma_int+full_chroma_inp"
            outputs += ["-map", "\(index):v", "-vf", scale, "-pix_fmt", conversion.result, "-f", "rawvideo"]
            outputs.append(folder("\(index).out"))
        }
        try Program.run(Program.ffmpeg, ["-v", "error", "-nostdin"] + inputs + outputs)
        return try conversions.indices.map { try folder.bytes("\($0).out") }
    }
}
