public import TexelPixels

/// An XMP packet: RDF in XML (ISO 16684-1, XMP specification part 1), stored unchanged.
public struct XMP: Sendable, Hashable, Codable {
    /// The packet, starting with its XML.
    public let bytes: [UInt8]

    /// The identifier before the packet in a JPEG's APP1 segment (XMP specification part 3, 1.1.3).
    public static let jpegSignature = Array("http://ns.adobe.com/xap/1.0/\0".utf8)

    /// Creates a packet; removes a JPEG identifier before it and NULs after it. `nil` if no bytes remain.
    public init?(_ bytes: [UInt8]) {
        let packet = bytes.starts(with: Self.jpegSignature) ? bytes[Self.jpegSignature.count...] : bytes[...]
        guard let last = packet.lastIndex(where: { $0 != 0 }) else { return nil }
        self.bytes = Array(packet[...last])
    }

    public init(from decoder: any Decoder) throws { self = try decoder.block { XMP($0) } }

    public func encode(to encoder: any Encoder) throws { try encoder.encodeBlock(bytes) }

    /// The parsed packet; `nil` if it is malformed. A NUL inside means UTF-16 or UTF-32, which the standard does not
    /// allow in JPEG and PNG.
    var reader: XMPReader? { bytes.contains(0) ? nil : try? XMPReader(bytes) }

    /// The value of tiff:Orientation; `nil` if it is absent or invalid.
    public var orientation: Orientation? {
        guard let reader else { return nil }
        let attributes = reader.attributes.filter { $0.property == .orientation }.map(\.value)
        let elements = reader.elements.filter { $0.property == .orientation && $0.isPlainText }.map(\.content)
        return (attributes + elements).lazy.compactMap { orientation(in: $0) }.first
    }

    private func orientation(in range: Range<Int>) -> Orientation? {
        let digits = bytes[range].filter { !XMLScanner.isSpace($0) }
        return digits.count == 1 ? Int(String(decoding: digits, as: UTF8.self)).flatMap(Orientation.init) : nil
    }
}
