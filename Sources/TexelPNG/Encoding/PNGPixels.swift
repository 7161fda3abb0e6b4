import TexelCodecs
import TexelPixels

/// The source of a PNG's pixels.
enum PNGPixels: Sendable {
    /// Straight or opaque pixels with eight bits per channel.
    case buffer(PixelBuffer)
    /// Samples of another PNG, which keep their bit depth.
    case samples(PNGSamples)

    var size: PixelSize {
        switch self {
        case .buffer(let buffer): buffer.size
        case .samples(let samples): samples.size
        }
    }

    /// Counts the adjacent colours; `nil` for samples, whose palettes are not reordered.
    func neighbors(of colors: [UInt32]) -> ColorNeighbors? {
        if case .buffer(let buffer) = self { ColorNeighbors(buffer, colors: colors) } else { nil }
    }
}
