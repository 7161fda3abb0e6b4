package import TexelCodecs
import TexelJPEG
import TexelPNG

extension ImageFormat {
    /// The formats that Texel writes. `ImageFormat.all` may also have those that other tests register meanwhile.
    package static let tested: [ImageFormat] = [.jpeg, .png]
}

extension CodecRegistry {
    /// Texel's own codecs only.
    package static let tested = CodecRegistry([PNGCodec(), JPEGCodec()])
}
