#if HTTP
    import NIOCore
    import NIOPosix
    import NIOSSL

    /// A TLS server on this machine that answers every request with the same bytes and has a self-signed certificate.
    final class SecureServer: Sendable {
        private let channel: any Channel
        let port: Int

        init(answering text: String) async throws {
            let certificate = try NIOSSLCertificate(bytes: Array(Self.certificate.utf8), format: .pem)
            let key = try NIOSSLPrivateKey(bytes: Array(Self.key.utf8), format: .pem)
            let context = try NIOSSLContext(
                configuration: .makeServerConfiguration(
                    certificateChain: [.certificate(certificate)], privateKey: .privateKey(key)))
            channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandlers([
                            NIOSSLServerHandler(context: context), Answering(text),
                        ])
                    }
                }
                .bind(host: "127.0.0.1", port: 0).get()
            port = channel.localAddress?.port ?? 0
        }

        deinit { channel.close(promise: nil) }

        /// Requests of these tests arrive in one piece.
        private final class Answering: ChannelInboundHandler {
            typealias InboundIn = ByteBuffer
            typealias OutboundOut = ByteBuffer
            private let text: String
            init(_ text: String) { self.text = text }

            func channelRead(context: ChannelHandlerContext, data: NIOAny) {
                context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
            }
        }

        /// Self-signed, for the name localhost but not for its IP address; valid until 2120.
        static let certificate = """
            -----BEGIN CERTIFICATE-----
            MIIBYTCCAQegAwIBAgIBAjAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
            c3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBQxEjAQBgNVBAMM
            CWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABJXpRnQt5AoIP+mu
            TnO+eV9etvmD+Z39fS8MHzr4mOOSug3sM75ImfggCZiLsM0OF+wQ+N2+Sr0JPYCG
            wr+q0cOjSDBGMA8GA1UdEwEB/wQFMAMBAf8wFAYDVR0RBA0wC4IJbG9jYWxob3N0
            MB0GA1UdDgQWBBQeOu9Z1us3vOj5jDJLuDqMF8m/HzAKBggqhkjOPQQDAgNIADBF
            AiAjl/QRDiyaj61PMKCWqP0hfG5e9ciNyrjtFSwDVcOrhgIhALoP3dhGvwXgPcBD
            PpqI32Jjbxhx9kZMRBm5MYeNHGIM
            -----END CERTIFICATE-----
            """

        /// Used only by these tests.
        private static let key = """
            -----BEGIN PRIVATE KEY-----
            MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgKSptDZ05zSgzLGLv
            hlcQ+87Y386it/5gwaSXqqXK6iGhRANCAASV6UZ0LeQKCD/prk5zvnlfXrb5g/md
            /X0vDB86+JjjkroN7DO+SJn4IAmYi7DNDhfsEPjdvkq9CT2AhsK/qtHD
            -----END PRIVATE KEY-----
            """
    }
#endif
