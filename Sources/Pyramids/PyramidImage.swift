import TexelCodecs
import TexelCore
import TexelFormats
import TexelOperations
import TexelPipeline
import TexelPixels

/// A decoded image, and how it becomes the tiles of a pyramid.
struct PyramidImage: Sendable {
    let geometry: PyramidGeometry
    let format: ImageFormat
    /// The losses between the image and its tiles.
    let warnings: [String]
    private let source: PixelBuffer
    private let encoding: ImageEncoding
    private let background: PixelColor
    /// The alpha mode of the tiles.
    private let alphaMode: AlphaMode
    /// The colour space of the tiles.
    private let colorSpace: ColorSpace
    /// From the colours of the image to those of the tiles.
    private let conversion: ColorConversion

    /// The number of rows that are converted at a time.
    static let bandHeight = 64

    /// Chooses the format of the tiles. Reads all pixels if they may be transparent.
    ///
    /// - Parameters:
    ///   - source: the image as it is displayed, with its own colours.
    ///   - info: the header of its file.
    ///   - settings: how the pyramid is cut and encoded.
    /// - Throws: `cannotEncode` if the format cannot be written; `unusableColorProfile`.
    init(_ source: PixelBuffer, _ info: ImageInfo, _ settings: PyramidSettings) throws(TexelError) {
        let isOpaque = source.isOpaque
        let format = settings.format ?? (isOpaque ? .jpeg : .png)
        guard let encoding = format.encoding(settings.encoding) else {
            throw .cannotEncode(format.refusalToWrite ?? "Texel does not write \(format.displayName)")
        }
        let capabilities = format.capabilities
        let storesColors =
            capabilities.storesCICP || source.colorSpace.hasProfile && capabilities.metadata.contains(.profile)
        let keepsColors = settings.keepsProfile && storesColors
        var recipe = Recipe()
        recipe.frame = settings.frame
        recipe.output.metadata = settings.keepsProfile ? .color : .none
        let convertsColors = !keepsColors && !source.colorSpace.isSRGB
        var warnings = LossNotes(info, recipe, convertsColors: convertsColors).all
        if !isOpaque, !capabilities.hasAlpha, let note = FlattenStep(settings.background).note(about: source) {
            warnings.append(note)
        }
        if let fault = info.colorFault { warnings.append(fault) }
        self.warnings = warnings
        geometry = PyramidGeometry(
            of: source.size, tileSize: settings.tileSize, overlap: settings.overlap, depth: settings.layout.depth)
        alphaMode = isOpaque || !capabilities.hasAlpha ? .opaque : .straight
        let colorSpace = keepsColors ? source.colorSpace : .sRGB
        conversion = try ColorConversion(from: convertsColors ? source.colorSpace : colorSpace, to: colorSpace)
        self.colorSpace = colorSpace
        background = settings.background
        (self.source, self.format, self.encoding) = (source, format, encoding)
    }

    /// Makes the levels of the pyramid from bands of the image.
    func makeCascade() -> LevelCascade {
        LevelCascade(of: geometry, alphaMode: alphaMode, colorSpace: colorSpace)
    }

    /// Returns rows of the image with the alpha mode and the colours of the tiles.
    ///
    /// - Parameter rows: inside the image.
    /// - Throws: `outOfMemory`.
    func band(_ rows: Range<Int>) throws(TexelError) -> PixelBuffer {
        let band = try source.cropped(
            to: PixelRectangle(x: 0, y: rows.lowerBound, width: source.width, height: rows.count)
        ).converted(by: conversion, to: colorSpace)
        if alphaMode == .opaque { return try band.flattened(on: background) }
        return try band.unpremultiplied()
    }

    /// Encodes a tile.
    ///
    /// - Parameters:
    ///   - strip: the strip that contains it.
    ///   - column: the column of tiles.
    ///   - stop: polled during the work.
    /// - Throws: errors of pixels, errors of the codec.
    func encodedTile(
        _ strip: LevelStrip, column: Int, stop: StopToken
    ) throws(TexelError) -> [UInt8] {
        let columns = geometry.columns(column, level: strip.level)
        let rectangle = PixelRectangle(
            x: columns.lowerBound, y: 0, width: columns.count, height: strip.image.height)
        let tile = try strip.image.cropped(to: rectangle)
        return try tile.encoded(as: encoding, background: background, stop: stop)
    }
}
