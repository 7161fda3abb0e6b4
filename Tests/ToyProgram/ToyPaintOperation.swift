import TexelOperations
import TexelPixels

/// An operation with two parameters: one of several names, and a number that requires it.
struct ToyPaintOperation: RowOperation {
    let mask: UInt32
    let color: UInt32

    static var options: OperationOptions {
        let (channel, level) = (ParameterKey<String>("toy-paint"), ParameterKey<Int>("toy-level"))
        let shifts: [String: UInt32] = ["blue": 0, "green": 8, "red": 16]
        let parameters = [
            Parameter(channel, oneOf: ["red", "green", "blue"], help: "Set this colour of all pixels."),
            Parameter(level, in: 0...255, help: "Its value, 0 to 255.").defaulting(to: "255").requiring(
                oneOf: "toy-paint"),
        ]
        return OperationOptions(parameters) { values in
            guard let shift = values[channel].flatMap({ shifts[$0] }) else { return [] }
            let color = UInt32(values[level] ?? 255) << shift
            return [PixelOperation(ToyPaintOperation(mask: ~(0xFF << shift), color: color))]
        }
    }

    func render(row y: Int, of source: ImageRows, into pixels: inout MutableSpan<UInt32>) {
        for x in pixels.indices { pixels[x] = source[x, y] & mask | color }
    }
}
