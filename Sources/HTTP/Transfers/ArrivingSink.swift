#if HTTP
    import TexelCodecs
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
        /// - Throws: `codec(.limitExceeded)`, `transfer`.
        mutating func append(_ bytes: UnsafeRawBufferPointer) throws(PipelineError) {
            var rest = UnsafeRawBufferPointer(rebasing: bytes[...])
            if position < formerCount {
                let count = min(formerCount - position, rest.count)
                let isSame = there[position..<position + count].elementsEqual(rest.prefix(count))
                guard isSame else {
                    throw .transfer(.failed("the connection broke, and the server sent different bytes on retry"))
                }
                position += count
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
            }
            do throws(CodecError) {
                try arriving.append(rest)
            } catch {
                throw isKindKnown ? .codec(error) : reason(for: error)
            }
            position += rest.count
            if !isKindKnown, arriving.count >= CodecRegistry.headSize { try checkKind() }
        }

        /// Ends the body.
        ///
        /// - Throws: `transfer` if it ended too early or is not an image.
        mutating func finish() throws(PipelineError) {
            if !isKindKnown { try checkKind() }
            if position < formerCount {
                throw .transfer(.incomplete(received: position, announced: formerCount))
            }
        }

        private mutating func checkKind() throws(PipelineError) {
            isKindKnown = true
            do throws(CodecError) {
                // By index: slicing would wait for all bytes.
                _ = try ImageFormat(sniffing: (0..<min(CodecRegistry.headSize, arriving.count)).map { there[$0] })
            } catch {
                // Damaged images are reported by the decoder.
                if case .transfer = reason(for: error) { throw reason(for: error) }
            }
        }

        /// The error of a body whose first bytes are not those of an image: the type that the server has announced.
        private func reason(for error: CodecError) -> PipelineError {
            switch error {
            case .unknownFormat, .empty: .transfer(.unexpectedContentType(head.contentType ?? "an unknown type"))
            default: .codec(error)
            }
        }
    }
#endif
