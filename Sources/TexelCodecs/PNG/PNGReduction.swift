import TexelPixels

/// A PNG representation that holds every pixel of a picture exactly.
struct PNGReduction: Sendable, Hashable {
    enum ColorType: Int32 {
        case gray = 0
        case rgb = 2
        case palette = 3
        case grayAlpha = 4
        case rgba = 6

        var channelCount: Int {
            switch self {
            case .gray, .palette: 1
            case .grayAlpha: 2
            case .rgb: 3
            case .rgba: 4
            }
        }
    }

    var colorType: ColorType
    var bitDepth: Int
    /// For `palette`: straight pixels 0xAARRGGBB, those with transparency first.
    var palette: [UInt32] = []
    /// For `gray` and `rgb`: the colour whose pixels are all transparent, 0x00RRGGBB.
    var transparent: UInt32?

    /// Bits of one pixel in the file.
    var bitsPerPixel: Int { colorType.channelCount * bitDepth }

    /// What holds any picture.
    init(unreduced alphaMode: AlphaMode) {
        colorType = alphaMode == .opaque ? .rgb : .rgba
        bitDepth = 8
    }

    /// How a file stores its samples; its palette and its transparent colour stay where they are.
    init(storing colorType: ColorType, bitDepth: Int) {
        self.colorType = colorType
        self.bitDepth = bitDepth
    }

    private init(_ colorType: ColorType, bitDepth: Int = 8, palette: [UInt32] = [], transparent: UInt32? = nil) {
        self.colorType = colorType
        self.bitDepth = bitDepth
        self.palette = palette
        self.transparent = transparent
    }

    /// The ways to store a picture, the one that is probably smallest first. All have the fewest bits of their kind.
    ///
    /// - Parameter allowsGray: false when an RGB profile must be attached, which grey files cannot carry
    ///   (PNG specification, 11.3.2.3).
    static func all(_ picture: PixelBuffer, allowsGray: Bool, allowsColor: Bool) -> [PNGReduction] {
        let survey = PNGColorSurvey(picture)
        let isKeyed = survey.isOpaque || survey.transparent != nil
        let transparent = survey.transparent.map { $0 & 0xFF_FFFF }
        var candidates: [PNGReduction] = []
        if survey.isGray && allowsGray {
            candidates.append(
                isKeyed
                    ? PNGReduction(.gray, bitDepth: survey.grayDepth, transparent: transparent)
                    : PNGReduction(.grayAlpha))
        }
        if allowsColor {
            if let colors = survey.colors?.colors {
                let depth = colors.count <= 2 ? 1 : colors.count <= 4 ? 2 : colors.count <= 16 ? 4 : 8
                candidates.append(PNGReduction(.palette, bitDepth: depth, palette: PaletteOrder.byValue(colors)))
            }
            candidates.append(isKeyed ? PNGReduction(.rgb, transparent: transparent) : PNGReduction(.rgba))
        }
        let pixelCount = picture.width * picture.height
        let ranked = candidates.enumerated().sorted {
            ($0.element.estimatedBytes(pixelCount), $0.offset) < ($1.element.estimatedBytes(pixelCount), $1.offset)
        }
        return ranked.isEmpty ? [PNGReduction(unreduced: picture.alphaMode)] : ranked.map(\.element)
    }

    /// The same with a byte for each sample or index: larger before it is deflated, often smaller behind it.
    var inBytes: PNGReduction {
        var result = self
        result.bitDepth = 8
        return result
    }

    /// The same with its palette in another order.
    func reordered(_ palette: [UInt32]) -> PNGReduction {
        var result = self
        result.palette = palette
        return result
    }

    /// Rows before deflating, and the chunks; four bits of a photograph deflate to about one.
    private func estimatedBytes(_ pixelCount: Int) -> Int { pixelCount * bitsPerPixel / 32 + chunkBytes }

    /// What the chunks PLTE and tRNS take in the file.
    var chunkBytes: Int {
        let overhead = 12
        let colors = palette.isEmpty ? 0 : overhead + 3 * palette.count
        let transparency = transparencyChunk
        return colors + (transparency.isEmpty ? 0 : overhead + transparency.count)
    }

    /// The data of tRNS (PNG specification, 11.3.1.1); nothing where there is no transparency.
    var transparencyChunk: [UInt8] {
        // Of a palette, those that are not opaque come first.
        if colorType == .palette { return palette.map { UInt8($0 >> 24) }.prefix { $0 != 255 } }
        guard let transparent else { return [] }
        let (red, green, blue) = (transparent >> 16, transparent >> 8 & 255, transparent & 255)
        if colorType == .gray { return [0, UInt8(blue >> UInt32(8 - bitDepth))] }
        return [0, UInt8(red), 0, UInt8(green), 0, UInt8(blue)]
    }
}
