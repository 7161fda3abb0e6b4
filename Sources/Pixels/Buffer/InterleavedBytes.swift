import CPixelKernels

/// Rows of pixels as files store them: samples of a byte, those of a pixel one after another.
package struct InterleavedBytes: Sendable {
    /// The samples of a pixel that are used, in order; the raw value is their number.
    package enum Channels: Int, Sendable {
        case gray = 1
        case grayAlpha = 2
        case rgb = 3
        case rgba = 4

        package var hasAlpha: Bool { self == .grayAlpha || self == .rgba }
    }

    private let channels: Channels
    private let step: Int
    private let kernels = texel_kernels_in_use().pointee

    /// - Parameter step: the number of samples of a pixel, of which the first ones are used; `nil` for those of
    ///   `channels` alone.
    package init(_ channels: Channels, step: Int? = nil) {
        self.channels = channels
        self.step = step ?? channels.rawValue
    }

    /// Converts a row to BGRA: with straight alpha, or opaque without alpha.
    ///
    /// - Parameters:
    ///   - samples: `count` × step samples.
    ///   - pixels: receives `count` pixels.
    package func convert(_ samples: UnsafePointer<UInt8>, count: Int, into pixels: UnsafeMutablePointer<UInt32>) {
        let bytes = UnsafeMutableRawPointer(pixels).assumingMemoryBound(to: UInt8.self)
        switch channels {
        case .rgb where step == 3: kernels.unpack_rgb_row(bytes, samples, count)
        case .rgba where step == 4: kernels.pack_rgba_row(bytes, samples, count)
        case .gray: for x in 0..<count { pixels[x] = 0xFF00_0000 | UInt32(samples[x * step]) &* 0x1_0101 }
        case .grayAlpha:
            for x in 0..<count {
                pixels[x] = UInt32(samples[x * step + 1]) << 24 | UInt32(samples[x * step]) &* 0x1_0101
            }
        case .rgb, .rgba:
            for x in 0..<count {
                let pixel = samples + x * step
                let alpha = channels == .rgba ? pixel[3] : 255
                pixels[x] = PixelColor(red: pixel[0], green: pixel[1], blue: pixel[2], alpha: alpha).pixel
            }
        }
    }
}
