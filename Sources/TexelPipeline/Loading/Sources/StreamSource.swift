public import TexelCodecs

/// Bytes that come from an asynchronous sequence, such as the body of an upload. They can be read once.
public struct StreamSource: ByteSource {
    public let name: String
    public let identity: InputIdentity
    private let count: Int?
    private let deliver: @Sendable (ArrivingBytes) async throws(PipelineError) -> Void

    /// - Parameters:
    ///   - chunks: the bytes in their order, in pieces of any size; asked for the next one only when the last has been
    ///     taken in.
    ///   - count: how many bytes there are, where that is known.
    public init<Chunks: AsyncSequence & Sendable>(
        _ chunks: Chunks, name: String = "stream", count: Int? = nil
    ) where Chunks.Element: Collection<UInt8> {
        self.name = name
        self.count = count
        identity = .unique(name)
        deliver = { bytes async throws(PipelineError) in
            do {
                for try await chunk in chunks { try bytes.append(chunk) }
            } catch let error as CodecError {
                throw .codec(error)
            } catch is CancellationError {
                throw .codec(.stopped(.cancelled))
            } catch {
                throw .transfer(.failed("\(error)"))
            }
        }
    }

    public func open(limits: Limits) async throws(PipelineError) -> OpenedBytes {
        OpenedBytes(version: nil, count: count, deliver: deliver)
    }
}

extension ArrivingBytes {
    fileprivate func append(_ chunk: some Collection<UInt8>) throws(CodecError) {
        let appended = chunk.withContiguousStorageIfAvailable { appending(UnsafeRawBufferPointer($0)) }
        try (appended ?? Array(chunk).withUnsafeBytes { appending($0) }).get()
    }

    /// The standard library's closures know no typed errors.
    private func appending(_ bytes: UnsafeRawBufferPointer) -> Result<Void, CodecError> {
        Result { () throws(CodecError) in try append(bytes) }
    }
}
