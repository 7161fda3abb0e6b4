import CTIFFShim
import TexelCodecs

extension LoadedLibrary {
    /// Compresses and decompresses strips and tiles.
    static let tiff = LoadedLibrary(
        "libtiff", package: "libtiff6", load: { texel_tiff_load($0) }, version: { version },
        path: { String(cString: texel_tiff_path()) })

    /// libtiff returns "LIBTIFF, Version 4.5.0" and its copyright.
    private static var version: String {
        let text = String(cString: texel_tiff_version())
        let words = text.prefix { $0 != "\n" }.split(separator: " ")
        return words.last.map(String.init) ?? text
    }
}
