/// The bytes of an ICC colour profile (ISO 15076-1), and the colour model that its header declares.
public struct ICCProfile: Sendable, Hashable, Codable {
    /// The colour model of the pixels that a profile describes.
    public enum ColorModel: Sendable, Hashable {
        case rgb, gray, cmyk, other
    }

    /// The whole profile.
    public let bytes: [UInt8]
    /// The colour model from the header.
    public let colorModel: ColorModel

    /// Creates a profile. Returns `nil` unless the bytes begin with a profile header: 128 bytes with the signature
    /// `acsp` at offset 36, and a tag count.
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

    public init(from decoder: any Decoder) throws { self = try decoder.block { ICCProfile($0) } }

    public func encode(to encoder: any Encoder) throws { try encoder.encodeBlock(bytes) }
}

// Values parsed from bytes are encoded as these bytes and parsed again when decoded, so that they always agree.

extension Decoder {
    package func block<Block>(_ read: ([UInt8]) -> Block?) throws -> Block {
        let container = try singleValueContainer()
        guard let block = read(try container.decode([UInt8].self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a \(Block.self)")
        }
        return block
    }
}

extension Encoder {
    package func encodeBlock(_ bytes: [UInt8]) throws {
        var container = singleValueContainer()
        try container.encode(bytes)
    }
}
