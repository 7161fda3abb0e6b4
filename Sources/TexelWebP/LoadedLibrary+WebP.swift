import CWebPShim
import TexelCodecs

extension LoadedLibrary {
    static let webP = LoadedLibrary(
        "libwebp", package: "libwebp7", load: { texel_webp_load($0) },
        version: {
            let version = texel_webp_version()
            return "\(version >> 16).\(version >> 8 & 255).\(version & 255)"
        },
        path: { String(cString: texel_webp_path()) })
}
