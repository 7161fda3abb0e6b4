import TexelCodecs
import TexelCore
import TexelPixels

/// An opened WebP file.
struct WebPImageFile {
    let file: WebPFile
    let info: ImageInfo

    /// - Throws: an error for an invalid header, `limitExceeded`, `stopped`.
    init(_ bytes: InputBytes, limits: Limits, stop: StopToken?) throws(TexelError) {
        file = try WebPFile(bytes, limits: limits, stop: stop)
        info = ImageInfo(file)
    }
}

extension WebPImageFile: ImageFile {
    var bytes: InputBytes { file.bytes }

    var holdsWholeHeader: Bool { !file.needsWholeFile || file.isWhole }

    func makeDecoder(_ options: DecodeOptions) throws(TexelError) -> any RowDecoder {
        if let animation = try WebPAnimation(file) {
            return try AnimationFrameDecoder(
                animation, frame: 0, colorSpace: info.colorSpace, metadata: info.metadata, options: options)
        }
        guard let bitstream = file.bitstream else { throw .webP(.missing("image")) }
        if options.shrink > 1, !bitstream.isLossless, !bitstream.hasAlpha {
            return try WebPReducedDecoder(
                bitstream, of: file, colorSpace: info.colorSpace, metadata: info.metadata, options)
        }
        return try WebPDecoder(
            bitstream, of: file, colorSpace: info.colorSpace, metadata: info.metadata, options)
    }

    func rewritten(
        metadata: WrittenMetadata, keeping: KeptParts, stop: StopToken?
    ) throws(TexelError) -> [UInt8] {
        let profile = keeping.contains(.color) ? file.profile?.profile : nil
        return try file.rewritten(metadata: metadata, profile: profile?.bytes, stop)
    }
}

extension WebPImageFile: AnimatedImageFile {
    func animation(limits: Limits) throws(TexelError) -> (any ImageAnimation)? { try WebPAnimation(file) }
}

extension ImageInfo {
    fileprivate init(_ file: WebPFile) {
        let metadata = file.metadata
        let isLossless = file.bitstream?.isLossless ?? false
        self.init(
            format: .webP, size: file.size, orientation: metadata.orientation,
            colorModel: isLossless ? (file.hasAlpha ? .rgba : .rgb) : .yCbCr, bitDepth: 8, hasAlpha: file.hasAlpha,
            coding: isLossless ? "VP8L, lossless" : "VP8, lossy", chromaSubsampling: isLossless ? nil : "4:2:0",
            isLossless: isLossless && !file.frames.contains { !$0.bitstream.isLossless },
            frameCount: max(1, file.frames.count), isAnimation: file.frames.count > 1,
            colorSpace: file.colorSpace, metadata: metadata, decodeScales: Self.scales(of: file))
        colorFault = file.profile?.fault
    }

    /// Planes can be reduced to any size. Other images are scaled by libwebp, which stretches the whole image to the
    /// size that is requested, so that the scale must divide both sides.
    private static func scales(of file: WebPFile) -> [Int] {
        guard file.playCount == nil, let bitstream = file.bitstream else { return [1] }
        let scales = [1, 2, 4, 8]
        if !bitstream.isLossless, !bitstream.hasAlpha { return scales }
        return scales.filter { file.size.width % $0 == 0 && file.size.height % $0 == 0 }
    }
}
