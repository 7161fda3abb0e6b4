import BenchmarkPictures
import Texel

/// `OperationTimer OPERATION COUNT`: carries an operation out on a synthetic image of 12 megapixels in memory, on one
/// thread, and prints the milliseconds of each run, one per line, without the first, which warms up.
@main
struct OperationTimer {
    private static let size = PixelSize(width: 4000, height: 3000)

    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count == 2, let count = Int(arguments[2]), count > 0,
            let operations = try operations(arguments[1])
        else {
            print("usage: OperationTimer blur-2|blur-20|sharpen|colours|overlay COUNT")
            return
        }
        let image = try PixelBuffer.drawn(size, alphaMode: .opaque)
        let clock = ContinuousClock()
        for run in 0...count {
            let start = clock.now
            let result = try image.applying(operations)
            let duration = start.duration(to: clock.now)
            precondition(result.size == size)
            if run > 0 { print(duration / .milliseconds(1)) }
        }
    }

    /// The operations of a name, with the parameters that peers/operations.py has.
    private static func operations(_ name: String) throws -> [PixelOperation]? {
        switch name {
        case "blur-2": [.blur(sigma: 2)]
        case "blur-20": [.blur(sigma: 20)]
        case "sharpen": [.sharpen(amount: 1, radius: 2)]
        case "colours":
            [
                .colorMatrix(ColorMatrix([0.9, 0.1, 0, 0, 0.05, 0.9, 0.05, 0, 0, 0.1, 0.9, 0]) ?? .identity),
                .curves(all: [CurvePoint(0, 0), CurvePoint(128, 150), CurvePoint(255, 255)]), .saturation(1.3),
            ]
        case "overlay":
            [.overlay(OverlayOptions(try OverlayImage(try .drawn(size, alphaMode: .straight)), opacity: 0.8))]
        default: nil
        }
    }
}
