import TexelCodecs
import TexelCore
import TexelPixels

// The contents of the application segments.

extension JPEGFile {
    static let exifIdentifier = Array("Exif\0\0".utf8)
    static let extensionIdentifier = Array("http://ns.adobe.com/xmp/extension/\0".utf8)
    static let profileIdentifier = Array("ICC_PROFILE\0".utf8)
    static let photoshopIdentifier = Array("Photoshop 3.0\0".utf8)

    /// Returns the colour profile, checked against the colours of the frame.
    ///
    /// - Throws: `limitExceeded` if it has more than `limit` bytes.
    func colorProfile(of frame: Frame, limit: Int) throws(TexelError) -> EmbeddedProfile {
        var parts: [Int: Range<Int>] = [:]
        var (count, total) = (0, 0)
        for payload in payloads(Marker.application2, beginningWith: Self.profileIdentifier) where payload.count > 2 {
            // Each part begins with its number, from 1, and the number of parts (ICC.1:2022, annex B.4).
            let number = Int(bytes[payload.lowerBound])
            guard parts[number] == nil else { continue }
            parts[number] = (payload.lowerBound + 2)..<payload.upperBound
            count = max(count, Int(bytes[payload.lowerBound + 1]))
            total += payload.count - 2
        }
        guard total <= limit else { throw .limitExceeded(.metadataBytes, value: total, allowed: limit) }
        let numbers = parts.keys.sorted()
        if numbers.isEmpty { return .absent }
        // A number of parts that is too small is accepted.
        guard numbers == Array(1...max(count, numbers.count)) else { return .damaged }
        let models: Set<ICCProfile.ColorModel> =
            switch frame.components.count {
            case 1: [.gray, .rgb]
            case 3: [.rgb]
            default: [.cmyk]
            }
        return EmbeddedProfile(numbers.flatMap { number in parts[number].map { Array(bytes[$0]) } ?? [] }, for: models)
    }

    /// Reads EXIF, XMP, IPTC, comments and density.
    ///
    /// - Throws: `limitExceeded` if a block has more than `limit` bytes.
    func metadata(limit: Int) throws(TexelError) -> ImageMetadata {
        var metadata = ImageMetadata()
        // A block that is too large for one segment continues in the next.
        let exif = payloads(Marker.application1, beginningWith: Self.exifIdentifier)
        if !exif.isEmpty { metadata.setEXIF(try joined(exif, limit: limit)) }
        if let payload = payloads(Marker.application1, beginningWith: XMP.jpegSignature).first {
            metadata.xmp = XMP(try joined([payload], limit: limit))
        }
        readExtendedXMP(&metadata, limit: limit)
        let photoshop = payloads(Marker.application13, beginningWith: Self.photoshopIdentifier)
        if !photoshop.isEmpty { metadata.iptc = try joined(photoshop, limit: limit) }
        for payload in payloads(Marker.comment, beginningWith: []) {
            let text = try joined([payload], limit: limit)
            metadata.comments.append(TextComment(bytes: Array(text.prefix { $0 != 0 }), encoding: .unknown))
        }
        metadata.density = jfifDensity
        noteOtherSegments(&metadata)
        return metadata
    }

    /// Notes the application segments that are not read.
    private func noteOtherSegments(_ metadata: inout ImageMetadata) {
        let read = [
            (Marker.application0, ["JFIF\0", "JFXX\0", "AMPF"]), (Marker.application14, ["Adobe"]),
            (Marker.application1, ["Exif\0", "http://ns.adobe.com/xap/1.0/\0"]),
            (Marker.application1, ["http://ns.adobe.com/xmp/extension/\0"]),
            (Marker.application2, ["ICC_PROFILE\0", "MPF\0", "urn:iso:std:iso:ts:21496:-1\0"]),
            (Marker.application13, ["Photoshop 3.0\0"]),
        ]
        for segment in segments where Marker.isApplication(segment.marker) {
            let payload = bytes[segment.payload]
            let isRead = read.contains { marker, names in
                marker == segment.marker && names.contains { payload.starts(with: $0.utf8) }
            }
            if isRead { continue }
            let name = String(decoding: payload.prefix(24).prefix { (0x21...0x7E).contains($0) }, as: UTF8.self)
            metadata.unreadBlocks.append(
                MetadataLoss(
                    "the segment APP\(segment.marker - Marker.application0)" + (name.isEmpty ? "" : " “\(name)”"),
                    byteCount: payload.count, .unreadForm))
        }
    }

    /// Reads the extension of an XMP packet. One that is too large or incomplete is noted, because the image does not
    /// depend on it.
    private func readExtendedXMP(_ metadata: inout ImageMetadata, limit: Int) {
        // Each part begins with the name of the extension, its size, and the offset of the part.
        let parts = payloads(Marker.application1, beginningWith: Self.extensionIdentifier).filter { $0.count >= 40 }
        guard !parts.isEmpty, let name = metadata.xmp?.extensionName else { return }
        var (data, total): ([Int: Range<Int>], Int?) = ([:], nil)
        for part in parts where bytes[part.prefix(32)].elementsEqual(name.utf8) {
            total = total ?? bytes.bigEndian(4, at: part.lowerBound + 32)
            let offset = bytes.bigEndian(4, at: part.lowerBound + 36)
            if data[offset] == nil { data[offset] = part.dropFirst(40) }
        }
        guard let total else { return }
        func drop(_ reason: MetadataLoss.Reason) {
            metadata.unreadBlocks.append(MetadataLoss(MetadataLoss.extendedXMP, byteCount: total, reason))
        }
        guard total <= limit else { return drop(.exceedsLimit(limit)) }
        var joined: [UInt8] = []
        while joined.count < total, let part = data[joined.count], !part.isEmpty { joined += bytes[part] }
        if joined.count == total { metadata.extendedXMP = joined } else { drop(.damaged) }
    }

    private func joined(_ payloads: [Range<Int>], limit: Int) throws(TexelError) -> [UInt8] {
        let total = payloads.reduce(0) { $0 + $1.count }
        guard total <= limit else { throw .limitExceeded(.metadataBytes, value: total, allowed: limit) }
        return payloads.flatMap { Array(bytes[$0]) }
    }

    /// The density in the JFIF segment; `nil` for a 1:1 aspect ratio, which carries no information.
    private var jfifDensity: PixelDensity? {
        guard let payload = payloads(Marker.application0, beginningWith: Array("JFIF\0".utf8)).first,
            payload.count >= 7
        else { return nil }
        let at = payload.lowerBound
        let density = PixelDensity(
            jfifUnit: bytes[at + 2], x: UInt16(bytes.bigEndian(2, at: at + 3)),
            y: UInt16(bytes.bigEndian(2, at: at + 5)))
        guard let density, density.unit != .aspectRatio || density.horizontal != density.vertical else { return nil }
        return density
    }
}
