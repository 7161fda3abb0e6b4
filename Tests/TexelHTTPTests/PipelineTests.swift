#if HTTP
    import TestSupport
    import Testing
    import TexelCodecs
    import TexelCore
    import TexelFormats
    import TexelJPEG
    import TexelPNG
    import TexelHTTP
    import TexelPipeline
    import TexelPixels

    @Suite("Addresses in the image pipeline", .timeLimit(.minutes(30)))
    struct PipelineTests {
        private let image: PixelBuffer
        private let file: [UInt8]

        init() throws {
            image = try .random(width: 40, height: 30)
            file = try image.encoded(as: .png(PNGOptions(effort: .fast)))
        }

        private func loader() -> HTTPLoader {
            var configuration = HTTPConfiguration()
            configuration.retries.attempts = 1
            return HTTPLoader(configuration)
        }

        @Test("Many who want the same address ask its server once")
        func equalRequestsAskTheServerOnce() async throws {
            // The server answers once all requests for the image were made.
            let (asked, signal) = AsyncStream.makeStream(of: Void.self)
            let gate = Gate()
            let file = file
            let server = try LoopbackServer { _, connection in
                signal.yield()
                gate.wait()
                connection.answer(file)
            }
            let pipeline = ImagePipeline()
            let source = try loader().source(for: server.url())
            let tasks = (0..<20).map { _ in pipeline.imageTask(for: ImageRequest(source)) }
            var iterator = asked.makeAsyncIterator()
            _ = await iterator.next()
            gate.open()
            for task in tasks { #expect(try await task.value.pixels == image.pixels) }
            #expect(server.requests.count == 1)
        }

        @Test("A picture that breaks off is an error, and others go on")
        func brokenTransfersFailAlone() async throws {
            let file = file
            let server = try LoopbackServer { request, connection in
                if request.target == "/whole" { return connection.answer(file) }
                connection.write("HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: \(file.count)\r\n\r\n")
                connection.write(Array(file.prefix(file.count / 2)))
                connection.close()
            }
            let pipeline = ImagePipeline()
            let loader = loader()
            async let failing = pipeline.image(for: ImageRequest(loader.source(for: server.url("/broken"))))
            async let whole = pipeline.image(for: ImageRequest(loader.source(for: server.url("/whole"))))
            #expect(try await whole.pixels == image.pixels)
            do {
                _ = try await failing
                Issue.record("half a picture")
            } catch let error as TexelError {
                // The connection may break before the head of the response arrives.
                switch error.kind {
                case .incomplete, .transferFailed: break
                default: Issue.record("\(error)")
                }
            }
        }

        @Test("Cancelling the last request closes the connection")
        func lastCancellationClosesTheConnection() async throws {
            let (events, signal) = AsyncStream.makeStream(of: String.self)
            let file = file
            let server = try LoopbackServer { _, connection in
                connection.write("HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: \(file.count)\r\n\r\n")
                connection.write(Array(file.prefix(file.count / 2)))
                signal.yield("half")
                connection.waitUntilClosed()
                signal.yield("closed")
            }
            let pipeline = ImagePipeline()
            let task = pipeline.imageTask(for: ImageRequest(try loader().source(for: server.url())))
            var iterator = events.makeAsyncIterator()
            #expect(await iterator.next() == "half")
            task.cancel()
            #expect(await iterator.next() == "closed")
            await #expect(throws: TexelError.stopped(.cancelled)) { try await task.value }
        }
    }
#endif
