import Foundation
import TestSupport

@testable import TexelFrames

/// The example readers of `Examples/`, run against a live producer.
enum FrameReaders {
    static let compiler = Program.find("cc")
    static let python = Program.find("python3")

    private static func file(_ path: String) -> String { TestFolders.root.appendingPathComponent(path).path }

    /// Builds the C reader as its header comment describes.
    static func compiledReader(in directory: TemporaryDirectory) throws -> String {
        let output = directory("frame_reader")
        try Program.run(
            compiler,
            ["-O2", "-Wall", "-Wextra", "-Werror", "-I", file("Sources/Frames/CFrameRing/include")]
                + [file("Examples/frame_reader.c"), "-o", output])
        return output
    }

    /// The commands of all available readers.
    static func commands(in directory: TemporaryDirectory) throws -> [(String, [String])] {
        var commands: [(String, [String])] = []
        if compiler != nil { commands.append((try compiledReader(in: directory), [])) }
        if let python { commands.append((python, [file("Examples/frame_reader.py")])) }
        return commands
    }
}

/// The line that a reader prints for a frame.
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

    /// The expected line for a numbered frame, with the Adler-32 checksum (RFC 1950) of its uniform pixels.
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
