import TestSupport

extension TemporaryDirectory {
    /// Makes a clip of a moving test pattern with ffmpeg.
    ///
    /// - Parameters:
    ///   - arguments: of ffmpeg, before the name of the output.
    ///   - inputs: the same, of more inputs.
    /// - Returns: the path of the clip.
    func clip(
        _ name: String, _ arguments: [String], size: String = "98x54", seconds: String = "0.4",
        filter: String = "null", inputs: [String] = []
    ) throws -> String {
        let path = self(name)
        let source = "testsrc2=s=\(size):r=25:d=\(seconds)"
        try Program.run(
            Program.ffmpeg,
            ["-y", "-v", "error", "-f", "lavfi", "-i", source] + inputs + ["-vf", filter, "-fps_mode", "passthrough"]
                + arguments + ["file:\(path)"])
        return path
    }
}
