import TexelCodecs
import TexelCore
import TexelPixels

// Comparing and combining the frames of an animation; a pixel is opaque or 0.
//
// The functions are inlined because their closures are called for every pixel.

extension PixelBuffer {
    /// Whether any pixel is 0.
    var hasTransparentPixel: Bool {
        count(in: PixelRectangle(covering: size), comparedTo: self) { pixel, _ in pixel == 0 } > 0
    }

    /// Whether any pixel is neither opaque nor fully transparent.
    var hasPartlyTransparentPixel: Bool {
        count(in: PixelRectangle(covering: size), comparedTo: self) { pixel, _ in 1...254 ~= pixel >> 24 } > 0
    }

    /// Returns the smallest rectangle with all pixels of `area` for which `isIncluded` holds; `nil` if there are none.
    ///
    /// - Parameters:
    ///   - area: inside both images.
    ///   - other: an image of the same size.
    @inline(__always) func area(
        in area: PixelRectangle, comparedTo other: PixelBuffer, where isIncluded: (UInt32, UInt32) -> Bool
    ) -> PixelRectangle? {
        var (left, right, top, bottom) = (Int.max, 0, Int.max, 0)
        visit(area, other) { x, y, own, other in
            guard isIncluded(own, other) else { return }
            (left, right) = (min(left, x), max(right, x + 1))
            (top, bottom) = (min(top, y), y + 1)
        }
        return right > 0 ? PixelRectangle(x: left, y: top, width: right - left, height: bottom - top) : nil
    }

    /// Returns the number of pixels of `area` for which `isIncluded` holds.
    @inline(__always) func count(
        in area: PixelRectangle, comparedTo other: PixelBuffer, where isIncluded: (UInt32, UInt32) -> Bool
    ) -> Int {
        var count = 0
        visit(area, other) { _, _, own, other in if isIncluded(own, other) { count += 1 } }
        return count
    }

    /// Calls `body` with the pixels of two images of the same size, row by row.
    @inline(__always) func visit(
        _ area: PixelRectangle, _ other: PixelBuffer,
        _ body: (_ x: Int, _ y: Int, _ own: UInt32, _ other: UInt32) -> Void
    ) {
        for y in area.y..<(area.y + area.height) {
            let (own, others) = (row(y), other.row(y))
            for x in area.x..<(area.x + area.width) { body(x, y, own[x], others[x]) }
        }
    }

    /// Returns an image whose pixels are computed from those of this image and two others of the same size.
    @inline(__always) func combined(
        _ second: PixelBuffer, _ third: PixelBuffer, _ pixel: (UInt32, UInt32, UInt32) -> UInt32
    ) throws(TexelError) -> PixelBuffer {
        var pixels = [UInt32](repeating: 0, count: width * height)
        for y in 0..<height {
            let (firsts, seconds, thirds) = (row(y), second.row(y), third.row(y))
            let start = y * width
            for x in 0..<width { pixels[start + x] = pixel(firsts[x], seconds[x], thirds[x]) }
        }
        return try PixelBuffer(width: width, height: height, pixels: pixels, colorSpace: colorSpace)
    }

    /// Copies the opaque pixels of an image of the size of `area`.
    mutating func draw(_ image: PixelBuffer, at area: PixelRectangle) {
        updateRaster(to: alphaMode) { raster in
            let part = raster.cropped(to: area)
            for y in 0..<area.height {
                let (row, drawn) = (part.pixels(y), image.row(y))
                for x in 0..<area.width where drawn[x] != 0 { row[x] = drawn[x] }
            }
        }
    }
}
