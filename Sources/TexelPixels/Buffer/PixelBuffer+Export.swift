/// The order in which a pixel's channels lie in memory.
public enum ChannelOrder: String, Sendable, Hashable, CaseIterable {
    case rgba, argb, bgra, abgr
    case rgb, bgr
    /// One byte: the luma of ITU-R BT.601, (19595 R + 38470 G + 7471 B + 32768) / 65536.
    case gray

    public var bytesPerPixel: Int {
        switch self {
        case .rgba, .argb, .bgra, .abgr: 4
        case .rgb, .bgr: 3
        case .gray: 1
        }
    }

    /// For each byte of a pixel, how far its channel is shifted in 0xAARRGGBB.
    fileprivate var shifts: [UInt32] {
        switch self {
        case .rgba: [16, 8, 0, 24]
        case .argb: [24, 16, 8, 0]
        case .bgra: [0, 8, 16, 24]
        case .abgr: [24, 0, 8, 16]
        case .rgb: [16, 8, 0]
        case .bgr: [0, 8, 16]
        case .gray: []
        }
    }
}

extension PixelBuffer {
    /// All pixels as bytes, row after row, without padding. The alpha mode stays; orders without alpha drop it.
    public func bytes(in order: ChannelOrder) -> [UInt8] {
        let shifts = order.shifts
        var bytes: [UInt8] = []
        bytes.reserveCapacity(width * height * order.bytesPerPixel)
        withUnsafePixels { pixels in
            for y in 0..<height {
                for pixel in pixels[(y * pixelsPerRow)..<(y * pixelsPerRow + width)] {
                    if order == .gray { bytes.append(Self.luma(of: pixel)) }
                    for shift in shifts { bytes.append(UInt8(truncatingIfNeeded: pixel >> shift)) }
                }
            }
        }
        return bytes
    }

    private static func luma(of pixel: UInt32) -> UInt8 {
        let (red, green, blue) = (pixel >> 16 & 255, pixel >> 8 & 255, pixel & 255)
        return UInt8((19595 * red + 38470 * green + 7471 * blue + 32768) >> 16)
    }
}
