#if HTTP
    import AsyncHTTPClient
    import NIOCore
    import NIOHTTP1
    import TexelCodecs
    import TexelCore
    import TexelPipeline

    /// Loads one source, from the first request to the last byte.
    struct HTTPTransfer: Sendable {
        let address: HTTPAddress
        let connections: HTTPConnections
        let limits: Limits
        private var configuration: HTTPConfiguration { connections.configuration }
        private var time: TransferTime { configuration.time }

        /// The result of opening a source.
        enum Answer: Sendable {
            /// Stored bytes that are still valid, and their address.
            case kept(CachedResponse, HTTPAddress)
            /// A response with new bytes.
            case answered(Response)
        }

        /// A response whose body has not been read.
        struct Response: Sendable {
            var head: ResponseHead
            var body: HTTPClientResponse.Body
            /// The address that responded, after all redirects.
            var address: HTTPAddress
            var slot: RequestLimiter.Slot

            var version: InputIdentity? { CachedResponseHead.validators(of: head).version(of: address) }
        }

        init(_ address: HTTPAddress, _ connections: HTTPConnections, limits: Limits) {
            self.address = address
            self.connections = connections
            self.limits = limits
        }

        // MARK: Requests

        /// Sends the request, follows redirects, retries where that may help, and returns stored bytes or a response
        /// with a body.
        func open() async throws(TexelError) -> Answer {
            var address = address
            var attempt = 1
            for _ in 0...max(0, configuration.redirects) {
                let kept = await configuration.store?.original(for: address)
                if let kept, kept.head.freshUntil > time.date() { return .kept(kept, address) }
                let response: Response
                do throws(TexelError) {
                    response = try await ask(address, kept?.head.conditions ?? [], attempt: &attempt)
                } catch {
                    if let kept, isStaleAllowed(kept, after: error) { return .kept(kept, address) }
                    throw error
                }
                switch response.head.status {
                case 200:
                    try check(response.head)
                    return .answered(response)
                case 304:
                    guard let kept else { throw .status(304) }
                    return .kept(await renewed(kept, by: response.head, for: address), address)
                case 301, 302, 303, 307, 308:
                    address = try redirected(from: address, response.head)
                case let status: throw .status(status)
                }
            }
            throw .tooManyRedirects(allowed: configuration.redirects)
        }

        /// Sends requests to one address until one succeeds or fails in a way that retrying would not change.
        private func ask(
            _ address: HTTPAddress, _ fields: [(name: String, value: String)], attempt: inout Int
        ) async throws(TexelError) -> Response {
            while true {
                var head: ResponseHead?
                var fault: TexelError
                do {
                    let response = try await send(address, fields)
                    guard RetryPolicy.isWorthwhile(after: response.head.status) else { return response }
                    head = response.head
                    fault = .status(response.head.status)
                } catch {
                    let failure = TransferFailure(
                        error, host: address.host, connectLimit: configuration.connectTimeout)
                    fault = failure.error
                    if case .final = failure.kind { throw fault }
                }
                guard let delay = configuration.retries.delay(afterAttempt: attempt, head: head, time: time) else {
                    throw fault
                }
                attempt += 1
                try await wait(delay)
            }
        }

        /// Sends one request and waits for the head of the response.
        ///
        /// - Throws: `TransferFailure`, `CancellationError`.
        private func send(
            _ address: HTTPAddress, _ fields: [(name: String, value: String)]
        ) async throws -> Response {
            guard configuration.allows(address) else {
                throw TransferFailure(.final, .refusedURL("\(address)"))
            }
            let slot = try await connections.limiter.slot(for: address.origin)
            var request = HTTPClientRequest(url: "\(address)")
            request.headers = HTTPHeaders(
                [
                    ("User-Agent", configuration.userAgent), ("Accept", HTTPConfiguration.acceptedTypes),
                    ("Accept-Encoding", "identity"),
                ] + fields.map { ($0.name, $0.value) })
            if address.origin == self.address.origin {
                for (name, value) in configuration.headers { request.headers.replaceOrAdd(name: name, value: value) }
            }
            let (client, host, connectLimit) = (connections.client, address.host, configuration.connectTimeout)
            let prepared = request
            let response = try await idleWatch.watch { (_) async throws(TexelError) in
                // Return the failure as a value: the watchdog passes only `TexelError`, which does not say whether to
                // retry.
                do {
                    return Result<HTTPClientResponse, TransferFailure>.success(
                        try await client.execute(prepared, deadline: .distantFuture))
                } catch {
                    return .failure(TransferFailure(error, host: host, connectLimit: connectLimit))
                }
            }.get()
            let head = ResponseHead(
                status: Int(response.status.code), fields: response.headers.map { ($0.name, $0.value) })
            return Response(head: head, body: response.body, address: address, slot: slot)
        }

        private var idleWatch: Watchdog {
            let limit = configuration.idleTimeout
            return Watchdog(time: time, limit: limit, failure: .transferTimedOut(after: limit))
        }

        private func wait(_ delay: Duration) async throws(TexelError) {
            do { try await time.sleep(delay) } catch { throw .stopped(.cancelled) }
        }

        private func redirected(from address: HTTPAddress, _ head: ResponseHead) throws(TexelError) -> HTTPAddress {
            guard let location = head["location"] else { throw .status(head.status) }
            let target: HTTPAddress
            do {
                target = try address.resolving(location)
            } catch {
                throw .forbiddenRedirect(location)
            }
            guard target.isSecure || !address.isSecure else { throw .forbiddenRedirect("\(target)") }
            return target
        }

        /// Rejects a response by its head: compressed transfer or too many bytes.
        private func check(_ head: ResponseHead) throws(TexelError) {
            if let encoding = head.contentEncoding {
                throw .transferFailed("the server used the content encoding \(encoding), which was not requested")
            }
            if let count = head.contentLength, count > limits.inputBytes {
                throw .limitExceeded(.inputBytes, value: count, allowed: limits.inputBytes)
            }
        }

        // MARK: Storing

        private func isStaleAllowed(_ kept: CachedResponse, after error: TexelError) -> Bool {
            guard configuration.servesStaleOnError, !kept.head.mustRevalidate else { return false }
            switch error.kind {
            case .unreachable, .transferTimedOut, .transferFailed, .status(500...): return true
            default: return false
            }
        }

        private func renewed(
            _ kept: CachedResponse, by head: ResponseHead, for address: HTTPAddress
        ) async -> CachedResponse {
            guard let renewed = kept.head.renewed(by: head, now: time.date()) else {
                await configuration.store?.remove(address)
                return kept
            }
            if renewed != kept.head { await configuration.store?.renew(renewed, for: address) }
            return CachedResponse(head: renewed, bytes: kept.bytes)
        }

        private func keep(_ response: Response, _ bytes: InputBytes) async {
            guard let store = configuration.store else { return }
            if let head = CachedResponseHead(response.head, now: time.date()) {
                await store.keep(CachedResponse(head: head, bytes: bytes), for: response.address)
            } else {
                await store.remove(response.address)
            }
        }

        // MARK: Delivery

        /// Delivers the body of a response. If the connection breaks, requests the rest.
        func deliver(_ first: Response, into arriving: ArrivingBytes) async throws(TexelError) {
            defer { first.slot.end() }
            var response = first
            var attempt = 1
            while true {
                let failure = try await pump(response, into: arriving)
                response.slot.end()
                guard let failure else { break }
                let delay =
                    failure.kind == .final
                    ? nil : configuration.retries.delay(afterAttempt: attempt, head: nil, time: time)
                guard let delay else {
                    guard failure.kind == .broken else { throw failure.error }
                    throw .incomplete(received: arriving.count, announced: first.head.contentLength)
                }
                attempt += 1
                try await wait(delay)
                response = try await ask(first.address, rangeFields(first, from: arriving.count), attempt: &attempt)
                guard isContinuation(response, of: first, from: arriving.count) else {
                    throw .incomplete(received: arriving.count, announced: first.head.contentLength)
                }
            }
            arriving.finish()
            await keep(first, InputBytes(arriving))
        }

        /// Reads a response to its end. Returns a failure that may be retried; throws others.
        private func pump(
            _ response: Response, into arriving: ArrivingBytes
        ) async throws(TexelError) -> TransferFailure? {
            let (host, connectLimit) = (response.address.host, configuration.connectTimeout)
            return try await idleWatch.watch { (activity) async throws(TexelError) -> TransferFailure? in
                var sink = ArrivingSink(arriving, response.head)
                do {
                    for try await piece in response.body {
                        activity.note()
                        try piece.withUnsafeReadableBytes { try sink.append($0) }
                    }
                    try sink.finish()
                    return nil
                } catch {
                    let failure = TransferFailure(error, host: host, connectLimit: connectLimit)
                    if case .final = failure.kind { throw failure.error }
                    return failure
                }
            }
        }

        /// The fields that request the missing bytes, on condition that the resource is unchanged.
        private func rangeFields(_ first: Response, from count: Int) -> [(name: String, value: String)] {
            // Only a strong validator guarantees identical bytes (RFC 9110, section 13.1.5). Without one, request
            // everything again.
            guard count > 0, let tag = first.head["etag"], !tag.hasPrefix("W/") else { return [] }
            return [("Range", "bytes=\(count)-"), ("If-Range", tag)]
        }

        /// Whether a later response continues or repeats an earlier one, as far as the heads show.
        private func isContinuation(_ response: Response, of first: Response, from count: Int) -> Bool {
            switch response.head.status {
            case 206:
                guard let range = response.head.contentRange, range.start == count else { return false }
                return first.head.contentLength == nil || range.total == nil || range.total == first.head.contentLength
            case 200:
                return response.version == first.version && response.head.contentLength == first.head.contentLength
                    && response.head.contentEncoding == nil
            default: return false
            }
        }
    }
#endif
