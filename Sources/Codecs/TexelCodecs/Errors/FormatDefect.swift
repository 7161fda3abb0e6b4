/// The fault of a damaged file, in terms that all formats share.
public enum FormatDefect: Sendable, Hashable {
    /// The signature of the format is damaged; the value has its bytes.
    case invalidSignature([UInt8])
    /// A required part is missing: "IHDR chunk".
    case missing(String)
    /// A field has a value that the format does not define. `context` is what the value does not fit, as in "colour
    /// type 2".
    case invalidValue(Int, of: String, context: String? = nil)
    /// The width or the height is zero or too large.
    case invalidDimensions(width: Int, height: Int)
    /// The checksum of a part does not match its bytes. The name of a damaged part may have any characters.
    case checksumMismatch(of: String, declared: UInt32, computed: UInt32)
    /// Any other defect; the message is the library's or Texel's.
    case corrupt(String)
}

extension FormatDefect: CustomStringConvertible {
    public var description: String {
        switch self {
        case .invalidSignature: "the signature is damaged; the file may have been transferred in text mode"
        case .missing(let part): "the \(part) is missing"
        case .invalidValue(let value, let field, let context):
            "invalid \(field) \(value)" + (context.map { " for \($0)" } ?? "")
        case .invalidDimensions(let width, let height): "invalid size of \(width)×\(height) pixels"
        case .checksumMismatch(let part, let declared, let computed):
            """
            the checksum of the \(Self.printable(part)) is \(String(computed, radix: 16)), \
            but the file declares \(String(declared, radix: 16))
            """
        case .corrupt(let message): message
        }
    }

    /// Replaces characters that are not printable ASCII.
    private static func printable(_ name: String) -> String {
        String(name.unicodeScalars.map { (32...126).contains($0.value) ? Character($0) : "?" })
    }
}
