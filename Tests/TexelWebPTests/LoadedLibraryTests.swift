#if WebP
    import Testing
    import TexelCodecs

    @testable import TexelWebP

    /// The library is found by its name, and says its version and its file.
    @Suite struct LoadedLibraryTests {
        @Test func versionAndFileAreKnown() throws {
            try LoadedLibrary.webP.require()
            let library = LoadedLibrary.webP.description
            #expect(library.name == "libwebp")
            #expect(library.version?.split(separator: ".").count == 3)
            #expect(library.path?.contains("libwebp") == true)
        }
    }
#endif
