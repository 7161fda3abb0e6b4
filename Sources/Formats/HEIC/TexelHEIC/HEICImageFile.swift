import TexelCodecs
import TexelPixels

/// An opened HEIC file.
struct HEICImageFile {
    let file: HEICFile
    let info: ImageInfo
    private let limits: Limits

    /// - Throws: an error for an invalid header, `limitExceeded`, `stopped`.
    init(_ bytes: InputBytes, limits: Limits, stop: StopToken?) throws(CodecError) {
        file = try HEICFile(bytes, limits: limits, stop: stop)
        info = ImageInfo(file)
        self.limits = limits
    }
}

extension HEICImageFile: ImageFile {
    var bytes: InputBytes { file.bytes }

    func decoder(_ options: DecodeOptions) throws(CodecError) -> any RowDecoder {
        var options = options
        // The planes of other scales would have other sizes than the reduced image.
        if !info.decodeScales.contains(options.shrink) { options.shrink = 1 }
        return try HEICDecoder(file, metadata: info.metadata, options)
    }

    func rewritten(
        metadata: WrittenMetadata, keeping: KeptParts, stop: StopToken?
    ) throws(CodecError) -> [UInt8] {
        // Of the colours, only profiles are optional.
        let keeping = info.colorFault == nil ? keeping : keeping.subtracting(.color)
        return try ISORewriting.file(file.container, metadata: metadata, keeping: keeping, limits: limits, stop)
    }

    func attachments(_ stop: StopToken?) throws(CodecError) -> Set<ImageAttachment> {
        ISOAttachments.attachments(
            of: try file.container.completed(limits: limits, stop: stop), coding: "hvc1")
    }
}

extension ImageInfo {
    fileprivate init(_ file: HEICFile) {
        let (image, hasAlpha) = (file.image, file.alpha != nil)
        let model: ColorModel =
            image.parameters.chromaFormat == 0
            ? (hasAlpha ? .grayAlpha : .gray)
            : file.colors.coded.matrix == 0 ? (hasAlpha ? .rgba : .rgb) : .yCbCr
        var coding = "HEVC, \(image.configurations[0].profileName)"
        if let grid = image.still.grid { coding += ", grid of \(grid.columns) × \(grid.rows)" }
        self.init(
            format: .heic, size: file.area.size, orientation: file.orientation, colorModel: model,
            bitDepth: image.parameters.bitDepth, hasAlpha: hasAlpha, isProgressive: false, coding: coding,
            chromaSubsampling: image.configurations[0].chromaSubsampling, frameCount: 1, isAnimation: false,
            colorSpace: file.colors.colorSpace, metadata: file.metadata, decodeScales: Self.scales(of: file))
        colorFault = file.colors.fault
    }

    /// Planes can be shrunk if nothing is cropped, and if there is no alpha, which would weight the colours.
    private static func scales(of file: HEICFile) -> [Int] {
        let isWhole = file.area == PixelRectangle(covering: file.image.still.size)
        return isWhole && file.alpha == nil ? [1, 2, 4, 8] : [1]
    }
}
