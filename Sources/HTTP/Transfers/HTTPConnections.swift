#if HTTP
    import AsyncHTTPClient
    import NIOCore
    import NIOSSL

    /// The connections of a loader to its servers, and the settings for using them.
    ///
    /// The connections are closed when this is released.
    final class HTTPConnections: Sendable {
        let configuration: HTTPConfiguration
        let client: HTTPClient
        let limiter: RequestLimiter

        init(_ configuration: HTTPConfiguration) {
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

        // Transfers retain the connections, so no request is running.
        deinit { _ = client.shutdown() }
    }
#endif
