import CHEICShim
import TexelCodecs

extension LoadedLibrary {
    /// libde265.
    static let heic = LoadedLibrary(
        "libde265", package: "libde265-0", load: { texel_heic_load($0) },
        version: { String(cString: texel_heic_version()) }, path: { String(cString: texel_heic_path()) })
}
