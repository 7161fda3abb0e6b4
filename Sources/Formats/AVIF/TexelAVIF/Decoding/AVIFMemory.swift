import TexelCodecs
import TexelPixels

/// The memory that AV1 codecs need.
enum AVIFMemory {
    /// Returns the bytes of the planes of a frame with its alpha; cells of a grid are copied to the planes of the
    /// image.
    static func planes(of file: AVIFFile) -> Double {
        let configuration = file.configuration
        let samples = configuration.samplesPerPixel + (file.image.hasAlpha ? 1 : 0)
        return Double(file.declaredPixels) * samples * bytesPerSample(configuration.bitDepth)
            * (file.image.grid == nil ? 1 : 2)
    }

    static func bytesPerSample(_ bitDepth: Int) -> Double { bitDepth > 8 ? 2 : 1 }
}
