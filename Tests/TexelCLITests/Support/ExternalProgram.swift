import Foundation

/// Programs that some tests ask for a second opinion.
enum ExternalProgram {
    static let ffmpeg = find("ffmpeg")

    struct Failed: Error {
        let arguments: [String]
    }

    private static func find(_ name: String) -> String? {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
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
}
