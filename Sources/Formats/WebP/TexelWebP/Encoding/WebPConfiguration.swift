import CWebPShim
import TexelCodecs

extension texel_webp_config {
    /// - Throws: `cannotEncode` for numbers that libwebp does not define.
    init(_ options: WebPOptions, parallelism: Int) throws(CodecError) {
        for (name, value) in [
            ("quality", options.quality), ("near-lossless level", options.nearLossless ?? 100),
            ("alpha quality", options.alphaQuality),
        ] where !(0...100).contains(value) {
            throw .cannotEncode("invalid \(name) \(value); a WebP has 0 to 100")
        }
        self.init()
        lossless = options.isLossless
        // Without loss, libwebp's quality is the amount of work: like `cwebp -z` 3, 6 and 9.
        if options.isLossless {
            let level: (method: Int32, quality: Float) =
                switch options.effort {
                case .fast: (2, 30)
                case .balanced: (4, 75)
                case .best: (6, 100)
                }
            (method, quality) = level
        } else {
            quality = WebPQuality.own(options.quality)
            method = options.effort == .fast ? 2 : options.effort == .balanced ? 4 : 6
        }
        near_lossless = Int32(options.nearLossless ?? 100)
        // libwebp makes no other changes if it must keep the colours of transparent pixels.
        exact = options.isLossless && near_lossless == 100
        alpha_quality = Int32(options.alphaQuality)
        use_sharp_yuv = !options.isLossless && options.effort == .best
        use_threads = parallelism > 1
    }
}
