#if HTTP
    import AsyncHTTPClient
    import NIOCore
    import NIOSSL
    public import TexelPipeline

    /// Loads images over HTTP and HTTPS.
    ///
    ///     let loader = HTTPLoader()
    ///     let source = try loader.source(for: "https://example.org/photo.jpg")
    ///
    /// All sources of a loader share its connections, which are closed when it is released.
    public final class HTTPLoader: Sendable {
        /// The settings.
        public let configuration: HTTPConfiguration
        let client: HTTPClient
        let limiter: RequestLimiter

        /// Creates a loader.
        public init(_ configuration: HTTPConfiguration = HTTPConfiguration()) {
            self.configuration = configuration
            limiter = RequestLimiter(width: configuration.requestsPerServer)
            var settings = HTTPClient.Configuration(
                redirectConfiguration: .disallow,
                timeout: .init(connect: TimeAmount(configuration.connectTimeout)), decompression: .disabled)
            settings.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = max(1, configuration.requestsPerServer)
            // ``RetryPolicy`` decides about retries.
            settings.connectionPool.retryConnectionEstablishment = false
            if let path = configuration.trustedCertificates {
                var security = TLSConfiguration.makeClientConfiguration()
                security.trustRoots = .file(path.string)
                settings.tlsConfiguration = security
            }
            client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: settings)
        }

        // Sources retain their loader, so no request is running.
        deinit { _ = client.shutdown() }

        /// Makes a source for an address.
        ///
        /// - Throws: `transfer(.unsupportedURL)` for schemes other than `http` and `https`,
        ///   `transfer(.invalidURL)`.
        public func source(for address: String) throws(PipelineError) -> HTTPSource {
            HTTPSource(try HTTPAddress(address), loader: self)
        }
    }

    extension HTTPAddress {
        /// The decoded last component of the path, as a file name; `nil` if it is not usable as one.
        public var fileName: String? {
            let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
            guard let decoded = PercentEncoding.decoded(name), !["", ".", ".."].contains(decoded),
                !decoded.unicodeScalars.contains(where: { $0 == "/" || $0.value < 0x20 || $0.value == 0x7F })
            else { return nil }
            return decoded
        }
    }
#endif
