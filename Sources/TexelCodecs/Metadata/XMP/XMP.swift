public import TexelPixels

/// An XMP packet: RDF in XML (ISO 16684-1, XMP specification part 1), kept as it came.
public struct XMP: Sendable, Hashable, Codable {
    /// The packet, beginning with its XML.
    public let bytes: [UInt8]

    /// What JPEG writes before the packet in an APP1 segment (XMP specification part 3, 1.1.3).
    public static let jpegSignature = Array("http://ns.adobe.com/xap/1.0/\0".utf8)

    /// `nil` for no bytes. A JPEG signature before the packet and NULs after it are taken off.
    public init?(_ bytes: [UInt8]) {
        let packet = bytes.starts(with: Self.jpegSignature) ? bytes[Self.jpegSignature.count...] : bytes[...]
        guard let last = packet.lastIndex(where: { $0 != 0 }) else { return nil }
        self.bytes = Array(packet[...last])
    }

    public init(from decoder: any Decoder) throws { self = try decoder.block { XMP($0) } }

    public func encode(to encoder: any Encoder) throws { try encoder.encodeBlock(bytes) }

    /// What the packet says of the picture; `nil` where it cannot be understood. A NUL inside means UTF-16 or UTF-32,
    /// which the standard allows nowhere in JPEG and PNG.
    var reader: XMPReader? { bytes.contains(0) ? nil : try? XMPReader(bytes) }

    /// tiff:Orientation; `nil` where the packet does not say, or says something without a meaning.
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
