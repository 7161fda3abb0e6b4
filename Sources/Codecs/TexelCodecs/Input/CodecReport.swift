package import CCodecShims

extension texel_codec_report {
    /// The message of the failure. The shim terminates it with a zero byte.
    package var errorMessage: String { Self.text(error) }
    package var firstWarning: String { Self.text(first_warning) }

    private static func text<Characters>(_ characters: Characters) -> String {
        withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
