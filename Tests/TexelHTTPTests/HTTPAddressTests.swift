#if HTTP
    import Testing
    import TexelCore
    import TexelPipeline

    @testable import TexelHTTP

    @Suite("Addresses")
    struct HTTPAddressTests {
        @Test(
            "Equal addresses have one spelling",
            arguments: [
                ("HTTP://Example.ORG", "http://example.org/"),
                ("http://example.org:80/a", "http://example.org/a"),
                ("https://example.org:443", "https://example.org/"),
                ("https://example.org:/x", "https://example.org/x"),
                ("http://example.org:8080/a#part", "http://example.org:8080/a"),
                ("http://h/a/./b/../c", "http://h/a/c"),
                ("http://h/a/b/..", "http://h/a/"),
                ("http://h/../../a/.", "http://h/a/"),
                ("http://h/a//b/", "http://h/a//b/"),
                ("http://h/%7euser/%2Fx%2f", "http://h/~user/%2Fx%2F"),
                ("http://h/%2e%2e/a", "http://h/a"),
                ("http://h/ein bild.png", "http://h/ein%20bild.png"),
                ("http://h/bäume.png?größe=1", "http://h/b%C3%A4ume.png?gr%C3%B6%C3%9Fe=1"),
                ("http://h/100%.png", "http://h/100%25.png"),
                ("http://h/a%+1b", "http://h/a%25+1b"),
                ("http://h?a=b/../c?d", "http://h/?a=b/../c?d"),
                ("http://h/?", "http://h/?"),
                ("http://[2001:DB8::0:1]:8080/a", "http://[2001:db8::1]:8080/a"),
                ("http://[::1]", "http://[::1]/"),
                ("http://my_host.example./", "http://my_host.example./"),
            ])
        func equalAddressesHaveOneSpelling(text: String, expected: String) throws {
            let address = try HTTPAddress(text)
            #expect("\(address)" == expected)
            #expect(try HTTPAddress("\(address)") == address)
        }

        @Test(
            "What is no address says why",
            arguments: [
                ("http://", "has no host"), ("http:///a", "has no host"), ("http://h:0/", "valid port"),
                ("http://h:65536/", "valid port"), ("http://h:8a/", "valid port"), ("http://h:-1/", "valid port"),
                ("http://a..b/", "1 to 63"), ("http://\(String(repeating: "a", count: 64)).org/", "1 to 63"),
                ("http://bücher.example/", "xn--"), ("http://a b/", "letters, digits"),
                ("http://a%2eb/", "letters, digits"),
                ("http://[::1/", "IPv6"), ("http://[127.0.0.1]/", "IPv6"), ("http://[fe80::1%25eth0]/", "IPv6"),
                ("http://[::1]x/", "valid port"), ("http://h/a\r\nX: y", "control"), ("http://h/\u{0}", "control"),
                ("http://user:secret@h/", "header"),
            ])
        func invalidAddressesTellTheReason(text: String, reason: String) throws {
            let error = #expect(throws: TexelError.self) { try HTTPAddress(text) }
            #expect(error?.kind == .invalidURL)
            #expect("\(try #require(error))".contains(reason))
            #expect(!"\(try #require(error))".contains("secret"))
        }

        @Test(
            "Other schemes are not supported",
            arguments: ["ftp://h/a", "file:///etc/passwd", "photo.jpg", "http:/h", ""])
        func otherSchemesAreUnsupported(text: String) {
            #expect(throws: TexelError.unsupportedURL(text)) { try HTTPAddress(text) }
        }

        /// RFC 3986, section 5.4, as far as the schemes are supported.
        @Test(
            "References are resolved as the standard's examples",
            arguments: [
                ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
                ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
                ("#s", "http://a/b/c/d;p?q"), ("g#s", "http://a/b/c/g"), ("g?y#s", "http://a/b/c/g?y"),
                (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"), ("", "http://a/b/c/d;p?q"),
                (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"),
                ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"), ("../../g", "http://a/g"),
                ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"), ("/./g", "http://a/g"),
                ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
                ("g..", "http://a/b/c/g.."),
                ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"),
                ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"),
                ("g;x=1/../y", "http://a/b/c/y"), ("g?y/./x", "http://a/b/c/g?y/./x"),
                ("https://other/x", "https://other/x"),
            ])
        func referencesResolveAsTheStandardSays(reference: String, expected: String) throws {
            #expect("\(try HTTPAddress("http://a/b/c/d;p?q").resolving(reference))" == expected)
        }

        @Test("A reference to another scheme is an error", arguments: ["ftp://h/a", "data:image/png;base64,AA", "g:h"])
        func referencesToOtherSchemesAreRefused(text: String) throws {
            let base = try HTTPAddress("http://a/b")
            #expect(throws: TexelError.self) { try base.resolving(text) }
        }

        @Test(
            "The last part of the path names a file",
            arguments: [
                ("http://h/a/photo.jpg?x=1", "photo.jpg"), ("http://h/ein%20bild.png", "ein bild.png"),
                ("http://h/", nil),
                ("http://h/a/", nil), ("http://h/a%2F..%2Fb", nil), ("http://h/%00", nil), ("http://h/%FF", nil),
                ("http://h/b%C3%A4ume.png", "bäume.png"),
            ] as [(String, String?)])
        func lastPathComponentIsTheFileName(text: String, expected: String?) throws {
            #expect(try HTTPAddress(text).fileName == expected)
        }
    }
#endif
