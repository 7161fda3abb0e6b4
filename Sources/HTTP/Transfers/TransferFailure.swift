#if HTTP
    import AsyncHTTPClient
    import NIOCore
    import NIOHTTP1
    import NIOPosix
    import NIOSSL
    import SystemPackage
    import TexelCore
    import TexelPipeline

    /// The error of one attempt, and whether a retry may help.
    struct TransferFailure: Error {
        enum Kind {
            /// No connection could be made.
            case unreachable
            /// The connection broke.
            case broken
            /// A retry would not help.
            case final
        }

        var kind: Kind
        var error: TexelError

        init(_ kind: Kind, _ error: TexelError) {
            self.kind = kind
            self.error = error
        }

        init(final error: TexelError) {
            kind = .final
            self.error = error
        }

        /// Classifies an error of the HTTP client.
        ///
        /// - Parameters:
        ///   - error: The error.
        ///   - host: The server's name, for messages.
        ///   - connectLimit: The time limit for connecting, for messages.
        init(_ error: any Error, host: String, connectLimit: Duration) {
            func unreachable(_ reason: String) -> TransferFailure {
                TransferFailure(.unreachable, .unreachable(host: host, reason: reason))
            }
            func broken(_ reason: String) -> TransferFailure { TransferFailure(.broken, .transferFailed(reason)) }
            switch error {
            case let error as TransferFailure: self = error
            case let error as TexelError: self.init(final: error)
            case is CancellationError: self.init(final: .stopped(.cancelled))
            case let error as HTTPClientError:
                switch error {
                case .cancelled: self.init(final: .stopped(.cancelled))
                case .connectTimeout, .getConnectionFromPoolTimeout, .tlsHandshakeTimeout:
                    self = unreachable("no connection within \(connectLimit)")
                case .remoteConnectionClosed, .uncleanShutdown: self = broken(Self.closed)
                default: self.init(.final, .transferFailed(error.shortDescription))
                }
            case ChannelError.connectTimeout: self = unreachable("no connection within \(connectLimit)")
            case HTTPParserError.invalidEOFState, NIOSSLError.uncleanShutdown, ChannelError.ioOnClosedChannel,
                ChannelError.alreadyClosed:
                self = broken(Self.closed)
            case let error as NIOConnectionError: self = unreachable(Self.reason(error))
            case let error as IOError:
                let reason = "\(Errno(rawValue: error.errnoCode))"
                self = Self.connectCodes.contains(error.errnoCode) ? unreachable(reason) : broken(reason)
            case NIOSSLError.handshakeFailed(let error):
                self.init(.final, .unreachable(host: host, reason: Self.reason(error)))
            case let error as NIOSSLExtraError where error == .failedToValidateHostname:
                self.init(.final, .unreachable(host: host, reason: "its certificate is for another host name"))
            case is NIOSSLExtraError, is NIOSSLError, is BoringSSLError: self = broken("TLS failed: \(error)")
            case is HTTPParserError: self.init(.final, .transferFailed("the response is not valid HTTP (\(error))"))
            default: self.init(.final, .transferFailed("\(error)"))
            }
        }

        /// The error codes of failed connection attempts.
        private static let connectCodes: Set<CInt> = Set(
            [
                Errno.connectionRefused, .hostIsDown, .noRouteToHost, .networkDown, .networkUnreachable, .timedOut,
                .addressNotAvailable,
            ].map(\.rawValue))

        private static let closed = "the server closed the connection"

        private static func reason(_ error: NIOConnectionError) -> String {
            guard let first = error.connectionErrors.first else { return "the host name cannot be resolved" }
            switch first.error {
            case let error as IOError: return "\(Errno(rawValue: error.errnoCode))"
            case ChannelError.connectTimeout(let amount):
                return "no connection within \(Duration.nanoseconds(amount.nanoseconds))"
            default: return "\(first.error)"
            }
        }

        private static func reason(_ error: BoringSSLError) -> String {
            let text = "\(error)"
            return text.contains("CERTIFICATE_VERIFY_FAILED")
                ? "its certificate is not trusted" : "the TLS handshake failed (\(text))"
        }
    }
#endif
