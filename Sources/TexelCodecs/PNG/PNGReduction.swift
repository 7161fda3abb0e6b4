import TexelPixels

/// The smallest PNG representation that holds every pixel of a picture exactly.
struct PNGReduction {
    enum ColorType: Int32 {
        case gray = 0
        case rgb = 2
        case palette = 3
        case grayAlpha = 4
        case rgba = 6
    }

    var colorType: ColorType
    var bitDepth: Int
    /// For `palette`: straight pixels 0xAARRGGBB, those with transparency first.
    var palette: [UInt32] = []

    /// Bits of one pixel in the file.
    var bitsPerPixel: Int {
        switch colorType {
        case .gray, .palette: bitDepth
        case .grayAlpha: 2 * bitDepth
        case .rgb: 3 * bitDepth
        case .rgba: 4 * bitDepth
        }
    }

    /// What holds any picture.
    init(unreduced alphaMode: AlphaMode) {
        colorType = alphaMode == .opaque ? .rgb : .rgba
        bitDepth = 8
    }

    /// - Parameter allowsGray: false when an RGB profile must be attached, which grey files cannot carry
    ///   (PNG specification, 11.3.2.3).
    init(_ picture: PixelBuffer, allowsGray: Bool, allowsColor: Bool) {
        let survey = Survey(picture)
        var candidates: [PNGReduction] = []
        if survey.isGray && allowsGray {
            if survey.isOpaque {
                candidates.append(PNGReduction(colorType: .gray, bitDepth: survey.grayDepth))
            } else {
                candidates.append(PNGReduction(colorType: .grayAlpha, bitDepth: 8))
            }
        }
        if allowsColor {
            if let colors = survey.colors?.colors {
                let depth = colors.count <= 2 ? 1 : colors.count <= 4 ? 2 : colors.count <= 16 ? 4 : 8
                let sorted = colors.sorted { a, b in
                    let (aIsOpaque, bIsOpaque) = (a >> 24 == 255, b >> 24 == 255)
                    return aIsOpaque == bIsOpaque ? a < b : bIsOpaque
                }
                candidates.append(PNGReduction(colorType: .palette, bitDepth: depth, palette: sorted))
            }
            candidates.append(PNGReduction(colorType: survey.isOpaque ? .rgb : .rgba, bitDepth: 8))
        }
        let pixelCount = picture.width * picture.height
        let best = candidates.min { $0.estimatedBytes(pixelCount) < $1.estimatedBytes(pixelCount) }
        self = best ?? PNGReduction(unreduced: picture.alphaMode)
    }

    private init(colorType: ColorType, bitDepth: Int, palette: [UInt32] = []) {
        self.colorType = colorType
        self.bitDepth = bitDepth
        self.palette = palette
    }

    /// Rows before deflating, and the chunks that a palette needs; four bits of a photograph deflate to about one.
    private func estimatedBytes(_ pixelCount: Int) -> Int {
        let translucent = palette.count { $0 >> 24 != 255 }
        let chunks = palette.isEmpty ? 0 : 12 + 3 * palette.count + (translucent > 0 ? 12 + translucent : 0)
        return pixelCount * bitsPerPixel / 32 + chunks
    }

    /// What one look at all pixels tells.
    private struct Survey {
        var isOpaque = true
        var isGray = true
        /// The fewest bits that hold all greys exactly.
        var grayDepth = 1
        /// All different pixels, or `nil` when there are more than 256.
        var colors: ColorTable? = ColorTable()

        init(_ picture: PixelBuffer) {
            picture.withUnsafePixels { pixels in
                for y in 0..<picture.height {
                    add(pixels[(y * picture.pixelsPerRow)..<(y * picture.pixelsPerRow + picture.width)])
                    if !isOpaque, !isGray, colors == nil { return }
                }
            }
        }

        private mutating func add(_ row: Slice<UnsafeBufferPointer<UInt32>>) {
            var previous: UInt32?
            for pixel in row where pixel != previous {
                previous = pixel
                if pixel >> 24 != 255 { isOpaque = false }
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
}
