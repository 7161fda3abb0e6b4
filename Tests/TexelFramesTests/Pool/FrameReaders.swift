import Foundation
import TestSupport

@testable import TexelFrames

/// The readers of `Examples/`, run beside a live producer.
enum FrameReaders {
    static let compiler = program("cc")
    static let python = program("python3")

    /// A program on PATH.
    private static func program(_ name: String) -> URL? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return folders.map { URL(fileURLWithPath: "\($0)/\(name)") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }

    private static func file(_ path: String) -> String { TestFolders.root.appendingPathComponent(path).path }

    /// The reader in C, built as its first lines say.
    static func compiledReader(in directory: TemporaryDirectory) throws -> URL {
        let output = directory("frame_reader")
        let child = try RunningReader(
            compiler.orFail(),
            ["-O2", "-Wall", "-Wextra", "-Werror", "-I", file("Sources/CFrameRing/include")]
                + [file("Examples/frame_reader.c"), "-o", output])
        guard child.wait() == 0 else { throw MissingValue() }
        return URL(fileURLWithPath: output)
    }

    /// The program and its first arguments.
    static func commands(in directory: TemporaryDirectory) throws -> [(URL, [String])] {
        var commands: [(URL, [String])] = []
        if compiler != nil { commands.append((try compiledReader(in: directory), [])) }
        if let python { commands.append((python, [file("Examples/frame_reader.py")])) }
        return commands
    }
}

/// A child process whose output is read line by line.
final class RunningReader {
    private let process = Process()
    private let output = Pipe()

    init(_ program: URL, _ arguments: [String]) throws {
        process.executableURL = program
        process.arguments = arguments
        process.standardOutput = output
        try process.run()
    }

    var isRunning: Bool { process.isRunning }

    /// The next line; `nil` at the end.
    func line() -> String? {
        var bytes: [UInt8] = []
        while let byte = try? output.fileHandleForReading.read(upToCount: 1)?.first {
            if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
        return nil
    }

    /// All lines to come.
    func lines() -> [String] {
        var lines: [String] = []
        while let line = line() { lines.append(line) }
        return lines
    }

    func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }

    /// The code with which it ended, or the signal that ended it.
    func wait() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }
}

/// What a reader prints of a frame.
struct ReportedFrame: Equatable {
    var number: Int
    var size: String
    var checksum: String

    init?(_ line: String) {
        let parts = line.split(separator: " ")
        guard parts.count == 4, let number = Int(parts[0]) else { return nil }
        self.number = number
        size = String(parts[1])
        checksum = String(parts[3])
    }

    /// What it must print of a numbered frame: RFC 1950's Adler-32, as of pixels that are all the same.
    init(number: Int, width: Int, height: Int) {
        self.number = number
        size = "\(width)x\(height)"
        let pixel = (0..<4).map { UInt32(truncatingIfNeeded: number >> ($0 * 8)) & 255 }
        var (a, b): (UInt32, UInt32) = (1, 0)
        for _ in 0..<width * height {
            for byte in pixel {
                a = (a + byte) % 65521
                b = (b + a) % 65521
            }
        }
        checksum = String(b << 16 | a, radix: 16)
        checksum = String(repeating: "0", count: 8 - checksum.count) + checksum
    }
}
