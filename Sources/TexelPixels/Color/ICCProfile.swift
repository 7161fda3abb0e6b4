/// The bytes of an ICC colour profile (ISO 15076-1), with the little of its header that decides where it fits.
public struct ICCProfile: Sendable, Hashable, Codable {
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

    public init(from decoder: any Decoder) throws { self = try decoder.block { ICCProfile($0) } }

    public func encode(to encoder: any Encoder) throws { try encoder.encodeBlock(bytes) }
}

// What is read from bytes is written as these bytes, and read anew: nothing else could be true of them.

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
