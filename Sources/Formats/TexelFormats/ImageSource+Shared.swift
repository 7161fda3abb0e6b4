public import TexelCodecs

extension ImageSource {
    /// Reads the header. The format is detected from the content, among those of ``CodecRegistry/shared``.
    ///
    /// - Throws: an error for an invalid header, or `limitExceeded`.
    public init(_ bytes: InputBytes, limits: Limits = Limits()) throws(CodecError) {
        try self.init(bytes, codecs: .shared, limits: limits)
    }

    /// Reads the header of a file that is still arriving; returns as soon as the header has arrived.
    ///
    /// - Parameter stop: polled while this call waits; decoders poll that of their options.
    /// - Throws: an error for an invalid header; `limitExceeded`; `stopped`.
    package init(
        arriving bytes: ArrivingBytes, limits: Limits = Limits(), stop: StopToken?
    ) throws(CodecError) {
        try self.init(arriving: bytes, codecs: .shared, limits: limits, stop: stop)
    }
}

extension ArrivingBytes.HeadCheck {
    /// Throws if the bytes are not the beginning of a file that a codec of ``CodecRegistry/shared`` recognises.
    package static let isImage = Self(byteCount: CodecRegistry.headSize) { head throws(CodecError) in
        _ = try CodecRegistry.shared.codec(sniffing: head)
    }
}

extension LinkedLibrary {
    /// The libraries that read and write images.
    package static var codecs: [LinkedLibrary] { CodecRegistry.shared.codecs.flatMap(\.libraries) }
}
