import TexelCodecs
import TexelPixels

/// An opened AVIF file.
struct AVIFImageFile {
    let file: AVIFFile
    let info: ImageInfo
    private let limits: Limits

    /// - Throws: an error for an invalid header, `limitExceeded`, `stopped`.
    init(_ bytes: InputBytes, limits: Limits, stop: StopToken?) throws(CodecError) {
        file = try AVIFFile(bytes, limits: limits, stop: stop)
        info = ImageInfo(file)
        self.limits = limits
    }
}

extension AVIFImageFile: ImageFile {
    var bytes: InputBytes { file.bytes }

    func decoder(_ options: DecodeOptions) throws(CodecError) -> any RowDecoder {
        var options = options
        // The planes of other scales would have other sizes than the reduced image.
        if !info.decodeScales.contains(options.shrink) { options.shrink = 1 }
        return try AVIFDecoder(file, AVIFFrames(file, options), metadata: info.metadata, options)
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
            of: try file.container.completed(limits: limits, stop: stop), coding: "av01")
    }
}

extension AVIFImageFile: AnimatedImageFile {
    func animation(limits: Limits) throws(CodecError) -> (any ImageAnimation)? {
        try AVIFAnimation(file, limits: limits)
    }
}

extension ImageInfo {
    fileprivate init(_ file: AVIFFile) {
        let (source, configuration) = (file.source, file.source.configuration)
        let model: ColorModel =
            configuration.isMonochrome
            ? (file.hasAlpha ? .grayAlpha : .gray)
            : file.colors.coded.matrix == 0 ? (file.hasAlpha ? .rgba : .rgb) : .yCbCr
        var coding = "AV1, \(configuration.profileName) profile"
        if let grid = source.grid { coding += ", grid of \(grid.columns) × \(grid.rows)" }
        let frameCount = max(1, file.track?.samples.count ?? 1)
        self.init(
            format: .avif, size: file.area.size, orientation: file.orientation, colorModel: model,
            bitDepth: configuration.bitDepth, hasAlpha: file.hasAlpha,
            isProgressive: file.track == nil && source.properties.contains { $0.type == "a1lx" }, coding: coding,
            chromaSubsampling: configuration.chromaSubsampling, frameCount: frameCount, isAnimation: frameCount > 1,
            colorSpace: file.colors.colorSpace, metadata: file.metadata, decodeScales: Self.scales(of: file))
        colorFault = file.colors.fault
    }

    /// Planes can be shrunk if nothing is cropped, and if there is no alpha, which would weight the colours.
    private static func scales(of file: AVIFFile) -> [Int] {
        let isWhole = file.area == PixelRectangle(covering: file.source.size)
        let colors = PlaneColors(file.colors.coded, depth: file.source.configuration.bitDepth)
        return isWhole && !file.hasAlpha && file.track == nil && colors != nil ? [1, 2, 4, 8] : [1]
    }
}
