import Synchronization
public import TexelCodecs

/// Bytes that come from an asynchronous sequence, such as the body of an upload.
///
/// They can be read once, also if the sequence could be iterated again: a later request for the same source throws
/// `transfer(.alreadyRead)`. Equal requests at the same time share one reading.
public struct StreamSource: ByteSource {
    public let name: String
    public let identity: InputIdentity
    private let count: Int?
    private let deliver: @Sendable (ArrivingBytes) async throws -> Void

    /// - Parameters:
    ///   - chunks: the bytes in their order, in pieces of any size; asked for the next one only when the last has been
    ///     taken in. Requests throw its error as ``PipelineError/source(_:)``.
    ///   - count: how many bytes there are, where that is known.
    public init<Chunks: AsyncSequence & Sendable>(
        _ chunks: Chunks, name: String = "stream", count: Int? = nil
    ) where Chunks.Element: Collection<UInt8> {
        self.name = name
        self.count = count
        identity = .unique(name)
        let reading = Reading()
        deliver = { bytes in
            try reading.begin()
            for try await chunk in chunks { try bytes.append(chunk) }
        }
    }

    public func open(limits: Limits) async throws(PipelineError) -> OpenedBytes {
        OpenedBytes(version: nil, count: count, deliver: deliver)
    }

    /// Whether the bytes have been asked for; shared by the copies of a source.
    private final class Reading: Sendable {
        private let hasBegun = Atomic(false)

        func begin() throws(PipelineError) {
            if hasBegun.exchange(true, ordering: .relaxed) { throw .transfer(.alreadyRead) }
        }
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
