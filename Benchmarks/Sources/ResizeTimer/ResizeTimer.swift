import BenchmarkPictures
import Texel

/// `ResizeTimer WIDTHxHEIGHT WIDTHxHEIGHT opaque|straight COUNT`: resizes a synthetic image in memory with Lanczos-3 on
/// one thread, and prints the milliseconds of each run, one per line, without the first, which warms up.
@main
struct ResizeTimer {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count == 4, let source = size(arguments[1]), let target = size(arguments[2]),
            let alphaMode = AlphaMode(named: arguments[3]), let count = Int(arguments[4]), count > 0
        else {
            print("usage: ResizeTimer 4928x3279 852x567 opaque|straight COUNT")
            return
        }
        let image = try PixelBuffer.drawn(source, alphaMode: alphaMode)
        let clock = ContinuousClock()
        for run in 0...count {
            let start = clock.now
            let resized = try image.resized(to: target)
            let duration = start.duration(to: clock.now)
            precondition(resized.size == target)
            if run > 0 { print(duration / .milliseconds(1)) }
        }
    }

    private static func size(_ text: String) -> PixelSize? {
        let sides = text.split(separator: "x").compactMap { Int($0) }
        return sides.count == 2 ? PixelSize(width: sides[0], height: sides[1]) : nil
    }
}

extension AlphaMode {
    fileprivate init?(named name: String) {
        switch name {
        case "opaque": self = .opaque
        case "straight": self = .straight
        default: return nil
        }
    }
}
