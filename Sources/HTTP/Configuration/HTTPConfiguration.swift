#if HTTP
    public import SystemPackage
    import TexelCodecs

    /// The settings of an ``HTTPLoader``.
    public struct HTTPConfiguration: Sendable {
        /// The time limit for making a connection.
        public var connectTimeout = Duration.seconds(10)
        /// The time limit without any activity: until the response starts, or between two parts of its body.
        public var idleTimeout = Duration.seconds(30)
        /// The time limit for one source from the first request to the last byte, including delays between attempts;
        /// `nil` for none.
        public var totalTimeout: Duration? = .seconds(300)
        /// When failed requests are retried.
        public var retries = RetryPolicy()
        /// The maximum number of redirects. Redirects from `https` to `http` are refused.
        public var redirects = 5
        /// The maximum number of concurrent requests to one server; further requests wait.
        public var requestsPerServer = 6
        /// The value of the `User-Agent` field.
        public var userAgent = "Texel"
        /// Additional fields of each request, such as `Authorization`. They are not sent to other origins after a
        /// redirect.
        public var headers: [String: String] = [:]
        /// A PEM file of certificates to trust instead of the system's.
        public var trustedCertificates: FilePath?
        /// Stores responses as far as servers allow; `nil` requests everything anew.
        public var store: (any ResponseCache)?
        /// Whether expired stored bytes are used if the server cannot be reached.
        public var servesStaleOnError = false
        /// Decides for each request, including redirects, whether its address may be contacted. Programs that load
        /// untrusted addresses should refuse their internal network here. Note that a host name may resolve to any
        /// machine, and to a different one for each request.
        public var allows: @Sendable (HTTPAddress) -> Bool = { _ in true }

        /// The clock and random numbers; tests replace them.
        package var time = TransferTime.system

        /// Creates the default settings.
        public init() {}

        /// The `Accept` field, preferred types first.
        static let acceptedTypes =
            ImageFormat.all.map(\.mediaType).joined(separator: ", ") + ", image/*;q=0.5, */*;q=0.1"
    }
#endif
