import Foundation

/// The `ffmpeg` program as a judge of conversions, where the machine has it.
enum FFmpeg {
    static let path: String? = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        .map { "\($0)/ffmpeg" }.first { FileManager.default.isExecutableFile(atPath: $0) }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Runs it with the arguments; what it finds on standard input, and what it writes to standard output.
    static func run(_ arguments: [String], input: [UInt8] = []) throws -> [UInt8] {
        guard let path else { throw Failure(description: "no ffmpeg on PATH") }
        // A file, not a pipe: nobody needs to write while we read.
        let folder = FileManager.default.temporaryDirectory
        let file = folder.appendingPathComponent("texel-ffmpeg-\(UUID().uuidString)")
        try Data(input).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let (process, output, errors) = (Process(), Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = ["-v", "error", "-nostdin"] + arguments.map { $0 == "INPUT" ? file.path : $0 } + ["pipe:1"]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        let said = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(description: String(decoding: said, as: UTF8.self))
        }
        return [UInt8](bytes)
    }

    /// One raw picture in another pixel format, converted as accurately as it can.
    ///
    /// - Parameter side: `in` where the input is YUV, `out` where the output is.
    static func convert(
        _ input: [UInt8], _ format: String, size: String, to result: String, side: String, matrix: String, range: String
    ) throws -> [UInt8] {
        let flags = "bicubic+accurate_rnd+full_chroma_int+full_chroma_inp"
        let scale = "scale=\(side)_color_matrix=\(matrix):\(side)_range=\(range):flags=\(flags)"
        return try run(
            [
                "-f", "rawvideo", "-pix_fmt", format, "-s", size, "-i", "INPUT", "-vf", scale, "-pix_fmt", result,
                "-f", "rawvideo",
            ], input: input)
    }
}
