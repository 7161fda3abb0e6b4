/// The order of a pixel's channels in memory.
public enum ChannelOrder: String, Sendable, Hashable, CaseIterable {
    case rgba, argb, bgra, abgr
    case rgb, bgr
    /// One byte: the luma of ITU-R BT.601, (19595 R + 38470 G + 7471 B + 32768) / 65536.
    case gray

    /// The bytes of a pixel: 4, 3 or 1.
    public var bytesPerPixel: Int {
        switch self {
        case .rgba, .argb, .bgra, .abgr: 4
        case .rgb, .bgr: 3
        case .gray: 1
        }
    }

    /// The position of each byte's channel in 0xAARRGGBB, as a shift in bits.
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
    /// Returns all pixels as bytes, row by row, without padding. Alpha is copied as it is, or dropped by orders without
    /// it.
    public func bytes(in order: ChannelOrder) -> [UInt8] {
        let shifts = order.shifts
        var bytes: [UInt8] = []
        bytes.reserveCapacity(width * height * order.bytesPerPixel)
        withUnsafePixels { pixels in
            for y in 0..<height {
                for pixel in pixels[(y * pixelsPerRow)..<(y * pixelsPerRow + width)] {
                    if order == .gray { bytes.append(Luma.of(pixel)) }
                    for shift in shifts { bytes.append(UInt8(truncatingIfNeeded: pixel >> shift)) }
                }
            }
        }
        return bytes
    }
}
