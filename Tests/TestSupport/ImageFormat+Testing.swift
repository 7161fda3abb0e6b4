package import TexelCodecs
import TexelFormats

extension ImageFormat {
    /// The formats that Texel writes. `ImageFormat.all` may also have those that other tests register meanwhile.
    package static let tested: [ImageFormat] = CodecRegistry.tested.writableFormats
}

extension CodecRegistry {
    /// Texel's own codecs only.
    package static let tested = CodecRegistry(builtIn)
}
