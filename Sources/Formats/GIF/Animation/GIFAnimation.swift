import TexelCodecs
import TexelCore
import TexelPixels

/// The images of a GIF as frames.
///
/// Delays are those of the file.
struct GIFAnimation: ImageAnimation {
    var canvas: PixelSize { file.canvas }
    let frames: [AnimationFrame]
    var playCount: Int { file.playCount }
    var fault: TexelError? { file.fault }
    private let file: GIFFile

    init(_ file: GIFFile) {
        self.file = file
        frames = file.images.map(\.animationFrame)
    }

    func decoder(of index: Int, _ options: DecodeOptions) throws(TexelError) -> any RowDecoder {
        let image = file.images[index]
        guard let area = image.visibleArea else { return try TransparentPixel(image, of: file, options) }
        return try GIFDecoder(image, of: file, window: area, result: DecoderResult(), options)
    }
}

/// Stands for an image that is outside of the canvas or has no pixels.
private final class TransparentPixel: RowDecoder {
    let size = PixelSize(width: 1, height: 1)
    let alphaMode = AlphaMode.straight
    let colorSpace: ColorSpace
    private let stop: StopToken?
    /// The rows outside of the canvas; `nil` if the image has no pixels.
    private let source: GIFIndexSource?
    private let hasDefect: Bool

    init(_ image: GIFFile.Image, of file: GIFFile, _ options: DecodeOptions) throws(TexelError) {
        (colorSpace, stop, hasDefect) = (file.colorSpace, options.stop, file.hasDefect)
        if image.hasNoPixels {
            source = nil
        } else {
            try options.policy.limits.check(image.area.size)
            source = try GIFIndexSource(image, file.bytes)
        }
    }

    func readRows(_ count: Int, into rows: UnsafeMutableRawPointer, bytesPerRow: Int) {
        if count > 0 { rows.storeBytes(of: 0, as: UInt32.self) }
    }

    /// Other readers decode the rows.
    func finish() throws(TexelError) -> DecoderResult {
        let isExact = try source?.isExact(stop) ?? false
        return DecoderResult(hasDamagedPixels: hasDefect || !isExact)
    }
}
