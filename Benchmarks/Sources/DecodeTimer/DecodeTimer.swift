import Foundation
import Texel

/// `DecodeTimer FILE THREADS COUNT`: decodes an image from memory to BGRA pixels, as it is stored, on at most so many
/// threads, and prints the milliseconds of each run, one per line, without the first, which warms up.
@main
struct DecodeTimer {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count == 3, let threads = Int(arguments[2]), threads > 0, let count = Int(arguments[3]),
            count > 0
        else {
            print("usage: DecodeTimer FILE THREADS COUNT")
            return
        }
        let file = InputBytes(try Data(contentsOf: URL(filePath: arguments[1])))
        var options = DecodeOptions()
        options.parallelism = threads
        let clock = ContinuousClock()
        for run in 0...count {
            let start = clock.now
            let source = try CodecRegistry.shared.open(file, limits: options.policy.limits)
            let decoded = try source.decodedAsStored(options)
            let duration = start.duration(to: clock.now)
            precondition(decoded.image.size == source.info.size)
            if run > 0 { print(duration / .milliseconds(1)) }
        }
    }
}
