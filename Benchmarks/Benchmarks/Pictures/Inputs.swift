import BenchmarkPictures
import Synchronization
import Texel

/// The images of one size and their files, made on first use.
final class Inputs: Sendable {
    struct Ready: Sendable {
        let image: PixelBuffer
        let translucent: PixelBuffer
        /// The image, decoded from `jpeg`.
        let compressed: PixelBuffer
        let jpeg: InputBytes
        let progressiveJPEG: InputBytes
        let png: InputBytes
    }

    let megapixels: Int
    private let drawn = Mutex<Ready?>(nil)

    init(megapixels: Int) { self.megapixels = megapixels }

    func ready() throws -> Ready {
        try drawn.withLock { drawn in
            if let drawn { return drawn }
            let size = PixelSize.megapixels(megapixels)
            let image = try PixelBuffer.drawn(size)
            func jpeg(isProgressive: Bool) throws -> InputBytes {
                let options = JPEGOptions(
                    quality: 90, subsampling: .yuv420, isProgressive: isProgressive, effort: .fast)
                return InputBytes(try image.encoded(as: .jpeg(options)))
            }
            let baseline = try jpeg(isProgressive: false)
            let ready = Ready(
                image: image,
                translucent: try PixelBuffer.drawn(size, alphaMode: .straight),
                compressed: try CodecRegistry.shared.open(baseline).decodedAsStored().image,
                jpeg: baseline,
                progressiveJPEG: try jpeg(isProgressive: true),
                png: InputBytes(try image.encoded(as: .png(PNGOptions(effort: .fast)))))
            drawn = ready
            return ready
        }
    }
}
