#if HTTP
    import Synchronization
    import TestSupport
    import Testing
    import TexelCodecs
    import TexelPipeline

    @testable import TexelHTTP

    @Suite("Transfers", .timeLimit(.minutes(30)))
    struct TransferTests {
        private let time = TestTime()

        @Test("Bytes arrive as they were sent", arguments: [0, 1, 15, 16, 70_000, 3_000_001])
        func bytesArriveAsTheyWereSent(count: Int) async throws {
            let bytes = someBytes(count)
            let server = try LoopbackServer { _, connection in
                connection.answer(bytes, fields: "Content-Type: image/png\r\nETag: \"a\"\r\n")
            }
            let source = try HTTPLoader(time).source(for: server.url("/a/../b%20c?d=%26#e"))
            #expect(source.name == "http://127.0.0.1:\(server.port)/b%20c?d=%26")
            #expect(source.identity == InputIdentity(source.name))
            let opened = try await source.open(limits: Limits())
            #expect(opened.count == count)
            #expect(opened.version == InputIdentity("\(source.name) \"a\""))
            #expect(try await opened.bytes() == bytes)
            let request = try #require(server.requests.first)
            #expect(request.target == "/b%20c?d=%26")
            #expect(request.fields["accept-encoding"] == "identity")
            #expect(request.fields["accept"]?.hasPrefix("image/png, image/jpeg") == true)
            #expect(request.fields["user-agent"] == "Texel")
            #expect(time.sleeps.isEmpty)
        }

        @Test("Without validators a version has no name; with a date it has")
        func versionsNeedAValidator() async throws {
            let server = try LoopbackServer { request, connection in
                connection.answer(
                    [1], fields: request.target == "/dated" ? "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT\r\n" : "")
            }
            let loader = HTTPLoader(time)
            #expect(try await loader.source(for: server.url("/plain")).open(limits: Limits()).version == nil)
            #expect(
                try await loader.source(for: server.url("/dated")).open(limits: Limits()).version
                    == InputIdentity("\(server.url("/dated")) Sun, 06 Nov 1994 08:49:37 GMT"))
        }

        @Test("Chunks are put together; how many bytes come is not known before")
        func chunkedBodiesArriveWithoutKnownCount() async throws {
            let bytes = someBytes(5000)
            let server = try LoopbackServer { _, connection in
                connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
                for start in stride(from: 0, to: bytes.count, by: 700) {
                    let piece = bytes[start..<min(start + 700, bytes.count)]
                    connection.write("\(String(piece.count, radix: 16))\r\n")
                    connection.write(Array(piece))
                    connection.write("\r\n")
                }
                connection.write("0\r\n\r\n")
            }
            let opened = try await HTTPLoader(time).source(for: server.url()).open(limits: Limits())
            #expect(opened.count == nil)
            #expect(try await opened.bytes() == bytes)
        }

        @Test("An old server ends its answer by closing the connection")
        func closedConnectionEndsTheBody() async throws {
            let bytes = someBytes(100_000)
            let server = try LoopbackServer { _, connection in
                connection.write("HTTP/1.0 200 OK\r\n\r\n")
                connection.write(bytes)
                connection.close()
            }
            #expect(try await HTTPLoader(time).bytes(at: server.url()) == bytes)
        }

        @Test("Bytes that drip arrive as well")
        func bytesSentSinglyArrive() async throws {
            let bytes = someBytes(200)
            let server = try LoopbackServer { _, connection in
                for byte in Array("HTTP/1.1 200 OK\r\nContent-Length: 200\r\n\r\n".utf8) + bytes {
                    connection.write([byte])
                }
            }
            #expect(try await HTTPLoader(time).bytes(at: server.url()) == bytes)
        }

        @Test("Connections are used again")
        func connectionsAreReused() async throws {
            let server = try LoopbackServer { _, connection in connection.answer(someBytes(10)) }
            let loader = HTTPLoader(time)
            for _ in 0..<5 { #expect(try await loader.bytes(at: server.url()).count == 10) }
            #expect(server.requests.count == 5)
            #expect(server.connectionCount == 1)
        }

        @Test("A hundred at once all arrive, a few at a time")
        func concurrentRequestsStayWithinTheLimit() async throws {
            let running = Mutex((now: 0, most: 0))
            let server = try LoopbackServer { request, connection in
                running.withLock {
                    $0.now += 1
                    $0.most = max($0.most, $0.now)
                }
                let count = Int(request.target.dropFirst()) ?? 0
                // Count the request as done before the last byte is sent: the next one may start as soon as that
                // arrives.
                let bytes = someBytes(1000 + count)
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(bytes.count)\r\n\r\n")
                connection.write(Array(bytes.dropLast()))
                running.withLock { $0.now -= 1 }
                connection.write(Array(bytes.suffix(1)))
            }
            let loader = HTTPLoader(time) { $0.requestsPerServer = 4 }
            await withTaskGroup(of: Bool.self) { group in
                for number in 0..<100 {
                    group.addTask {
                        (try? await loader.bytes(at: server.url("/\(number)"))) == someBytes(1000 + number)
                    }
                }
                for await isRight in group { #expect(isRight) }
            }
            #expect(server.requests.count == 100)
            #expect((1...4).contains(running.withLock { $0.most }))
        }

        @Test("What was opened and never read holds nobody up")
        func unreadBodiesBlockNoOtherRequests() async throws {
            let server = try LoopbackServer { _, connection in
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
                connection.waitUntilClosed()
            }
            let loader = HTTPLoader(time) { $0.requestsPerServer = 1 }
            for _ in 0..<3 {
                #expect(try await loader.source(for: server.url()).open(limits: Limits()).count == 1000)
            }
            #expect(server.requests.count == 3)
        }

        @Test("Fields of the configuration go to the server that was asked, and to no other")
        func headersGoOnlyToTheAskedServer() async throws {
            let other = try LoopbackServer { _, connection in connection.answer([1]) }
            let server = try LoopbackServer { request, connection in
                let location = request.target == "/1" ? "/2" : other.url("/3")
                connection.write("HTTP/1.1 302 Found\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n")
            }
            let loader = HTTPLoader(time) {
                $0.headers = ["Authorization": "Bearer x", "User-Agent": "Test"]
            }
            #expect(try await loader.bytes(at: server.url("/1")) == [1])
            #expect(server.requests.map { $0.fields["authorization"] } == ["Bearer x", "Bearer x"])
            #expect(server.requests.map { $0.fields["user-agent"] } == ["Test", "Test"])
            #expect(other.requests.map { $0.fields["authorization"] } == [nil])
        }
    }
#endif
