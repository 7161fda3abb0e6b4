import Foundation

/// Programs that some tests need.
enum Program {
    static let ffmpeg = find("ffmpeg")
    static let ffprobe = find("ffprobe")

    static func find(_ name: String) -> String? {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    struct Failed: Error {
        let arguments: [String]
    }

    /// Runs a program to its end and returns its standard output.
    @discardableResult
    static func run(_ path: String?, _ arguments: [String]) throws -> [UInt8] {
        guard let path else { throw Failed(arguments: arguments) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let bytes = [UInt8](output.fileHandleForReading.readDataToEndOfFile())
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failed(arguments: arguments) }
        return bytes
    }

    /// The times of a file's frames from the file's beginning on, as ffprobe tells them, in microseconds.
    static func frameTimes(_ path: String) throws -> [Int] {
        func numbers(_ entry: String) throws -> [Double] {
            let arguments = ["-v", "error", "-select_streams", "v:0", "-show_entries", entry, "-of", "csv=p=0", path]
            let text = String(decoding: try run(ffprobe, arguments), as: UTF8.self)
            return text.split(whereSeparator: { $0 == "\n" || $0 == "," }).compactMap { Double($0) }
        }
        let start = try numbers("format=start_time").first ?? 0
        return try numbers("frame=pts_time").map { Int((($0 - start) * 1_000_000).rounded()) }
    }
}

extension Duration {
    /// Rounded.
    var microseconds: Int {
        let (seconds, attoseconds) = components
        return Int(seconds) * 1_000_000 + Int((Double(attoseconds) / 1e12).rounded())
    }
}
