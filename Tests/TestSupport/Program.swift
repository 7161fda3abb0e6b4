import Foundation

/// Programs of other people that some tests ask for a second opinion.
public enum Program {
    public static let ffmpeg = find("ffmpeg")
    public static let ffprobe = find("ffprobe")

    /// Where PATH leads to; `nil` where it does not.
    public static func find(_ name: String) -> String? {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    public struct Failed: Error {
        public let arguments: [String]
    }

    /// Runs a program to its end and returns its standard output.
    @discardableResult
    public static func run(_ path: String?, _ arguments: [String]) throws -> [UInt8] {
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
}
