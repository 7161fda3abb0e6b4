#if HTTP
    public import TexelCodecs
    public import TexelCore
    public import TexelPipeline

    /// The bytes at an HTTP or HTTPS address.
    public struct HTTPSource: ByteSource {
        /// The address, in normalised form.
        public let address: HTTPAddress
        private let connections: HTTPConnections

        init(_ address: HTTPAddress, _ connections: HTTPConnections) {
            self.address = address
            self.connections = connections
        }

        public var name: String { "\(address)" }
        public var identity: InputIdentity { InputIdentity("\(address)") }

        /// Sends the request and returns once the response has started.
        ///
        /// - Throws: errors of the transfer; `limitExceeded` if the announced size exceeds the limit; `stopped`.
        public func open(limits: Limits) async throws(TexelError) -> OpenedBytes {
            let configuration = connections.configuration
            let start = configuration.time.now()
            let transfer = HTTPTransfer(address, connections, limits: limits)
            let total = Watchdog(
                time: configuration.time, limit: configuration.totalTimeout, failure: .stopped(.timedOut))
            let answer = try await total.watch { (_) async throws(TexelError) in try await transfer.open() }
            // The time between opening and delivery does not count.
            let spent = configuration.time.now() - start
            switch answer {
            case .kept(let original, let address):
                return OpenedBytes(version: original.head.version(of: address), count: original.bytes.count) {
                    original.bytes
                }
            case .answered(let response):
                return OpenedBytes(version: response.version, count: response.head.contentLength) {
                    (arriving) async throws(TexelError) in
                    let rest = Watchdog(
                        time: total.time, limit: total.limit.map { $0 - spent }, failure: total.failure)
                    try await rest.watch { (_) async throws(TexelError) in
                        try await transfer.deliver(response, into: arriving)
                    }
                }
            }
        }
    }
#endif
