#if HTTP
    import Synchronization
    import TestSupport
    import Testing
    import TexelCodecs
    import TexelCore
    import TexelPipeline

    @testable import TexelHTTP

    @Suite("Servers that fail or lie", .timeLimit(.minutes(30)))
    struct FaultTests {
        private let time = TestTime()

        /// A loader without retries.
        private func loader(_ configure: (inout HTTPConfiguration) -> Void = { _ in }) -> HTTPLoader {
            HTTPLoader(time) {
                $0.retries.attempts = 1
                configure(&$0)
            }
        }

        @Test("A port where nobody listens")
        func closedPortsAreUnreachable() async throws {
            let socket = try LoopbackSocket()
            let error = await loader().error(at: "http://127.0.0.1:\(socket.port)/")
            #expect(error == .unreachable(host: "127.0.0.1", reason: "Connection refused"))
        }

        @Test("A name that nobody has")
        func unknownHostsAreUnreachable() async throws {
            let error = await loader().error(at: "http://no-such-host.invalid/")
            #expect(error?.kind == .unreachable)
            #expect(error?.description.hasPrefix("cannot reach no-such-host.invalid: ") == true)
        }

        @Test("A server that takes the connection and never answers")
        func stallsBeforeHead() async throws {
            let server = try LoopbackServer { _, connection in connection.waitUntilClosed() }
            let loader = loader { $0.idleTimeout = .seconds(30) }
            #expect(await loader.error(at: server.url()) == .transferTimedOut(after: .seconds(30)))
        }

        @Test("A server that stops in the middle")
        func stallsInBody() async throws {
            let (closed, signal) = AsyncStream.makeStream(of: Void.self)
            let server = try LoopbackServer { _, connection in
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n0123456789")
                connection.waitUntilClosed()
                signal.yield()
            }
            let loader = loader { $0.idleTimeout = .seconds(120) }
            let opened = try await loader.source(for: server.url()).open(limits: Limits())
            time.skip(upTo: .seconds(120))
            await #expect(throws: TexelError.transferTimedOut(after: .seconds(120))) { try await opened.bytes() }
            var isClosed = closed.makeAsyncIterator()
            #expect(await isClosed.next() != nil)
        }

        @Test("A server that always sends a little, and never all")
        func slowForEver() async throws {
            let server = try LoopbackServer { _, connection in
                connection.write("HTTP/1.1 200 OK\r\n\r\n0123456789")
                connection.waitUntilClosed()
            }
            let loader = loader { $0.totalTimeout = .seconds(120) }
            let opened = try await loader.source(for: server.url()).open(limits: Limits())
            time.skip(upTo: .seconds(120))
            await #expect(throws: TexelError.stopped(.timedOut)) { try await opened.bytes() }
        }

        @Test("Fewer bytes than announced", arguments: [0, 1, 99])
        func shortBodiesAreIncomplete(count: Int) async throws {
            let arrival = Arrival()
            let server = try LoopbackServer { _, connection in
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n")
                connection.write(someBytes(count))
                arrival.wait(for: count)
                connection.close()
            }
            #expect(
                await loader().error(at: server.url(), arrival: arrival)
                    == .incomplete(received: count, announced: 100))
        }

        @Test("More bytes than announced are nobody's")
        func surplusBytesAreIgnored() async throws {
            let server = try LoopbackServer { _, connection in
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n0123456789")
                connection.waitUntilClosed()
            }
            let loader = loader()
            #expect(try await loader.bytes(at: server.url()) == Array("01234".utf8))
            #expect(try await loader.bytes(at: server.url()) == Array("01234".utf8))
        }

        @Test("Bytes without end stop at the limit")
        func endlessBodiesStopAtTheLimit() async throws {
            let (closed, signal) = AsyncStream.makeStream(of: Void.self)
            let server = try LoopbackServer { _, connection in
                connection.write("HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n")
                while connection.write([UInt8](repeating: 7, count: 65_536)) {}
                signal.yield()
            }
            var limits = Limits()
            limits.inputBytes = 1_000_000
            let error = await loader().error(at: server.url(), limits: limits)
            #expect(error?.kind == .limitExceeded(.inputBytes))
            #expect(error?.description.hasSuffix(" exceeds the limit of 1000000") == true)
            var isClosed = closed.makeAsyncIterator()
            #expect(await isClosed.next() != nil)
        }

        @Test("A huge length is refused before anything comes", arguments: ["1000001", "99999999999999999999999"])
        func hugeLengthsAreRefusedAtOnce(text: String) async throws {
            let server = try LoopbackServer { _, connection in
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(text)\r\n\r\n")
                connection.waitUntilClosed()
            }
            var limits = Limits()
            limits.inputBytes = 1_000_000
            let error = await loader().error(at: server.url(), limits: limits)
            switch error?.kind {
            case .limitExceeded(.inputBytes) where error?.description.hasSuffix(" 1000000") == true: break
            // A number that overflows an integer is rejected by the HTTP parser.
            case .transferFailed where text.count > 20: break
            default: Issue.record("\(String(describing: error))")
            }
        }

        @Test(
            "What is no HTTP",
            arguments: [
                "\u{89}PNG\r\n\u{1A}\n and more", "220 mail.example ESMTP\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n012345",
                "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n",
                "HTTP/1.1 200 OK\r\nBad Header Name: x\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\nabc",
            ])
        func invalidHTTPFailsTheTransfer(answer: String) async throws {
            let server = try LoopbackServer { _, connection in
                connection.write(answer)
                connection.waitUntilClosed()
            }
            let error = await loader().error(at: server.url())
            #expect(error?.kind == .transferFailed)
            #expect(error?.description.contains("not valid HTTP") == true)
        }

        @Test("A connection that ends at once", arguments: [false, true])
        func closedAtOnce(isReset: Bool) async throws {
            let server = try LoopbackServer { _, connection in isReset ? connection.reset() : connection.close() }
            #expect(await loader().error(at: server.url())?.kind == .transferFailed)
        }

        @Test(
            "A page instead of a picture is called by its type",
            arguments: ["text/html; charset=utf-8", "application/json"])
        func pagesAreReportedByTheirType(type: String) async throws {
            let server = try LoopbackServer { _, connection in
                connection.answer(
                    Array("<html><body>Not found, sorry</body></html>".utf8), fields: "Content-Type: \(type)\r\n")
            }
            let error = await loader().error(at: server.url())
            #expect(error == .unexpectedContentType(String(type.prefix { $0 != ";" })))
            #expect("\(try #require(error))".contains("the server sent \(type.prefix { $0 != ";" })"))
        }

        @Test("A picture is taken whatever the server calls it", arguments: ["text/plain", "text/html"])
        func imagesWithWrongTypesAreAccepted(type: String) async throws {
            let bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + someBytes(500)
            let server = try LoopbackServer { _, connection in
                connection.answer(bytes, fields: "Content-Type: \(type)\r\n")
            }
            #expect(try await loader().bytes(at: server.url()) == bytes)
        }

        @Test("Bytes that were packed on the way are refused")
        func compressedBodiesAreRefused() async throws {
            let server = try LoopbackServer { _, connection in
                connection.answer(someBytes(100), fields: "Content-Encoding: gzip\r\n")
            }
            let error = await loader().error(at: server.url())
            #expect(error.map { "\($0)" }?.contains("gzip") == true)
        }

        @Test("Answers that have no bytes are statuses", arguments: [204, 206, 304, 400, 401, 403, 404, 410, 501])
        func answersWithoutBytesReportTheirStatus(status: Int) async throws {
            let server = try LoopbackServer(answering: "HTTP/1.1 \(status) X\r\nContent-Length: 0\r\n\r\n")
            #expect(await HTTPLoader(time).error(at: server.url()) == .status(status))
            #expect(server.requests.count == 1)
        }

        @Test("Cancelling closes the connection at once", arguments: [false, true])
        func cancellingClosesTheConnection(inBody: Bool) async throws {
            let (events, signal) = AsyncStream.makeStream(of: String.self)
            let server = try LoopbackServer { _, connection in
                if inBody { connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n0123456789") }
                signal.yield("asked")
                connection.waitUntilClosed()
                signal.yield("closed")
            }
            let loader = loader()
            let address = server.url()
            let task = Task { await loader.error(at: address) }
            var iterator = events.makeAsyncIterator()
            #expect(await iterator.next() == "asked")
            task.cancel()
            #expect(await task.value == .stopped(.cancelled))
            #expect(await iterator.next() == "closed")
        }

        @Test("One that waits for its turn can be cancelled")
        func cancelledInQueue() async throws {
            let (asked, signal) = AsyncStream.makeStream(of: Void.self)
            let server = try LoopbackServer { _, connection in
                signal.yield()
                connection.waitUntilClosed()
            }
            let loader = loader { $0.requestsPerServer = 1 }
            let address = server.url()
            let first = Task { await loader.error(at: address) }
            var iterator = asked.makeAsyncIterator()
            _ = await iterator.next()
            let second = Task { await loader.error(at: address) }
            second.cancel()
            #expect(await second.value == .stopped(.cancelled))
            first.cancel()
            #expect(await first.value == .stopped(.cancelled))
            #expect(server.requests.count == 1)
        }
    }
#endif
