import TexelCodecs
import TexelCore
import TexelPixels

/// Prepares pixels for a GIF: transparent or opaque, and few colours.
struct GIFPixels {
    /// The descriptors have 16 bits for each side.
    static let maximumSide = 65_535

    private let options: GIFOptions
    private let isFrame: Bool
    private let stop: StopToken?

    /// - Parameter isFrame: whether the images are frames of an animation, whose palettes may take less time.
    /// - Throws: `cannotEncode` for a size or a number of colours that a GIF does not have.
    init(
        _ options: GIFOptions, _ size: PixelSize, isFrame: Bool = false, stop: StopToken?
    ) throws(TexelError) {
        if let palette = options.palette, !PaletteOptions.colorCounts.contains(palette.colors) {
            throw .cannotEncode("invalid palette of \(palette.colors) colours; a palette has 2 to 256")
        }
        guard max(size.width, size.height) <= Self.maximumSide else {
            throw .cannotEncode("a side of a GIF has at most \(Self.maximumSide) pixels; the image is \(size)")
        }
        (self.options, self.isFrame, self.stop) = (options, isFrame, stop)
    }

    /// Whether an image with too many colours is refused.
    var isLossless: Bool { options.isLossless }

    /// The most colours, including the transparent one.
    var colorCount: Int { options.palette?.colors ?? PaletteOptions.colorCounts.upperBound }

    /// Returns the image with straight pixels that are opaque or 0, in sRGB because readers ignore profiles in a GIF,
    /// and whether no pixel looks different.
    func withHardEdges(
        _ image: consuming PixelBuffer
    ) throws(TexelError) -> (pixels: PixelBuffer, isExact: Bool) {
        var result = image.alphaMode == .premultiplied ? try image.unpremultiplied() : image
        var isExact = result.alphaMode == .opaque || !result.hasPartlyTransparentPixel
        if options.isLossless, !isExact { throw .notLossless("a GIF has no partly transparent pixels") }
        if !result.colorSpace.isSRGB { (result, isExact) = (try result.convertedToSRGB(), false) }
        guard result.alphaMode != .opaque else { return (result, isExact) }
        result.updateRaster(to: result.alphaMode) { raster in
            for y in 0..<raster.size.height {
                let row = raster.pixels(y)
                for x in 0..<raster.size.width { row[x] = row[x] >> 24 < 128 ? 0 : row[x] | 0xFF00_0000 }
            }
        }
        return (result, isExact)
    }

    /// Returns an image with hard edges in at most `count` colours, including the transparent one.
    ///
    /// - Throws: `stopped`, `outOfMemory`.
    func quantized(_ image: PixelBuffer, count: Int) throws(TexelError) -> PixelBuffer {
        var palette = options.palette ?? PaletteOptions()
        palette.colors = count
        if GIFColorTable.hasRoom(for: image, count: count) { return image }
        if options.isLossless { throw .notLossless("an image has more colours than a GIF can have") }
        // Without a palette there is no GIF.
        palette.allowsLowerQuality = true
        // In frames, exchanged colours bring less than 0.1 by SSIMULACRA2.
        let result = try image.quantized(
            palette, exchanges: !isFrame || options.effort == .best, while: { stop?.reason == nil })
        guard let result else {
            try stop?.check()
            throw .stopped(.cancelled)
        }
        return result
    }
}
