#if HTTP
    import Synchronization
    import TestSupport
    import Testing
    import TexelCodecs
    import TexelPipeline

    @testable import TexelHTTP

    @Suite("Trying again", .timeLimit(.minutes(30)))
    struct RetryTests {
        private let time = TestTime()

        /// Answers the first requests with the given texts and all later ones with one byte.
        private func server(failing answers: [String]) throws -> LoopbackServer {
            let count = Mutex(0)
            return try LoopbackServer { _, connection in
                let number = count.withLock {
                    $0 += 1
                    return $0 - 1
                }
                if number < answers.count {
                    connection.write(answers[number])
                    if !answers[number].contains("Content-Length") { connection.close() }
                } else {
                    connection.answer([42])
                }
            }
        }

        private static func answer(_ status: Int, _ fields: String = "") -> String {
            "HTTP/1.1 \(status) X\r\n\(fields)Content-Length: 0\r\n\r\n"
        }

        @Test("Servers that may do better soon are asked again", arguments: [408, 425, 429, 500, 502, 503, 504, 599])
        func temporaryErrorsAreRetried(status: Int) async throws {
            let server = try server(failing: [Self.answer(status), Self.answer(status)])
            #expect(try await HTTPLoader(time).bytes(at: server.url()) == [42])
            // Three quarters of 0.5 s, then of 1 s: the random number is 1/2 here.
            #expect(time.sleeps == [.milliseconds(375), .milliseconds(750)])
        }

        @Test("At last the status is told")
        func lastAttemptReportsTheStatus() async throws {
            let server = try server(failing: Array(repeating: Self.answer(503), count: 9))
            let loader = HTTPLoader(time) { $0.retries.attempts = 4 }
            #expect(await loader.error(at: server.url()) == .status(503))
            #expect(server.requests.count == 4)
            #expect(time.sleeps == [.milliseconds(375), .milliseconds(750), .milliseconds(1500)])
        }

        @Test("A wish to wait is obeyed; too long a one is an end")
        func retryAfterSetsTheDelay() async throws {
            let server = try server(failing: [
                Self.answer(429, "Retry-After: 7\r\n"),
                Self.answer(503, "Retry-After: Sun, 09 Sep 2001 01:46:51 GMT\r\n"),
            ])
            #expect(try await HTTPLoader(time).bytes(at: server.url()) == [42])
            #expect(time.sleeps == [.seconds(7), .seconds(11)])
            let patient = try self.server(failing: [Self.answer(429, "Retry-After: 31\r\n")])
            #expect(await HTTPLoader(time).error(at: patient.url()) == .status(429))
            #expect(patient.requests.count == 1)
        }

        @Test("Waits grow up to the longest and never overflow")
        func delaysGrowToTheMaximum() {
            var policy = RetryPolicy()
            policy.attempts = 1000
            for attempt in 1..<1000 {
                let delay = policy.delay(afterAttempt: attempt, head: nil, time: time.transferTime)
                let whole = min(Duration.milliseconds(500) * (1 << min(attempt - 1, 10)), .seconds(30))
                #expect(delay == whole * 0.75)
            }
            #expect(policy.delay(afterAttempt: 1000, head: nil, time: time.transferTime) == nil)
        }

        @Test("A connection that breaks before the answer, and one that is refused")
        func brokenBeforeHead() async throws {
            let server = try server(failing: ["", "HTTP/1.1 200 O"])
            #expect(try await HTTPLoader(time).bytes(at: server.url()) == [42])
            let socket = try LoopbackSocket()
            let error = await HTTPLoader(time).error(at: "http://127.0.0.1:\(socket.port)/")
            #expect(error == .unreachable(host: "127.0.0.1", reason: "Connection refused"))
            #expect(time.sleeps.count == 4)
        }

        /// A server that closes the connection after an increasing number of bytes.
        private func breakingServer(
            _ bytes: [UInt8], fields: String, knowsRanges: Bool, breaks: Int = 2, _ arrival: Arrival
        ) throws -> LoopbackServer {
            let count = Mutex(0)
            return try LoopbackServer { request, connection in
                let number = count.withLock {
                    $0 += 1
                    return $0
                }
                var start = 0
                if knowsRanges, let range = request.fields["range"] {
                    start = Int(range.dropFirst(6).dropLast()) ?? 0
                    connection.write(
                        "HTTP/1.1 206 Part\r\nContent-Range: bytes \(start)-\(bytes.count - 1)/\(bytes.count)\r\n")
                } else {
                    connection.write("HTTP/1.1 200 OK\r\n")
                }
                connection.write("Content-Length: \(bytes.count - start)\r\n\(fields)\r\n")
                if number <= breaks {
                    let end = bytes.count * number / (breaks + 1)
                    connection.write(Array(bytes[start..<end]))
                    arrival.wait(for: end)
                    connection.close()
                } else {
                    connection.write(Array(bytes[start...]))
                }
            }
        }

        @Test("What is missing is asked for, where the version has a name")
        func missingBytesAreRequestedAsARange() async throws {
            let bytes = someBytes(300_000)
            let arrival = Arrival()
            let server = try breakingServer(bytes, fields: "ETag: \"v\"\r\n", knowsRanges: true, arrival)
            #expect(try await HTTPLoader(time).bytes(at: server.url(), arrival: arrival) == bytes)
            #expect(server.requests.map { $0.fields["range"] } == [nil, "bytes=100000-", "bytes=200000-"])
            #expect(server.requests.map { $0.fields["if-range"] } == [nil, "\"v\"", "\"v\""])
        }

        @Test(
            "Without a strong name, or ranges, all comes again and is compared",
            arguments: ["", "ETag: W/\"v\"\r\n", "ETag: \"v\"\r\n", "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT\r\n"])
        func transfersRestartIfTheyCannotResume(fields: String) async throws {
            let bytes = someBytes(300_000)
            let arrival = Arrival()
            let server = try breakingServer(bytes, fields: fields, knowsRanges: false, arrival)
            #expect(try await HTTPLoader(time).bytes(at: server.url(), arrival: arrival) == bytes)
            #expect(server.requests.count == 3)
        }

        @Test("Another picture is never appended to the first one", arguments: [true, false])
        func partsOfDifferentImagesAreNotJoined(isNamed: Bool) async throws {
            let arrival = Arrival()
            let count = Mutex(0)
            let server = try LoopbackServer { _, connection in
                let number = count.withLock {
                    $0 += 1
                    return $0
                }
                let fields = isNamed ? "ETag: \"\(number)\"\r\n" : ""
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\(fields)\r\n")
                connection.write([UInt8](repeating: UInt8(number), count: number == 1 ? 500 : 1000))
                guard number == 1 else { return }
                arrival.wait(for: 500)
                connection.close()
            }
            let error = await HTTPLoader(time).error(at: server.url(), arrival: arrival)
            if isNamed {
                #expect(error == .incomplete(received: 500, announced: 1000))
            } else {
                #expect(error?.kind == .transferFailed)
            }
        }

        @Test("A server that always breaks off is given up")
        func transfersThatAlwaysBreakFail() async throws {
            let bytes = someBytes(400)
            let arrival = Arrival()
            let server = try breakingServer(bytes, fields: "ETag: \"v\"\r\n", knowsRanges: true, breaks: 3, arrival)
            #expect(
                await HTTPLoader(time).error(at: server.url(), arrival: arrival)
                    == .incomplete(received: 300, announced: 400))
            #expect(server.requests.count == 3)
        }

        @Test("A part that begins elsewhere is not taken")
        func partsWithAnotherStartAreRefused() async throws {
            let arrival = Arrival()
            let count = Mutex(0)
            let server = try LoopbackServer { _, connection in
                let isFirst = count.withLock {
                    $0 += 1
                    return $0 == 1
                }
                connection.write(
                    isFirst
                        ? "HTTP/1.1 200 OK\r\nETag: \"v\"\r\nContent-Length: 10\r\n\r\n01234"
                        : "HTTP/1.1 206 Part\r\nETag: \"v\"\r\nContent-Range: bytes 4-9/10\r\n"
                            + "Content-Length: 6\r\n\r\n456789"
                )
                arrival.wait(for: 5)
                connection.close()
            }
            #expect(
                await HTTPLoader(time).error(at: server.url(), arrival: arrival)
                    == .incomplete(received: 5, announced: 10))
        }
    }
#endif
