import CCodecShims

/// The messages of the shims of C libraries.
package enum LibraryMessage {
    /// Calls a function that may write a message of at most `TEXEL_CODEC_MESSAGE_SIZE` bytes.
    ///
    /// - Returns: its result; the message, or an empty one.
    package static func result<Value>(
        of work: (UnsafeMutablePointer<CChar>) -> Value
    ) -> (value: Value, message: String) {
        var message = [CChar](repeating: 0, count: Int(TEXEL_CODEC_MESSAGE_SIZE))
        let value = work(&message)
        return (value, String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }
}
