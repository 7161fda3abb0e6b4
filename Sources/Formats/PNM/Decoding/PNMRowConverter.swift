import CPixelKernels

/// Converts rows of 8-bit samples to BGRA32 pixels.
struct PNMRowConverter {
    private let channels: PNMHeader.Channels
    private let depth: Int
    private let kernels: texel_kernels

    init(_ header: PNMHeader) {
        (channels, depth) = (header.channels, header.depth)
        kernels = texel_kernels_in_use().pointee
    }

    /// - Parameters:
    ///   - samples: `depth` samples for each pixel.
    ///   - row: receives the pixels.
    func convert(_ samples: UnsafeBufferPointer<UInt8>, into row: UnsafeMutableBufferPointer<UInt32>) {
        guard samples.count == row.count * depth, let source = samples.baseAddress, let pixels = row.baseAddress else {
            return
        }
        if depth == channels.rawValue, channels == .rgb || channels == .rgba {
            return pixels.withMemoryRebound(to: UInt8.self, capacity: 4 * row.count) { bytes in
                if channels == .rgb {
                    kernels.unpack_rgb_row(bytes, source, row.count)
                } else {
                    kernels.pack_rgba_row(bytes, source, row.count)
                }
            }
        }
        switch channels {
        case .gray: for x in 0..<row.count { pixels[x] = Self.gray(source[x * depth], 255) }
        case .grayAlpha:
            for x in 0..<row.count { pixels[x] = Self.gray(source[x * depth], source[x * depth + 1]) }
        case .rgb, .rgba:
            for x in 0..<row.count {
                let pixel = source + x * depth
                let alpha = channels == .rgba ? UInt32(pixel[3]) : 255
                pixels[x] = alpha << 24 | UInt32(pixel[0]) << 16 | UInt32(pixel[1]) << 8 | UInt32(pixel[2])
            }
        }
    }

    private static func gray(_ sample: UInt8, _ alpha: UInt8) -> UInt32 {
        UInt32(alpha) << 24 | UInt32(sample) * 0x1_0101
    }
}
