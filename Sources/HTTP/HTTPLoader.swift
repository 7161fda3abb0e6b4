#if HTTP
    public import TexelCore
    import TexelPipeline

    /// Loads images over HTTP and HTTPS.
    ///
    ///     let loader = HTTPLoader()
    ///     let source = try loader.source(for: "https://example.org/photo.jpg")
    ///
    /// All sources of a loader share its connections, which are closed when the loader and its sources are released.
    public final class HTTPLoader: Sendable {
        private let connections: HTTPConnections

        /// Creates a loader.
        public init(_ configuration: HTTPConfiguration = HTTPConfiguration()) {
            connections = HTTPConnections(configuration)
        }

        /// The settings.
        public var configuration: HTTPConfiguration { connections.configuration }

        /// Makes a source for an address.
        ///
        /// - Throws: `unsupportedURL` for schemes other than `http` and `https`,
        ///   `invalidURL`.
        public func source(for address: String) throws(TexelError) -> HTTPSource {
            HTTPSource(try HTTPAddress(address), connections)
        }
    }
#endif
