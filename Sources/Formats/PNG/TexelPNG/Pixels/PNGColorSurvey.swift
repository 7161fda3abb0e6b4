import TexelCodecs
import TexelPixels

/// The properties of all pixels that decide how they may be stored.
struct PNGColorSurvey {
    private(set) var isOpaque = true
    /// Whether all pixels are opaque or fully transparent, and all transparent ones have the same colour.
    private var hasOneTransparentColor = true
    /// The colour of the transparent pixels.
    private var transparent: UInt32?
    /// Whether an opaque pixel has the colour of the transparent ones.
    private var hasOpaqueTwin = false
    private(set) var isGray = true
    /// The smallest bit depth that stores all grey values exactly.
    private(set) var grayDepth = 1
    /// All different pixels; `nil` if there are more than 256.
    private(set) var colors: ColorTable? = ColorTable()

    /// Begins a survey: add all rows, then check them if ``needsColorKeyCheck``.
    init() {}

    /// Surveys an image in memory.
    init(_ image: PixelBuffer) {
        for y in 0..<image.height where !isSettled(for: image.alphaMode) { add(image, row: y) }
        if needsColorKeyCheck { checkColorKey(image) }
    }

    /// Whether further pixels of an image cannot change the result.
    func isSettled(for alphaMode: AlphaMode) -> Bool {
        !isGray && colors == nil && (alphaMode == .opaque || !isOpaque && !hasOneTransparentColor)
    }

    /// The colour that stands for transparency: it has all transparent pixels and no other; `nil` if there is none.
    var colorKey: UInt32? { isOpaque || !hasOneTransparentColor || hasOpaqueTwin ? nil : transparent }

    // MARK: Rows

    mutating func add(_ rows: PixelBuffer) {
        for y in 0..<rows.height { add(rows, row: y) }
    }

    private mutating func add(_ image: PixelBuffer, row y: Int) {
        image.withUnsafePixels { pixels in
            add(pixels[(y * image.pixelsPerRow)..<(y * image.pixelsPerRow + image.width)])
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

    // MARK: The colour key

    /// Whether ``colorKey`` may exist, so that all rows must be checked.
    var needsColorKeyCheck: Bool { colorKey != nil }

    mutating func checkColorKey(_ rows: PixelBuffer) {
        for y in 0..<rows.height { checkColorKey(rows, row: y) }
    }

    mutating func checkColorKey(_ image: PixelBuffer, row y: Int) {
        guard let opaque = colorKey.map({ $0 | 0xFF00_0000 }) else { return }
        image.withUnsafePixels { pixels in
            let row = pixels[(y * image.pixelsPerRow)..<(y * image.pixelsPerRow + image.width)]
            if row.contains(opaque) { hasOpaqueTwin = true }
        }
    }
}
