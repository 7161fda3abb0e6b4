import CWebPShim
import TexelCodecs

extension LoadedLibrary {
    /// Reads and writes images.
    static let webP = LoadedLibrary(
        "libwebp", package: "libwebp7", load: { texel_webp_load($0) },
        version: { text(texel_webp_version()) }, path: { String(cString: texel_webp_path()) })

    /// Writes animations.
    static let webPMux = LoadedLibrary(
        "libwebpmux", package: "libwebpmux3", load: { texel_webp_mux_load($0) },
        version: { text(texel_webp_mux_version()) }, path: { String(cString: texel_webp_mux_path()) })

    private static func text(_ version: Int32) -> String {
        "\(version >> 16).\(version >> 8 & 255).\(version & 255)"
    }
}
