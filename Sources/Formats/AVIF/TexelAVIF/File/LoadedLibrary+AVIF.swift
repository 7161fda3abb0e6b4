import CAVIFShim
import TexelCodecs

extension LoadedLibrary {
    /// libavif, with the AV1 codecs that it uses.
    static let avif = LoadedLibrary(
        "libavif", package: packageName, load: { texel_avif_load($0) },
        version: { "\(String(cString: texel_avif_version())) (\(avifCodecVersions))" },
        path: { String(cString: texel_avif_path()) })

    /// Debian's package: its name has the version of the headers.
    private static var packageName: String { texel_avif_headers_are_stable() ? "libavif16" : "libavif15" }

    /// The codecs as libavif writes them: "dav1d [dec]:1.0.0, aom [enc/dec]:v3.6.0".
    static var avifCodecVersions: String {
        var characters = [CChar](repeating: 0, count: 256)
        texel_avif_codec_versions(&characters)
        return String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
