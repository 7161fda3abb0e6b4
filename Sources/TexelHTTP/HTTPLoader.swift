#if HTTP
    import AsyncHTTPClient
    import NIOCore
    import NIOSSL
    public import TexelPipeline

    /// Loads pictures from servers.
    ///
    ///     let loader = HTTPLoader()
    ///     let source = try loader.source(for: "https://example.org/photo.jpg")
    ///
    /// Connections are kept and shared by all sources of one loader, and closed with it.
    public final class HTTPLoader: Sendable {
        public let configuration: HTTPConfiguration
        let client: HTTPClient
        let limiter: RequestLimiter

        public init(_ configuration: HTTPConfiguration = HTTPConfiguration()) {
            self.configuration = configuration
            limiter = RequestLimiter(width: configuration.requestsPerServer)
            var settings = HTTPClient.Configuration(
                redirectConfiguration: .disallow,
                timeout: .init(connect: TimeAmount(configuration.connectTimeout)), decompression: .disabled)
            settings.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = max(1, configuration.requestsPerServer)
            // The loader's own policy says when to try again.
            settings.connectionPool.retryConnectionEstablishment = false
            if let path = configuration.trustedCertificates {
                var security = TLSConfiguration.makeClientConfiguration()
                security.trustRoots = .file(path.string)
                settings.tlsConfiguration = security
            }
            client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: settings)
        }

        // Sources keep their loader, so nothing is under way any more.
        deinit { _ = client.shutdown() }

        /// The bytes at an address.
        ///
        /// - Throws: `transfer(.unsupportedAddress)` for other schemes than `http` and `https`, `transfer(.invalidAddress)`.
        public func source(for address: String) throws(PipelineError) -> HTTPSource {
            HTTPSource(try HTTPAddress(address), loader: self)
        }
    }

    extension HTTPAddress {
        /// What the file would be called that the address names; `nil` where it names none.
        public var fileName: String? {
            let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
            guard let decoded = PercentEncoding.decoded(name), !["", ".", ".."].contains(decoded),
                !decoded.unicodeScalars.contains(where: { $0 == "/" || $0.value < 0x20 || $0.value == 0x7F })
            else { return nil }
            return decoded
        }
    }
#endif
