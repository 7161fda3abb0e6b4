import CCodecShims
import TexelPixels

/// A library that Texel links; its version belongs into a bug report.
public struct LinkedLibrary: Sendable, Hashable {
    public let name: String
    public let version: String

    package init(name: String, version: String) {
        self.name = name
        self.version = version
    }

    /// Those that read and write pictures.
    package static var codecs: [LinkedLibrary] {
        [
            LinkedLibrary(name: "libjpeg-turbo", version: String(cString: texel_libjpeg_version())),
            LinkedLibrary(name: "libpng", version: String(cString: texel_libpng_version())),
            LinkedLibrary(name: "libdeflate", version: Deflate.libraryVersion),
            LinkedLibrary(name: "ISA-L", version: Inflater.libraryVersion),
            LinkedLibrary(name: "zlib", version: String(cString: texel_zlib_version())),
            LinkedLibrary(name: "Little CMS", version: LittleCMS.version),
        ]
    }
}
