import TexelCodecs
import TexelCore
import TexelPixels

/// An opened GIF.
struct GIFImageFile {
    let file: GIFFile
    let info: ImageInfo

    /// Waits for the whole file, which does not declare its number of images.
    ///
    /// - Throws: an error for an invalid structure, `limitExceeded`, `stopped`.
    init(_ bytes: InputBytes, limits: Limits, stop: StopToken?) throws(TexelError) {
        file = try GIFFile(bytes, limits: limits, stop: stop)
        info = ImageInfo(file)
    }
}

extension GIFImageFile: ImageFile {
    var bytes: InputBytes { file.bytes }

    var holdsWholeHeader: Bool { file.hasEnd }

    /// Decodes the first image on the canvas; its rows need no other memory than one row.
    func makeDecoder(_ options: DecodeOptions) throws(TexelError) -> any RowDecoder {
        let warnings = [file.warning].compactMap { $0 }
        // The file has at least one image.
        return try GIFDecoder(
            file.images[0], of: file, window: PixelRectangle(covering: file.canvas),
            result: DecoderResult(metadata: info.metadata, warnings: warnings), options)
    }

    func rewritten(
        metadata: WrittenMetadata, keeping: KeptParts, stop: StopToken?
    ) throws(TexelError) -> [UInt8] {
        file.rewritten(metadata: metadata, keepsProfile: keeping.contains(.color) && info.colorFault == nil)
    }
}

extension GIFImageFile: AnimatedImageFile {
    func animation(limits: Limits) throws(TexelError) -> (any ImageAnimation)? {
        file.isAnimation ? GIFAnimation(file) : nil
    }
}

extension ImageInfo {
    fileprivate init(_ file: GIFFile) {
        let first = file.images[0]
        let isInterlaced = file.images.contains(where: \.isInterlaced)
        let version = file.is89a ? "GIF89a" : "GIF87a"
        self.init(
            format: .gif, size: file.canvas, colorModel: .palette,
            bitDepth: GIFBlockWriter.tableBits((first.colors?.count ?? 6) / 3), hasAlpha: file.hasAlpha,
            isProgressive: isInterlaced, coding: isInterlaced ? "\(version), interlaced" : version, isLossless: true,
            frameCount: file.images.count, isAnimation: file.isAnimation, colorSpace: file.colorSpace,
            metadata: file.metadata)
        colorFault = file.profile?.fault
    }
}
