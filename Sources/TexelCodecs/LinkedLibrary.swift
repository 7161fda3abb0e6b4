import CCodecShims
import TexelPixels

/// A library that Texel links, with its version, for bug reports.
public struct LinkedLibrary: Sendable, Hashable {
    /// The name of the library, such as "libpng".
    public let name: String
    /// The version, as the library writes it.
    public let version: String

    package init(name: String, version: String) {
        self.name = name
        self.version = version
    }

    /// The libraries that read and write images.
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
