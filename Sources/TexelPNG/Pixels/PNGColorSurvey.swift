import TexelCodecs
import TexelPixels

/// The properties of all pixels that decide how they may be stored.
struct PNGColorSurvey {
    private(set) var isOpaque = true
    /// Whether all pixels are opaque or fully transparent, and all transparent ones have the same colour.
    private(set) var hasOneTransparentColor = true
    /// The colour of the transparent pixels, if it can be the colour key.
    private(set) var transparent: UInt32?
    private(set) var isGray = true
    /// The smallest bit depth that stores all grey values exactly.
    private(set) var grayDepth = 1
    /// All different pixels; `nil` if there are more than 256.
    private(set) var colors: ColorTable? = ColorTable()

    init(_ image: PixelBuffer) {
        image.withUnsafePixels { pixels in
            for y in 0..<image.height {
                add(pixels[(y * image.pixelsPerRow)..<(y * image.pixelsPerRow + image.width)])
                if !isOpaque, !hasOneTransparentColor, !isGray, colors == nil { break }
            }
            if isOpaque || !hasOneTransparentColor { return transparent = nil }
            // A colour that also occurs in opaque pixels cannot be the colour key.
            let opaque = transparent.map { $0 | 0xFF00_0000 }
            for y in 0..<image.height {
                let row = pixels[(y * image.pixelsPerRow)..<(y * image.pixelsPerRow + image.width)]
                if row.contains(where: { $0 == opaque }) { return transparent = nil }
            }
        }
    }

    private mutating func add(_ row: Slice<UnsafeBufferPointer<UInt32>>) {
        var previous: UInt32?
        for pixel in row where pixel != previous {
            previous = pixel
            if pixel >> 24 != 255 {
                isOpaque = false
                if pixel >> 24 == 0, transparent ?? pixel == pixel {
                    transparent = pixel
                } else {
                    hasOneTransparentColor = false
                }
            }
            let (red, green, blue) = (pixel >> 16 & 255, pixel >> 8 & 255, pixel & 255)
            if red != green || green != blue {
                isGray = false
            } else if grayDepth < 8 {
                let depth = blue % 255 == 0 ? 1 : blue % 85 == 0 ? 2 : blue % 17 == 0 ? 4 : 8
                grayDepth = max(grayDepth, depth)
            }
            if colors != nil, colors?.insert(pixel) == nil { colors = nil }
        }
    }
}
