/// The bytes of an ICC colour profile (ISO 15076-1), with the little of its header that decides where it fits.
public struct ICCProfile: Sendable, Hashable {
    public enum ColorModel: Sendable, Hashable {
        case rgb, gray, cmyk, other
    }

    public let bytes: [UInt8]
    public let colorModel: ColorModel

    /// `nil` unless the bytes begin with a profile header: 128 bytes with the signature `acsp` at 36.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count >= 132, bytes[36..<40].elementsEqual("acsp".utf8) else { return nil }
        self.bytes = bytes
        self.colorModel =
            switch String(decoding: bytes[16..<20], as: UTF8.self) {
            case "RGB ": .rgb
            case "GRAY": .gray
            case "CMYK": .cmyk
            default: .other
            }
    }
}
