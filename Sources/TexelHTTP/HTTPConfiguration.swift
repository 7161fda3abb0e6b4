#if HTTP
    public import SystemPackage
    import TexelCodecs

    /// How a loader asks for bytes.
    public struct HTTPConfiguration: Sendable {
        /// How long making a connection may take.
        public var connectTimeout = Duration.seconds(10)
        /// How long nothing may come: no answer, or no further bytes of one.
        public var idleTimeout = Duration.seconds(30)
        /// How long one source may take from its first request to its last byte, waits between attempts included; `nil`
        /// is for ever.
        public var totalTimeout: Duration? = .seconds(300)
        public var retries = RetryPolicy()
        /// How many redirects are followed. They never lead from `https` to `http`.
        public var redirects = 5
        /// How many requests go to one server at the same time; the others wait.
        public var requestsPerServer = 6
        public var userAgent = "Texel"
        /// Further fields of each request, such as `Authorization`. A server to which another one redirects does not get
        /// them.
        public var headers: [String: String] = [:]
        /// A file of certificates (PEM) to trust instead of the system's.
        public var trustedCertificates: FilePath?
        /// Keeps what servers allow to keep; `nil` keeps nothing and asks each time.
        public var store: (any OriginalStore)?
        /// Whether kept bytes that are too old are used where the server cannot be asked.
        public var servesStaleOnError = false
        /// Asked for the address of each request, redirects included: whoever loads what strangers name refuses his own
        /// network here. A name may lead to any machine, and to another one at each request.
        public var allows: @Sendable (HTTPAddress) -> Bool = { _ in true }

        package var time = TransferTime.system

        public init() {}

        /// What is asked for, best first.
        static let acceptedTypes =
            ImageFormat.allCases.map { "image/\($0.rawValue)" }.joined(separator: ", ") + ", image/*;q=0.5, */*;q=0.1"
    }
#endif
