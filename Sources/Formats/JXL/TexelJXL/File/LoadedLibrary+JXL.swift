import CJXLShim
import TexelCodecs

extension LoadedLibrary {
    /// Reads and writes images.
    static let jxl = LoadedLibrary(
        "libjxl", package: "libjxl0.7", load: { texel_jxl_load($0) }, version: { version },
        path: { String(cString: texel_jxl_path()) })

    /// The threads of decoders and encoders. A part of libjxl, whose version it has.
    static let jxlThreads = LoadedLibrary(
        "libjxl_threads", package: "libjxl0.7", load: { texel_jxl_threads_load($0) }, version: { "0.7" },
        path: { String(cString: texel_jxl_threads_path()) })

    private static var version: String {
        let number = texel_jxl_version()
        return "\(number / 1_000_000).\(number / 1000 % 1000).\(number % 1000)"
    }
}
