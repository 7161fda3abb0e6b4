import Foundation

/// Programs of other people that some tests ask for a second opinion, and those that are built with the tests.
public enum Program {
    public static let ffmpeg = find("ffmpeg")
    public static let ffprobe = find("ffprobe")

    /// Where PATH leads to; `nil` where it does not.
    public static func find(_ name: String) -> String? {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// One that lies beside the test bundle.
    public static func built(_ name: String) -> String {
        let own =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
        return URL(fileURLWithPath: own).deletingLastPathComponent().appendingPathComponent(name).path
    }

    public struct Failed: Error {
        public let arguments: [String]
        /// How it ended; `nil` where it is missing.
        public var status: Int32?
        public var errors = ""
    }

    /// Runs a program to its end and returns its standard output.
    @discardableResult
    public static func run(_ path: String?, _ arguments: [String]) throws -> [UInt8] {
        guard let path else { throw Failed(arguments: arguments) }
        let outcome = try RunningProgram(path, arguments).wait()
        guard outcome.status == 0 else {
            throw Failed(arguments: arguments, status: outcome.status, errors: outcome.errors)
        }
        return outcome.output
    }
}
