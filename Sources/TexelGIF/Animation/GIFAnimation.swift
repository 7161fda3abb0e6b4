import TexelCodecs
import TexelPixels

/// The images of a GIF as frames.
///
/// Delays are those of the file.
struct GIFAnimation: ImageAnimation {
    var canvas: PixelSize { file.canvas }
    let frames: [AnimationFrame]
    var playCount: Int { file.playCount }
    var fault: CodecError? { file.fault }
    private let file: GIFFile

    init(_ file: GIFFile) {
        self.file = file
        frames = file.images.map(\.animationFrame)
    }

    func decoder(of index: Int, _ options: DecodeOptions) throws(CodecError) -> any RowDecoder {
        let image = file.images[index]
        guard let area = image.visibleArea else { return TransparentPixel(file.colorSpace, image) }
        return try GIFDecoder(image, of: file, window: area, result: DecoderResult(), options)
    }
}

/// Stands for an image that is outside of the canvas or has no pixels.
private final class TransparentPixel: RowDecoder {
    let size = PixelSize(width: 1, height: 1)
    let alphaMode = AlphaMode.straight
    let colorSpace: ColorSpace
    private let image: GIFFile.Image

    init(_ colorSpace: ColorSpace, _ image: GIFFile.Image) { (self.colorSpace, self.image) = (colorSpace, image) }

    func readRows(_ count: Int, into rows: UnsafeMutableRawPointer, bytesPerRow: Int) {
        if count > 0 { rows.storeBytes(of: 0, as: UInt32.self) }
    }

    func finish() -> DecoderResult { DecoderResult(hasDamagedPixels: image.hasNoPixels) }
}
