import Synchronization
public import TexelCodecs
public import TexelCore

/// Bytes from an asynchronous sequence, such as the body of an upload.
///
/// They can be read once, even if the sequence could be iterated again: a later request for the same source throws
/// `alreadyRead`. Equal requests at the same time share one reading.
public struct StreamSource: ByteSource {
    public let name: String
    public let identity: InputIdentity
    private let count: Int?
    private let deliver: @Sendable (ArrivingBytes) async throws -> Void

    /// Makes a source that reads a sequence.
    ///
    /// - Parameters:
    ///   - chunks: the bytes in order, in pieces of any size; the next piece is requested after the last one has been
    ///     stored. Requests throw its error as `TexelError.source`.
    ///   - name: the name in messages.
    ///   - count: the number of bytes, if known.
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

    public func open(limits: Limits) async throws(TexelError) -> OpenedBytes {
        OpenedBytes(version: nil, count: count, deliver: deliver)
    }

    /// Whether reading has begun; shared by all copies of a source.
    private final class Reading: Sendable {
        private let hasBegun = Atomic(false)

        func begin() throws(TexelError) {
            if hasBegun.exchange(true, ordering: .relaxed) { throw .alreadyRead }
        }
    }
}

extension ArrivingBytes {
    fileprivate func append(_ chunk: some Collection<UInt8>) throws(TexelError) {
        let appended = chunk.withContiguousStorageIfAvailable { appending(UnsafeRawBufferPointer($0)) }
        try (appended ?? Array(chunk).withUnsafeBytes { appending($0) }).get()
    }

    /// The standard library's closures do not support typed throws.
    private func appending(_ bytes: UnsafeRawBufferPointer) -> Result<Void, TexelError> {
        Result { () throws(TexelError) in try append(bytes) }
    }
}
