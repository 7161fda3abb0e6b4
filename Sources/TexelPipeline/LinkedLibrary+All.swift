public import TexelCodecs

extension LinkedLibrary {
    public static var all: [LinkedLibrary] {
        codecs + [LinkedLibrary(name: "libsodium", version: ContentHasher.libraryVersion)]
            + (Isolation.libraryVersion.map { [LinkedLibrary(name: "libseccomp", version: $0)] } ?? [])
    }
}
