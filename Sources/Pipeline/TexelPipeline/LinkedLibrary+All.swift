public import TexelCodecs
import TexelFormats
import TexelOperations
import TexelPixels

extension LinkedLibrary {
    /// Every C library that Texel links, with its version.
    public static var all: [LinkedLibrary] {
        codecs + [
            LinkedLibrary(name: "Little CMS", version: LittleCMS.version),
            LinkedLibrary(name: "libsodium", version: ContentHasher.libraryVersion),
        ]
            + (Isolation.libraryVersion.map { [LinkedLibrary(name: "libseccomp", version: $0)] } ?? [])
    }
}
