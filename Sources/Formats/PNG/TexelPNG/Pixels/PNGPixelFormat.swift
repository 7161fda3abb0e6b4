import TexelCodecs
import TexelPixels

/// A PNG pixel format that stores every pixel of an image exactly.
struct PNGPixelFormat: Sendable, Hashable {
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
    /// For `palette`: straight pixels 0xAARRGGBB, non-opaque ones first.
    var palette: [UInt32] = []
    /// For `gray` and `rgb`: the colour key, 0x00RRGGBB, whose pixels are all transparent.
    var transparent: UInt32?

    /// The number of bits per pixel in the file.
    var bitsPerPixel: Int { colorType.channelCount * bitDepth }

    /// The format that stores any image.
    init(unreduced alphaMode: AlphaMode) {
        colorType = alphaMode == .opaque ? .rgb : .rgba
        bitDepth = 8
    }

    /// The format of a file's samples; its palette and its colour key are not included.
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

    /// Returns the formats for an image in memory.
    static func all(of image: PixelBuffer, allowsGray: Bool, allowsColor: Bool) -> [PNGPixelFormat] {
        all(
            PNGColorSurvey(image), RasterShape(size: image.size, alphaMode: image.alphaMode), allowsGray: allowsGray,
            allowsColor: allowsColor)
    }

    /// Returns the formats for an image, with the smallest estimate first. Each has the smallest bit depth of its
    /// colour type.
    ///
    /// - Parameters:
    ///   - allowsGray: false if an RGB profile must be attached, which a grey file cannot have (PNG specification,
    ///     11.3.2.3).
    ///   - allowsColor: false if a grey profile must be attached.
    static func all(
        _ survey: PNGColorSurvey, _ shape: RasterShape, allowsGray: Bool, allowsColor: Bool
    ) -> [PNGPixelFormat] {
        let isKeyed = survey.isOpaque || survey.colorKey != nil
        let transparent = survey.colorKey.map { $0 & 0xFF_FFFF }
        var candidates: [PNGPixelFormat] = []
        if survey.isGray && allowsGray {
            candidates.append(
                isKeyed
                    ? PNGPixelFormat(.gray, bitDepth: survey.grayDepth, transparent: transparent)
                    : PNGPixelFormat(.grayAlpha))
        }
        if allowsColor {
            // Black and white need no palette.
            if let colors = survey.colors?.colors, candidates.first?.bitDepth != 1 {
                let depth = colors.count <= 2 ? 1 : colors.count <= 4 ? 2 : colors.count <= 16 ? 4 : 8
                candidates.append(PNGPixelFormat(.palette, bitDepth: depth, palette: PaletteOrder.byValue(colors)))
            }
            candidates.append(isKeyed ? PNGPixelFormat(.rgb, transparent: transparent) : PNGPixelFormat(.rgba))
        }
        let pixelCount = shape.size.pixelCount ?? .max
        let ranked = candidates.enumerated().sorted {
            ($0.element.estimatedBytes(pixelCount), $0.offset) < ($1.element.estimatedBytes(pixelCount), $1.offset)
        }
        return ranked.isEmpty ? [PNGPixelFormat(unreduced: shape.alphaMode)] : ranked.map(\.element)
    }

    /// The same format with one byte per sample or index: larger before compression, often smaller after it.
    var inBytes: PNGPixelFormat {
        var result = self
        result.bitDepth = 8
        return result
    }

    /// Returns the same format with another order of the palette.
    func reordered(_ palette: [UInt32]) -> PNGPixelFormat {
        var result = self
        result.palette = palette
        return result
    }

    /// Returns an estimate of the compressed size: four bits of a photograph deflate to about one, plus the chunks.
    private func estimatedBytes(_ pixelCount: Int) -> Int { pixelCount * bitsPerPixel / 32 + chunkBytes }

    /// The size of the PLTE and tRNS chunks in bytes.
    var chunkBytes: Int {
        let overhead = 12
        let colors = palette.isEmpty ? 0 : overhead + 3 * palette.count
        let transparency = transparencyChunk
        return colors + (transparency.isEmpty ? 0 : overhead + transparency.count)
    }

    /// The data of tRNS (PNG specification, 11.3.1.1); empty if no pixel is transparent.
    var transparencyChunk: [UInt8] {
        // The palette's non-opaque entries come first.
        if colorType == .palette { return palette.map { UInt8($0 >> 24) }.prefix { $0 != 255 } }
        guard let transparent else { return [] }
        let (red, green, blue) = (transparent >> 16, transparent >> 8 & 255, transparent & 255)
        if colorType == .gray { return [0, UInt8(blue >> UInt32(8 - bitDepth))] }
        return [0, UInt8(red), 0, UInt8(green), 0, UInt8(blue)]
    }
}
