#if HTTP
    import TexelCodecs
    import TexelCore
    import TexelPipeline

    /// Appends the body of one response to the received bytes.
    struct ArrivingSink {
        private let arriving: ArrivingBytes
        private let head: ResponseHead
        /// The bytes received so far. A response with the whole resource repeats those of earlier attempts.
        private let there: InputBytes
        /// How many of them this response repeats.
        private let formerCount: Int
        private var position = 0
        private var isKindKnown: Bool

        init(_ arriving: ArrivingBytes, _ head: ResponseHead) {
            self.arriving = arriving
            self.head = head
            there = InputBytes(arriving)
            formerCount = head.status == 206 ? 0 : arriving.count
            // Servers often confuse image types, so those are accepted. For any other type, check that the bytes are an
            // image.
            let type = head.contentType ?? ""
            isKindKnown = type.isEmpty || type.hasPrefix("image/") || type == "application/octet-stream"
        }

        /// Appends bytes of the body; compares them with the received ones while the response repeats those.
        ///
        /// - Throws: `limitExceeded`, errors of the transfer.
        mutating func append(_ bytes: UnsafeRawBufferPointer) throws(TexelError) {
            var rest = UnsafeRawBufferPointer(rebasing: bytes[...])
            if position < formerCount {
                let count = min(formerCount - position, rest.count)
                let isSame = there[position..<position + count].elementsEqual(rest.prefix(count))
                guard isSame else {
                    throw .transferFailed("the connection broke, and the server sent different bytes on retry")
                }
                position += count
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
            }
            do throws(TexelError) {
                try arriving.append(rest)
            } catch {
                throw isKindKnown ? error : reason(for: error)
            }
            position += rest.count
            if !isKindKnown, arriving.count >= CodecRegistry.headSize { try checkKind() }
        }

        /// Ends the body.
        ///
        /// - Throws: errors of the transfer if it ended too early or is not an image.
        mutating func finish() throws(TexelError) {
            if !isKindKnown { try checkKind() }
            if position < formerCount {
                throw .incomplete(received: position, announced: formerCount)
            }
        }

        private mutating func checkKind() throws(TexelError) {
            isKindKnown = true
            do {
                // By index: slicing would wait for all bytes.
                _ = try ImageFormat(sniffing: (0..<min(CodecRegistry.headSize, arriving.count)).map { there[$0] })
            } catch {
                // Damaged images are reported by the decoder.
                if isNotAnImage(error) { throw reason(for: error) }
            }
        }

        /// The error of a body whose first bytes are not those of an image: the type that the server has announced.
        private func reason(for error: TexelError) -> TexelError {
            isNotAnImage(error) ? .unexpectedContentType(head.contentType ?? "an unknown type") : error
        }

        private func isNotAnImage(_ error: TexelError) -> Bool { error.kind == .unknownFormat || error.kind == .empty }
    }
#endif
