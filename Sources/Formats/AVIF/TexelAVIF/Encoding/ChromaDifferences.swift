import CPixelKernels
import TexelPixels

/// The chroma components of BT.601 of an image's rows, at full resolution.
struct ChromaDifferences: Sendable {
    private let image: PixelBuffer
    private let factors: [[Int16]]

    init(_ image: PixelBuffer) {
        self.image = image
        let factors = RGBFactors(YUVColor(.bt601, .full))
        self.factors = [factors.u, factors.v].map { [$0.blue, $0.green, $0.red] }
    }

    /// Writes a row of a component, centred on zero, in units of 1/16.
    func read(_ component: Int, _ y: Int, into words: UnsafeMutablePointer<Int16>) {
        let kernel = texel_kernels_in_use().pointee.bgra_to_words_row
        image.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            let row = (base + y * image.bytesPerRow).assumingMemoryBound(to: UInt8.self)
            kernel(words, row, image.width, factors[component], 0, 4)
        }
    }
}
