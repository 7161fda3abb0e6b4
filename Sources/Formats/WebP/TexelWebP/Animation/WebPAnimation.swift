import TexelCodecs
import TexelCore
import TexelPixels

/// The frames of an animated WebP.
struct WebPAnimation: ImageAnimation {
    let canvas: PixelSize
    let frames: [AnimationFrame]
    let playCount: Int
    let fault: TexelError?
    private let file: WebPFile

    /// Returns `nil` for a still image.
    ///
    /// - Throws: the error that leaves no frame.
    init?(_ file: WebPFile) throws(TexelError) {
        guard let playCount = file.playCount else { return nil }
        self.file = file
        self.playCount = playCount
        canvas = file.size
        fault = file.fault
        frames = file.frames.map(\.animationFrame)
        if frames.isEmpty { throw fault ?? .webP(.missing("first frame")) }
    }

    func decoder(of index: Int, _ options: DecodeOptions) throws(TexelError) -> any RowDecoder {
        var options = options
        options.shrink = 1
        return try WebPDecoder(
            file.frames[index].bitstream, of: file, colorSpace: file.colorSpace, metadata: ImageMetadata(), options)
    }
}
