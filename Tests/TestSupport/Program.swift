import Foundation

/// External programs that some tests compare with, and programs of this package.
public enum Program {
    public static let ffmpeg = find("ffmpeg")
    public static let ffprobe = find("ffprobe")

    /// Returns the path of a program in PATH; `nil` if it is not installed.
    public static func find(_ name: String) -> String? {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Returns the path of a program next to the test bundle.
    public static func built(_ name: String) -> String {
        let own =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
        return URL(fileURLWithPath: own).deletingLastPathComponent().appendingPathComponent(name).path
    }

    public struct Failed: Error {
        public let arguments: [String]
        /// The exit status; `nil` if the program is not installed.
        public var status: Int32?
        public var errors = ""
    }

    /// Runs a program to its end and returns its standard output.
    ///
    /// - Throws: ``Failed`` if the status is not 0.
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
