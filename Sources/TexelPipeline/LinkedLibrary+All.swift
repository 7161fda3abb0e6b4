public import TexelCodecs

extension LinkedLibrary {
    /// Every C library that Texel links, with its version.
    public static var all: [LinkedLibrary] {
        codecs + [LinkedLibrary(name: "libsodium", version: ContentHasher.libraryVersion)]
            + (Isolation.libraryVersion.map { [LinkedLibrary(name: "libseccomp", version: $0)] } ?? [])
    }
}
