#if HTTP
    import SystemPackage
    import TestSupport
    import Testing
    import TexelPipeline

    @testable import TexelHTTP

    @Suite("Secure transfers", .timeLimit(.minutes(30)))
    struct SecureTransferTests {
        private let time = TestTime()
        private let folder = try? TemporaryDirectory()

        /// A loader that trusts the test server's certificate.
        private func loader() throws -> HTTPLoader {
            let file = try #require(folder).add("certificate.pem", SecureServer.certificate.utf8)
            return HTTPLoader(time) { $0.trustedCertificates = FilePath(file) }
        }

        @Test("A server whose certificate is trusted")
        func trustedCertificatesAreAccepted() async throws {
            let server = try await SecureServer(answering: "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc")
            #expect(try await loader().bytes(at: "https://localhost:\(server.port)/") == Array("abc".utf8))
        }

        @Test("One whose certificate is not, and no second attempt")
        func untrustedCertificatesFailWithoutRetry() async throws {
            let server = try await SecureServer(answering: "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc")
            #expect(
                await HTTPLoader(time).error(at: "https://127.0.0.1:\(server.port)/")
                    == .unreachable(host: "127.0.0.1", reason: "its certificate is not trusted"))
            #expect(time.sleeps.isEmpty)
        }

        @Test("One whose certificate is another's")
        func certificatesOfOtherHostsAreRefused() async throws {
            let server = try await SecureServer(answering: "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc")
            let error = await (try loader()).error(at: "https://127.0.0.1:\(server.port)/")
            #expect(
                error
                    == .unreachable(host: "127.0.0.1", reason: "its certificate is for another host name"))
        }

        @Test("A server that never agrees on how to be secure")
        func stalledHandshakesTimeOut() async throws {
            let server = try LoopbackServer(answering: "")
            let loader = HTTPLoader(time) {
                $0.connectTimeout = .milliseconds(50)
                $0.retries.attempts = 1
            }
            #expect(
                await loader.error(at: "https://127.0.0.1:\(server.port)/")
                    == .unreachable(host: "127.0.0.1", reason: "no connection within 0.05 seconds"))
        }

        @Test("A redirect to where anybody can listen is not followed")
        func redirectsToPlainHTTPAreRefused() async throws {
            let server = try await SecureServer(
                answering: "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n")
            #expect(
                await (try loader()).error(at: "https://localhost:\(server.port)/")
                    == .forbiddenRedirect("http://127.0.0.1:1/"))
        }
    }
#endif
