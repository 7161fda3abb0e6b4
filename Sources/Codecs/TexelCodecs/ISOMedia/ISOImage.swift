package import TexelCore
package import TexelPixels

/// What the boxes of a file say about its image, whatever its coding.
package struct ISOImage: Sendable {
    package let container: ISOMediaFile
    package let properties: [ISOProperty]
    /// The size as coded, before cropping.
    package let size: PixelSize
    /// `nil` for a single coded image, and for the frames of a sequence.
    package let grid: ISOStillImage.Grid?
    package let hasAlpha: Bool
    package let samples: Samples
    /// The part of ``size`` that is displayed.
    package let area: PixelRectangle
    package let colors: ISOColors
    package let metadata: ImageMetadata
    /// What the strictness `warning` rejects.
    package let warning: String?
    let limits: Limits

    /// The samples of the coded images, as their configuration describes them.
    package struct Samples: Sendable {
        /// The coding in the words of its specification, such as "AV1, Main profile".
        package let coding: String
        package let bitDepth: Int
        /// In J:a:b notation; `nil` without chroma.
        package let chromaSubsampling: String?
        /// The colours that the coded stream declares; `nil` if it has no header.
        package let colors: CodedColors?

        package init(coding: String, bitDepth: Int, chromaSubsampling: String?, colors: CodedColors?) {
            (self.coding, self.bitDepth) = (coding, bitDepth)
            (self.chromaSubsampling, self.colors) = (chromaSubsampling, colors)
        }
    }

    /// Reads the colours and the metadata; waits for the latter.
    ///
    /// - Parameter items: those that may hold metadata of the image.
    /// - Throws: `limitExceeded`, `stopped`.
    package init(
        _ properties: [ISOProperty], size: PixelSize, grid: ISOStillImage.Grid?, hasAlpha: Bool, _ samples: Samples,
        metadata items: [ISOItem], in container: ISOMediaFile, limits: Limits, stop: StopToken?
    ) throws(TexelError) {
        (self.container, self.properties, self.size, self.grid) = (container, properties, size, grid)
        (self.hasAlpha, self.samples, self.limits) = (hasAlpha, samples, limits)
        (area, warning) = ISOStillImage.area(of: size, properties)
        colors = ISOColors(
            properties, stream: samples.colors, isMonochrome: samples.chromaSubsampling == nil, in: container.bytes)
        metadata = try container.metadata(items, limits: limits, stop: stop)
    }

    /// The transform from the stored pixels to the displayed image. EXIF has none here (ISO/IEC 23000-22, 7.3.6.7).
    package var orientation: Orientation { properties.orientation }

    private var colorModel: ImageInfo.ColorModel {
        if samples.chromaSubsampling == nil { return hasAlpha ? .grayAlpha : .gray }
        return colors.coded.matrix == 0 ? (hasAlpha ? .rgba : .rgb) : .yCbCr
    }

    /// Planes can be shrunk if nothing is cropped, and if there is no alpha, which would weight the colours.
    private var decodeScales: [Int] {
        let isWhole = area == PixelRectangle(covering: size)
        let factors = PlaneColors(colors.coded, depth: samples.bitDepth)
        return isWhole && !hasAlpha && !container.isSequence && factors != nil ? [1, 2, 4, 8] : [1]
    }

    /// Returns the description of the file.
    package func info(isProgressive: Bool = false, frameCount: Int = 1) -> ImageInfo {
        let grid = grid.map { ", grid of \($0.columns) × \($0.rows)" } ?? ""
        var info = ImageInfo(
            format: container.format, size: area.size, orientation: orientation, colorModel: colorModel,
            bitDepth: samples.bitDepth, hasAlpha: hasAlpha, isProgressive: isProgressive, coding: samples.coding + grid,
            chromaSubsampling: samples.chromaSubsampling, frameCount: frameCount, isAnimation: frameCount > 1,
            colorSpace: colors.colorSpace, metadata: metadata, decodeScales: decodeScales)
        info.colorFault = colors.fault
        return info
    }
}

// MARK: Files

/// An opened file whose image is in items or tracks.
package protocol ISOImageFile: ImageFile {
    /// The type of coded images, such as "av01".
    static var coding: BoxType { get }

    var image: ISOImage { get }

    /// Creates a decoder; the scale is one that the file has.
    func rowDecoder(_ options: DecodeOptions) throws(TexelError) -> any RowDecoder
}

extension ISOImageFile {
    package var bytes: InputBytes { image.container.bytes }

    package func makeDecoder(_ options: DecodeOptions) throws(TexelError) -> any RowDecoder {
        var options = options
        // The planes of other scales would have other sizes than the reduced image.
        if !info.decodeScales.contains(options.shrink) { options.shrink = 1 }
        return try rowDecoder(options)
    }

    package func rewritten(
        metadata: WrittenMetadata, keeping: KeptParts, stop: StopToken?
    ) throws(TexelError) -> [UInt8] {
        // Of the colours, only profiles are optional.
        let keeping = info.colorFault == nil ? keeping : keeping.subtracting(.color)
        return try ISORewriting.file(image.container, metadata: metadata, keeping: keeping, limits: image.limits, stop)
    }

    package func attachments(_ stop: StopToken?) throws(TexelError) -> Set<ImageAttachment> {
        ISOAttachments.attachments(
            of: try image.container.completed(limits: image.limits, stop: stop), coding: Self.coding)
    }
}
