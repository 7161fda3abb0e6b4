#if HTTP
    import Synchronization
    import SystemPackage
    import TestSupport
    import Testing
    import TexelCodecs
    import TexelPipeline

    @testable import TexelHTTP

    @Suite("Originals that are kept", .timeLimit(.minutes(30)))
    struct ConditionalTests {
        private let time = TestTime()
        private let store = MemoryResponseCache()

        private func loader(_ configure: (inout HTTPConfiguration) -> Void = { _ in }) -> HTTPLoader {
            HTTPLoader(time) {
                $0.store = store
                $0.retries.attempts = 1
                configure(&$0)
            }
        }

        /// A server with one image, which answers 304 if the request has the validator.
        private func server(_ fields: String, validator: (name: String, value: String)?) throws -> LoopbackServer {
            try LoopbackServer { request, connection in
                if let validator, request.fields[validator.name] == validator.value {
                    connection.write("HTTP/1.1 304 Not Modified\r\n\(fields)\r\n")
                } else {
                    connection.answer(Array("picture".utf8), fields: fields)
                }
            }
        }

        private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

        @Test(
            "What has not changed is not sent again, and keeps its version",
            arguments: [
                ("ETag: \"v\"\r\n", "if-none-match", "\"v\""),
                ("ETag: W/\"v\"\r\nLast-Modified: \(date)\r\n", "if-none-match", "W/\"v\""),
                ("Last-Modified: \(date)\r\n", "if-modified-since", date),
                ("ETag: \"v\"\r\nCache-Control: no-cache, max-age=60\r\n", "if-none-match", "\"v\""),
            ])
        func unchangedOriginalsAreNotSentAgain(fields: String, name: String, value: String) async throws {
            let server = try server(fields, validator: (name, value))
            let loader = loader()
            var versions: [InputIdentity?] = []
            for _ in 0..<3 {
                let opened = try await loader.source(for: server.url()).open(limits: Limits())
                #expect(opened.count == 7)
                versions.append(opened.version)
                #expect(try await opened.bytes() == Array("picture".utf8))
            }
            #expect(server.requests.map { $0.fields[name] } == [nil, value, value])
            #expect(Set(versions).count == 1)
            #expect(versions.first != .some(nil))
        }

        @Test("Young bytes are used without asking, old ones are asked about and become young again")
        func freshOriginalsNeedNoRequest() async throws {
            let server = try server(
                "ETag: \"v\"\r\nCache-Control: max-age=60\r\nAge: 10\r\n", validator: ("if-none-match", "\"v\""))
            let loader = loader()
            let start = time.date
            for (seconds, requests) in [(0, 1), (49, 1), (50, 2), (99, 2), (100, 3)] {
                time.date = start + seconds
                #expect(try await loader.bytes(at: server.url()) == Array("picture".utf8))
                #expect(server.requests.count == requests, "after \(seconds) seconds")
            }
        }

        @Test(
            "What must not be kept is not kept",
            arguments: ["Cache-Control: private, No-Store\r\nETag: \"v\"\r\n", "Vary: *\r\nETag: \"v\"\r\n", ""])
        func uncacheableAnswersAreNotKept(fields: String) async throws {
            let server = try server(fields, validator: ("if-none-match", "\"v\""))
            let loader = loader()
            for _ in 0..<2 { #expect(try await loader.bytes(at: server.url()) == Array("picture".utf8)) }
            #expect(server.requests.map { $0.fields["if-none-match"] } == [nil, nil])
            #expect(await store.original(for: try HTTPAddress(server.url())) == nil)
        }

        @Test("A new version replaces the old one")
        func newVersionsReplaceOldOnes() async throws {
            let version = Mutex(1)
            let server = try LoopbackServer { _, connection in
                let version = version.withLock { $0 }
                connection.answer([UInt8(version)], fields: "ETag: \"\(version)\"\r\n")
            }
            let loader = loader()
            #expect(try await loader.bytes(at: server.url()) == [1])
            version.withLock { $0 = 2 }
            #expect(try await loader.bytes(at: server.url()) == [2])
            #expect(server.requests.map { $0.fields["if-none-match"] } == [nil, "\"1\""])
            #expect(await store.original(for: try HTTPAddress(server.url()))?.head.entityTag == "\"2\"")
        }

        @Test("Only whole answers are kept")
        func incompleteAnswersAreNotKept() async throws {
            let arrival = Arrival()
            let server = try LoopbackServer { _, connection in
                connection.write(
                    "HTTP/1.1 200 OK\r\nETag: \"v\"\r\nCache-Control: max-age=60\r\nContent-Length: 100\r\n\r\n01234")
                arrival.wait(for: 5)
                connection.close()
            }
            #expect(
                await loader().error(at: server.url(), arrival: arrival)
                    == .incomplete(received: 5, announced: 100))
            #expect(await store.original(for: try HTTPAddress(server.url())) == nil)
        }

        @Test("Old bytes stand in for a server that fails only where that is wanted and allowed")
        func staleBytesAreServedOnlyWhereAllowed() async throws {
            let isBroken = Mutex(false)
            let server = try LoopbackServer { request, connection in
                if isBroken.withLock({ $0 }) {
                    connection.write("HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n")
                } else {
                    let strictness = request.target == "/strict" ? "must-revalidate, " : ""
                    connection.answer([1], fields: "ETag: \"v\"\r\nCache-Control: \(strictness)max-age=1\r\n")
                }
            }
            for target in ["/", "/strict"] { #expect(try await loader().bytes(at: server.url(target)) == [1]) }
            isBroken.withLock { $0 = true }
            time.date += 10
            #expect(await loader().error(at: server.url("/")) == .status(500))
            let forgiving = loader { $0.servesStaleOnError = true }
            #expect(try await forgiving.bytes(at: server.url("/")) == [1])
            #expect(await forgiving.error(at: server.url("/strict")) == .status(500))
            #expect(await forgiving.error(at: server.url("/never-seen")) == .status(500))
        }

        @Test(
            "How long bytes stay young",
            arguments: [
                ([("Cache-Control", "max-age=100")], 100), ([("Cache-Control", "public, MAX-AGE=\"100\"")], 100),
                ([("Cache-Control", "max-age=100"), ("Age", "30")], 70),
                ([("Cache-Control", "max-age=10"), ("Age", "30")], 0),
                ([("Cache-Control", "max-age=-5")], 0), ([("Cache-Control", "max-age=x")], 0),
                ([("Cache-Control", "max-age=9223372036854775807")], 3_155_760_000),
                ([("Expires", "Sun, 06 Nov 1994 08:50:37 GMT"), ("Date", "Sun, 06 Nov 1994 08:49:37 GMT")], 60),
                ([("Expires", "0")], 0), ([("Cache-Control", "max-age=5"), ("Cache-Control", "no-cache")], 0), ([], 0),
            ])
        func fieldsDecideHowLongBytesStayFresh(fields: [(String, String)], expected: Int) throws {
            let head = ResponseHead(status: 200, fields: fields.map { ($0.0, $0.1) } + [("ETag", "\"v\"")])
            #expect(try #require(CachedResponseHead(head, now: 1000)).freshUntil == 1000 + expected)
        }

        @Test("A disk cache serves the next process as well")
        func diskCacheServesTheNextProcess() async throws {
            let folder = try TemporaryDirectory()
            let server = try server("ETag: \"v\"\r\n", validator: ("if-none-match", "\"v\""))
            var versions: [InputIdentity?] = []
            for _ in 0..<3 {
                let store = DiskResponseCache(DiskCache(directory: FilePath(folder("cache")), sizeLimit: 1 << 20))
                let source = try HTTPLoader(time) { $0.store = store }.source(for: server.url())
                let opened = try await source.open(limits: Limits())
                versions.append(opened.version)
                #expect(try await opened.bytes() == Array("picture".utf8))
            }
            #expect(server.requests.map { $0.fields["if-none-match"] } == [nil, "\"v\"", "\"v\""])
            #expect(Set(versions).count == 1)

            let address = try HTTPAddress(server.url())
            let store = DiskResponseCache(DiskCache(directory: FilePath(folder("cache")), sizeLimit: 1 << 20))
            var head = try #require(await store.original(for: address)).head
            head.freshUntil += 60
            await store.renew(head, for: address)
            #expect(await store.original(for: address)?.head == head)
            #expect(await store.original(for: address).map { Array($0.bytes) } == Array("picture".utf8))
            await store.remove(address)
            #expect(await store.original(for: address)?.head == nil)
        }

        @Test("The store in memory keeps what was used last, and no more than its limit")
        func storeKeepsRecentOriginalsWithinItsLimit() async throws {
            let store = MemoryResponseCache(byteLimit: 100)
            let addresses = try (0..<5).map { try HTTPAddress("http://h/\($0)") }
            func original(_ count: Int) -> CachedResponse {
                CachedResponse(
                    head: CachedResponseHead(entityTag: nil, lastModified: nil, freshUntil: 0, mustRevalidate: false),
                    bytes: InputBytes([UInt8](repeating: 0, count: count)))
            }
            func kept() async -> [Int?] {
                var kept: [Int?] = []
                for address in addresses { kept.append(await store.original(for: address)?.bytes.count) }
                return kept
            }
            for index in 0..<3 { await store.keep(original(30), for: addresses[index]) }
            _ = await store.original(for: addresses[0])
            await store.keep(original(40), for: addresses[3])
            #expect(await kept() == [30, nil, 30, 40, nil])
            await store.keep(original(101), for: addresses[0])
            #expect(await kept() == [nil, nil, 30, 40, nil])
            await store.remove(addresses[2])
            await store.keep(original(60), for: addresses[4])
            #expect(await kept() == [nil, nil, nil, 40, 60])
        }
    }

    @Suite("Dates", .timeLimit(.minutes(30)))
    struct HTTPDateTests {
        @Test(
            "All three forms, from the first century on",
            arguments: [
                ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
                ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
                ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400), ("Wed, 01 Mar 2000 00:00:00 GMT", 951_868_800),
                ("Mon, 01 Mar 2100 00:00:00 GMT", 4_107_542_400), ("Sun, 09 Sep 2001 01:46:40 GMT", 1_000_000_000),
                ("Sat, 01-Jan-00 00:00:00 GMT", 946_684_800), ("Thu, 31 Dec 2026 23:59:60 GMT", 1_798_761_600),
            ])
        func allFormsOfDatesAreParsed(text: String, seconds: Int) {
            #expect(HTTPDate.seconds(text) == seconds)
        }

        @Test(
            "Everything else is no date",
            arguments: [
                "", "0", "-1", "tomorrow", "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 32 Nov 1994 08:49:37 GMT",
                "Sun, 06 Nov 1994 25:49:37 GMT", "Sun, 06 Nov 1994",
            ])
        func otherTextsAreRefused(text: String) {
            #expect(HTTPDate.seconds(text) == nil)
        }
    }
#endif
