#if HTTP
    import TexelCodecs
    import TexelPipeline

    /// Takes one answer's bytes to where they arrive.
    struct ArrivingSink {
        private let arriving: ArrivingBytes
        private let head: ResponseHead
        /// What is there. Where an earlier answer brought some of it, this one brings that again.
        private let there: InputBytes
        /// How much of that there is.
        private let formerCount: Int
        private var position = 0
        private var isKindKnown: Bool

        init(_ arriving: ArrivingBytes, _ head: ResponseHead) {
            self.arriving = arriving
            self.head = head
            there = InputBytes(arriving)
            formerCount = head.status == 206 ? 0 : arriving.count
            // Servers lie about pictures of all types; of others it is told where the bytes are no picture.
            let type = head.contentType ?? ""
            isKindKnown = type.isEmpty || type.hasPrefix("image/") || type == "application/octet-stream"
        }

        /// - Throws: `codec(.limitExceeded)`, `transfer`.
        mutating func append(_ bytes: UnsafeRawBufferPointer) throws(PipelineError) {
            var rest = UnsafeRawBufferPointer(rebasing: bytes[...])
            if position < formerCount {
                let count = min(formerCount - position, rest.count)
                let isSame = there[position..<position + count].elementsEqual(rest.prefix(count))
                guard isSame else {
                    throw .transfer(.failed("the connection broke, and then the server sent something else"))
                }
                position += count
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
            }
            try arriving.append(pieceOf: rest)
            position += rest.count
            if !isKindKnown, arriving.count >= 16 { try checkKind() }
        }

        /// - Throws: `transfer` where the end has come too early.
        mutating func finish() throws(PipelineError) {
            if !isKindKnown { try checkKind() }
            if position < formerCount {
                throw .transfer(.incomplete(received: position, announced: formerCount))
            }
        }

        private mutating func checkKind() throws(PipelineError) {
            isKindKnown = true
            do throws(CodecError) {
                // Byte by byte: a slice as a whole would wait for the end of all.
                _ = try ImageFormat(sniffing: (0..<min(16, arriving.count)).map { there[$0] })
            } catch {
                switch error {
                case .unknownFormat, .empty: throw .transfer(.foreignContent(head.contentType ?? "something"))
                // What was a picture once is told by who reads it.
                default: return
                }
            }
        }
    }

    extension ArrivingBytes {
        func append(pieceOf bytes: UnsafeRawBufferPointer) throws(PipelineError) {
            do throws(CodecError) { try append(bytes) } catch { throw .codec(error) }
        }
    }
#endif
