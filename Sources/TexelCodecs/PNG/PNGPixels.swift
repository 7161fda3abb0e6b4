import TexelPixels

/// What a PNG is written from.
enum PNGPixels: Sendable {
    /// Straight or opaque pixels of eight bits a channel.
    case buffer(PixelBuffer)
    /// Samples of another file, which keep their depth.
    case samples(PNGSamples)

    var size: PixelSize {
        switch self {
        case .buffer(let buffer): buffer.size
        case .samples(let samples): samples.size
        }
    }

    /// Colours that are neighbours; `nil` for samples, whose palettes keep their order.
    func neighbors(of colors: [UInt32]) -> ColorNeighbors? {
        if case .buffer(let buffer) = self { ColorNeighbors(buffer, colors: colors) } else { nil }
    }
}
