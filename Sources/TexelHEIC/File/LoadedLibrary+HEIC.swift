import CHEICShim
import TexelCodecs

extension LoadedLibrary {
    /// libheif, with the HEVC decoder that it uses.
    static let heic = LoadedLibrary(
        "libheif", package: "libheif1", load: { texel_heic_load($0) },
        version: { String(cString: texel_heic_version()) }, path: { String(cString: texel_heic_path()) })
}
