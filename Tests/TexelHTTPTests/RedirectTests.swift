#if HTTP
    import TestSupport
    import Testing
    import TexelCodecs
    import TexelPipeline

    @testable import TexelHTTP

    @Suite("Redirects", .timeLimit(.minutes(30)))
    struct RedirectTests {
        private let time = TestTime()

        private static func redirect(_ location: String, status: Int = 302) -> String {
            "HTTP/1.1 \(status) Elsewhere\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n"
        }

        @Test("They are followed, relative ones too", arguments: [301, 302, 303, 307, 308])
        func relativeRedirectsAreFollowed(status: Int) async throws {
            let server = try LoopbackServer { request, connection in
                switch request.target {
                case "/a/1": connection.write(Self.redirect("2?x=y", status: status))
                case "/a/2?x=y": connection.write(Self.redirect("../b/3#part", status: status))
                case "/b/3": connection.answer([7], fields: "ETag: \"v\"\r\n")
                default: connection.write("HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n")
                }
            }
            let source = try HTTPLoader(time).source(for: server.url("/a/1"))
            let opened = try await source.open(limits: Limits())
            #expect(try await opened.bytes() == [7])
            // The version names the final address.
            #expect(opened.version == InputIdentity("\(server.url("/b/3")) \"v\""))
            #expect(source.identity == InputIdentity(server.url("/a/1")))
        }

        @Test("As many as allowed are followed, and not one more")
        func redirectsStopAtTheirLimit() async throws {
            let server = try LoopbackServer { request, connection in
                let number = Int(request.target.dropFirst()) ?? 0
                if number == 0 {
                    connection.answer([9], fields: "")
                } else {
                    connection.write(Self.redirect("/\(number - 1)"))
                }
            }
            let loader = HTTPLoader(time) { $0.redirects = 3 }
            #expect(try await loader.bytes(at: server.url("/3")) == [9])
            #expect(await loader.error(at: server.url("/4")) == .tooManyRedirects(allowed: 3))
            let none = HTTPLoader(time) { $0.redirects = 0 }
            #expect(try await none.bytes(at: server.url("/0")) == [9])
            #expect(await none.error(at: server.url("/1")) == .tooManyRedirects(allowed: 0))
        }

        @Test("A circle ends")
        func circularRedirectsEndAtTheLimit() async throws {
            let server = try LoopbackServer { _, connection in connection.write(Self.redirect("/again")) }
            #expect(await HTTPLoader(time).error(at: server.url()) == .tooManyRedirects(allowed: 5))
            #expect(server.requests.count == 6)
        }

        @Test(
            "Other schemes are not followed",
            arguments: ["ftp://h/a", "file:///etc/passwd", "http://user:pw@h/", "data:,"])
        func redirectsToUnsupportedAddressesAreRefused(target: String) async throws {
            let server = try LoopbackServer { _, connection in connection.write(Self.redirect(target)) }
            #expect(await HTTPLoader(time).error(at: server.url()) == .forbiddenRedirect(target))
        }

        @Test("A redirect to nowhere is a status")
        func redirectsWithoutLocationAreStatusErrors() async throws {
            let server = try LoopbackServer(answering: "HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n")
            #expect(await HTTPLoader(time).error(at: server.url()) == .status(302))
        }

        @Test("The caller's rule holds for the first address and for those after")
        func allowRuleHoldsForEveryAddress() async throws {
            let secret = try LoopbackServer { _, connection in connection.answer([1], fields: "") }
            let server = try LoopbackServer { _, connection in connection.write(Self.redirect(secret.url("/x"))) }
            let port = secret.port
            let loader = HTTPLoader(time) { $0.allows = { $0.port != port } }
            #expect(await loader.error(at: server.url()) == .refusedURL(secret.url("/x")))
            #expect(await loader.error(at: secret.url("/y")) == .refusedURL(secret.url("/y")))
            #expect(secret.requests.isEmpty)
        }
    }
#endif
