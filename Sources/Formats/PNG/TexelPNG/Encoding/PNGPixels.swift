import TexelCodecs
import TexelPixels

/// The source of a PNG's pixels.
enum PNGPixels: Sendable {
    /// Straight or opaque pixels with eight bits per channel.
    case buffer(PixelBuffer)
    /// The rows received so far.
    case window(PNGRowWindow)
    /// Samples of another PNG, which keep their bit depth.
    case samples(PNGSamples)

    var size: PixelSize {
        switch self {
        case .buffer(let buffer): buffer.size
        case .window(let window): window.size
        case .samples(let samples): samples.size
        }
    }

    /// Counts the adjacent colours; `nil` unless all pixels are in memory.
    func neighbors(of colors: [UInt32]) -> ColorNeighbors? {
        if case .buffer(let buffer) = self { ColorNeighbors(buffer, colors: colors) } else { nil }
    }
}
