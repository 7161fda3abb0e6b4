package import TexelCodecs
import TexelCore

extension ArrivingBytes.HeadCheck {
    /// Throws if the bytes are not the beginning of a file that a codec of ``CodecRegistry/shared`` recognises.
    package static let isImage = Self(byteCount: CodecRegistry.headSize) { head throws(TexelError) in
        _ = try CodecRegistry.shared.codec(sniffing: head)
    }
}

extension LinkedLibrary {
    /// The libraries that read and write images.
    package static var codecs: [LinkedLibrary] { CodecRegistry.shared.codecs.flatMap(\.libraries) }
}
